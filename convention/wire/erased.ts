/** Types that differ here and are one to TypeScript, for which constraints vanish and `int` is `number`. */

import { CONSTRAINT_NAMES } from "./constraints.ts";
import type { Outline, Part } from "./outline.ts";
import { isTemplate } from "./templates.ts";

/** To a linter the second of two such types is redundant, and its `--fix` deletes it. */
export function findTwins(parts: readonly Part[]): readonly [one: Part, other: Part] | undefined {
  const known: Part[] = [];
  const applied = new Map<string, Part>();
  for (const other of parts) {
    const outline = other.outline();
    const erased = APPLIED.test(other.text) ? eraseLabel(other.label()) : "";
    const same = applied.get(erased);
    if (same && same.label() !== other.label()) return [same, other];
    if (erased !== "") applied.set(erased, other);
    if (!isErased(outline) && outline.kind !== "array") continue;
    const one = known.find((before) => areTwins(before.outline(), outline));
    if (one) return [one, other];
    known.push(other);
  }
  return undefined;
}

/** `Box<string & Email>` and `(string & Email)[][]`: TypeScript has one type for all of the same arguments. */
const APPLIED = /^[\w$.]+<[^{]+>$|^[^{]+\[\]$/;
const CONSTRAINT = new RegExp(` & (?:${CONSTRAINT_NAMES.join("|")})\\b(?:<(?:"[^"]*"|[^<>"])*>)?`, "g");

function eraseLabel(label: string): string {
  return label
    .replace(CONSTRAINT, "")
    .replace(/\bint\b/g, "number")
    .replace(/\((\w+)\)/g, "$1");
}

function isErased(outline: Outline): boolean {
  return outline.kind === "number" || (outline.kind === "string" && !isTemplate(outline));
}

function areTwins(one: Outline, other: Outline): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind !== "array" || other.kind !== "array") return differ(one, other);
  const [items, others] = [one.items.outline(), other.items.outline()];
  if (isErased(items) && isErased(others) && items.kind === others.kind)
    return differ(items, others) || differ(one, other);
  return differ(one, other) && one.items.label() === other.items.label();
}

/** In what is beside the items. */
function differ(one: Outline, other: Outline): boolean {
  const [first, second] = [one, other].map((outline) => JSON.stringify({ ...outline, items: undefined }));
  return first !== second;
}
