/** The headers that a handler gives to its calls of `reply`. */

import { returnedNodes } from "../../source/bodies.ts";
import { importedFromFramework } from "../../source/names.ts";
import { literalOf } from "../../source/types.ts";
import type { FunctionSource } from "../../wire/result-types.ts";
import { enter, outerPath, type Value, valuesOf } from "../values/inside.ts";
import { readHeaders, type WrittenHeader } from "../values/written-out.ts";

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
export function readReplies(source: FunctionSource): readonly RepliedHeaders[] {
  const inside = enter(source);
  if (inside === undefined) return [];
  return returnedNodes(inside.node)
    .flatMap((node) => valuesOf(node, inside))
    .flatMap(readReply);
}

function readReply({ node, inside }: Value): readonly RepliedHeaders[] {
  if (node.type !== "CallExpression") return [];
  const path = outerPath(node.callee, inside);
  if (!path || importedFromFramework(inside.module, path) !== "reply") return [];
  const [, status, headers] = node.arguments;
  const codes = status ? valuesOf(status, inside).map((one) => literalOf(one.node)) : [undefined];
  const known = headers ? valuesOf(headers, inside).map(readHeaders) : [[]];
  return codes.flatMap((code) => known.map((given) => toReplied(code, given)));
}

function toReplied(status: unknown, known: readonly WrittenHeader[]): RepliedHeaders {
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
