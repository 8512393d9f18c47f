/** For tests: what the handler of a project in memory returns, as one would write it. */

import { readSources } from "../../project.ts";
import { createFiles } from "../../source/files.ts";
import { formatShape } from "../../wire/reading.fixture.ts";
import { mergeAnswers } from "../answers.ts";
import type { Answer } from "../contract.ts";
import type { Inferred } from "./returned.ts";
import { readReturned } from "./returned.ts";

/**
 * @param text of the file with the handlers, of which the first route's is read.
 * @example "200 { id: int } · 404 { error: string }; User = { id: int }; FW902 3:15": JSON has no media type before it.
 */
export function summarizeReturned(text: string, inferred?: Inferred): string {
  const files = {
    "framework.toml": 'apps = ["shop"]\n',
    "apps/shop/app.toml": '[app]\nprefix = "/shop"\n',
    "apps/shop/views.ts": text,
  };
  const sources = readSources("/nowhere", createFiles("/nowhere", new Map(Object.entries(files))));
  const [route] = sources.project.routes;
  if (route === undefined) throw new Error("There is no route.");
  const { answers, diagnostics } = readReturned(sources, route, inferred);
  const named = Object.entries(sources.types.shapes.allDefinitions).map(
    ([name, shape]) => `${name} = ${formatShape(shape)}`,
  );
  const notes = diagnostics.map(({ code, locations: [place] }) => `${code} ${place?.line}:${place?.column}`);
  return [mergeAnswers(answers).map(summarizeAnswer).join(" · "), ...named, ...notes].join("; ");
}

function summarizeAnswer({ status, bodies, headers }: Answer): string {
  const texts = bodies.map(({ media, shape }) => {
    const before = media === "application/json" ? "" : `${media} `;
    return before + formatShape(shape);
  });
  const sent = headers.length > 0 ? ` (${headers.join(", ")})` : "";
  return `${status} ${texts.length > 0 ? texts.join(" or ") : "-"}${sent}`;
}
