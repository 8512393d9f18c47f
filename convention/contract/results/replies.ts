/** The headers that a handler gives to its calls of `reply`. */

import { findDeclaredFunction } from "../../source/declared.ts";
import type { Modules } from "../../source/modules.ts";
import { importedFromFramework } from "../../source/names.ts";
import { type Closed, UNWRITTEN, type Written } from "../../source/written.ts";
import { readWrittenModule } from "../../source/written-module.ts";
import type { FunctionSource } from "../../wire/result-types.ts";
import { alternativesOf, close, type Frame } from "../values/closing.ts";
import { readHeaders } from "../values/headers.ts";

/** A call of `reply` that gives headers. */
export interface RepliedHeaders {
  /** Undefined where it is not a literal. */
  readonly status: number | undefined;
  /** In lower case, without that of the content type. */
  readonly names: readonly string[];
  /** What the content type says; the range of all where it is not a literal. */
  readonly media: string | undefined;
}

/** @returns one for each `return reply(…)`. */
export function readReplies(modules: Modules, { value }: FunctionSource): readonly RepliedHeaders[] {
  const declared = findDeclaredFunction(modules, value.location);
  const written = declared && readWrittenModule(declared.module);
  const callable = written?.callable([declared?.name ?? ""]);
  if (!declared || !written || !callable) return [];
  const frame: Frame = { module: declared.module, callable, arguments: [] };
  return written.factsOf(callable).gives.flatMap((one) => findReplies(modules, frame, one));
}

function findReplies(modules: Modules, frame: Frame, value: Written): readonly RepliedHeaders[] {
  if (value.kind === "either") return value.of.flatMap((one) => findReplies(modules, frame, one));
  if (value.kind !== "called" || importedFromFramework(frame.module, value.path) !== "reply") return [];
  const [, status = UNWRITTEN, headers = UNWRITTEN] = value.arguments.map((one) =>
    close(modules, frame, one),
  );
  return alternativesOf(status).flatMap((code) =>
    alternativesOf(headers).map((given) =>
      toReplied(code.kind === "literal" ? code.value : undefined, given),
    ),
  );
}

function toReplied(status: unknown, headers: Closed): RepliedHeaders {
  const known = readHeaders(headers);
  const content = known.find(({ name }) => name === "content-type");
  const names = known.flatMap(({ name }) => (name === "content-type" ? [] : [name]));
  const media = content && toMedia(content.value ?? "");
  return { status: typeof status === "number" ? status : undefined, names, media };
}

/** Without its parameters. A text with a gap in it is any media type. */
function toMedia(value: string): string {
  const media = (value.split(";")[0] ?? "").trim().toLowerCase();
  return /^[\w.+-]+\/[\w.+-]+$/.test(media) ? media : "*/*";
}
