/** What a difference says in plain English. */

import type { Where } from "./difference.ts";
import { type Side, textOf } from "./rules.ts";
import type { ShapeChange } from "./shape-change.ts";

/** What the sentences of the rules leave open. */
export interface Words {
  readonly it?: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly why?: string;
}

/** @example fill("{it} is required now.", { it: "the body" }) // "The body is required now." */
export function fill(text: string, words: Words): string {
  const filled = text.replace(/\{(it|from|to|why)\}/g, (_, word: keyof Words) => words[word] ?? "");
  return filled.slice(0, 1).toUpperCase() + filled.slice(1);
}

/** @example describeChange(change, where) // "`items[].name` in the body is required now." */
export function describeChange({ kind, at: { path }, from, to }: ShapeChange, where: Where): string {
  const isOfAll = kind === "other-keys-added" || kind === "other-keys-removed";
  const inner = isOfAll ? path.slice(0, -1) : path;
  const whole = nameWhole(where);
  const it = inner.length === 0 ? whole : `\`${formatPath(inner)}\` in ${whole}`;
  const text = textOf(kind, sideOf(where)) ?? textOfLimit(from, to);
  return fill(`${text}.`, { it, from, to });
}

export function sideOf({ side }: Where): Side {
  return side === "request" ? "request" : "response";
}

function textOfLimit(from: string | undefined, to: string | undefined): string {
  if (from === undefined) return "{it} is limited to {to} now";
  return to === undefined
    ? "{it} is no longer limited to {from}"
    : "the limit of {it} changed from {from} to {to}";
}

/** @example nameWhole({ side: "response", status: 200, pointer: "" }) // "the 200 answer" */
export function nameWhole({ side, in: place, name = "", status, media }: Where): string {
  if (side !== "request") {
    const kind = media === undefined || media === "application/json" || media === "*/*" ? "" : ` (${media})`;
    return `${status === "default" ? "the answer" : `the ${status} answer`}${kind}`;
  }
  if (place === "body" || place === "form") return `the ${place}`;
  if (name === "") return place === "query" ? "the query" : `the other ${place}s`;
  const noun = { path: "path parameter", query: "query parameter", header: "header", cookie: "cookie" };
  return `${noun[place as keyof typeof noun]} \`${name}\``;
}

/** @example formatPath(["items", "*", "name"]) // "items[].name" */
function formatPath(path: readonly string[]): string {
  return path
    .map((key) => (key === "*" ? "[]" : /^\d+$/.test(key) ? `[${key}]` : `.${key}`))
    .join("")
    .replace(/^\./, "");
}
