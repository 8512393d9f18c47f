/** For tests: the operations of a project in memory, and their answers as text. */

import { hasErrors } from "../diagnostics/diagnostic.ts";
import { readSources } from "../project.ts";
import { createFiles } from "../source/files.ts";
import { formatShape } from "../wire/reading.fixture.ts";
import type { Answer, Contract, Operation } from "./contract.ts";
import { readContract, readIds } from "./read.ts";

type Texts = Readonly<Record<string, string>>;

export function readTexts(texts: Texts): Contract {
  const files = new Map(Object.entries({ "framework.toml": "", ...texts }));
  const sources = readSources("/nowhere", createFiles("/nowhere", files));
  const { diagnostics } = sources.project;
  if (hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics, undefined, 2));
  return readContract(sources, { ids: readIds(sources, sources.project.routes, true) });
}

/** The first operation of `routes/items.ts`. */
export function readRoute(text: string, others: Texts = {}): Operation {
  const { operations } = readTexts({ "routes/items.ts": text, ...others });
  const found = operations.find(({ location }) => location.file === "routes/items.ts") ?? operations[0];
  if (found === undefined) throw new Error("There is no route.");
  return found;
}

/** @example `404 #Framework.Error "There is no item"; default *\/* unknown` */
export function formatAnswers(answers: readonly Answer[]): string {
  return answers.map(formatAnswer).join("; ");
}

function formatAnswer({ status, description, bodies, headers }: Answer): string {
  const shown = bodies.map(({ media, shape }) => {
    return media === "application/json" ? formatShape(shape) : `${media} ${formatShape(shape)}`;
  });
  const text = description === undefined ? [] : [JSON.stringify(description)];
  const names = headers.length > 0 ? [`[${headers.join(", ")}]`] : [];
  return [status, shown.join(" or "), ...text, ...names].filter((part) => part !== "").join(" ");
}
