/** Notes what differs at a place while two contracts are walked side by side, by the rules. */

import { formatShape } from "#convention/wire/format-shape";
import { placeOf } from "#convention/wire/places";
import { escapeKey } from "#runtime/escape";
import type { Location, RouteMethod } from "#runtime/routing/route";
import type { Definitions, Property, SchemaShape, Shape } from "#runtime/wire/shape";
import { type Difference, type Kind, ruleOf, type Where } from "./rules.ts";

/** The place at which two sides are compared. */
export interface At {
  readonly scope: Scope;
  /** What of the route; its pointer is the path. */
  readonly where: Omit<Where, "pointer">;
  /** The keys to it; `*` is any item, or any other key. */
  readonly path: readonly string[];
  /** The nearest type with a name around it. */
  readonly type?: NamedType | undefined;
  /** Where the nearest thing around it is written whose place is known. */
  readonly before?: Location | undefined;
  readonly after?: Location | undefined;
  /** The values are texts, as in a query. */
  readonly asText: boolean;
  /** The pairs of types that were compared. */
  readonly met: Map<Shape, Set<Shape>>;
}

interface NamedType {
  readonly name: string;
  /** How many keys lead to it. */
  readonly depth: number;
  /** Something of its own has changed: what is in another type with a name is not. */
  hasChanged: boolean;
}

/** One comparison of two routes. */
export interface Scope {
  readonly before: Definitions;
  readonly after: Definitions;
  readonly isSameSchema: (before: SchemaShape, after: SchemaShape) => boolean;
  readonly route: { readonly method: RouteMethod; readonly pattern: string };
  /** By what tells changes of the source apart: a type that the route has in several places changes once. */
  readonly differences: Map<string, Difference>;
}

/** What the sentences of the rules leave open. */
interface Words {
  readonly it?: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** @param name as in {@link ruleOf}. */
export function note(at: At, kind: Kind, words: Words = {}, name: string = kind): void {
  const { scope, path, type, before, after } = at;
  if (type) type.hasChanged = true;
  const where: Where = { ...at.where, pointer: toPointer(path) };
  const { level, id, text } = ruleOf(kind, where, name);
  const all: Words = { it: nameIt(kind, at), ...words };
  const message = text.replace(/\{(it|from|to)\}/g, (_, word: keyof Words) => all[word] ?? "");
  const difference: Difference = {
    level,
    id,
    method: scope.route.method,
    pattern: scope.route.pattern,
    where,
    message: `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`,
    before,
    after,
    type: type && { name: type.name, pointer: toPointer(path.slice(type.depth)) },
  };
  const key = keyOf(difference);
  if (!scope.differences.has(key)) scope.differences.set(key, difference);
}

/** The same for differences that are one change of the source: a type or a guard that many routes share. */
export function keyOf({ id, type, message, before, after }: Difference): string {
  return JSON.stringify(type ? [id, type] : [id, message, before, after]);
}

/** A change from one type to another. */
export function noteTypes(at: At, kind: Kind, was: Shape, is: Shape): void {
  note(at, kind, { from: formatShape(was), to: formatShape(is) });
}

/** A change of what has a text, which is "" where there is nothing. */
export function noteText(at: At, kind: "pattern" | "default-value", from: string, to: string): void {
  const how = from === "" ? "added" : to === "" ? "removed" : "changed";
  if (from !== to) note(at, `${kind}-${how}`, { from, to });
}

/** @returns the place one key further in. */
export function inside(at: At, key: string): At {
  return { ...at, path: [...at.path, key] };
}

/** @param before what has a place in the source, as a rule. */
export function located(at: At, before?: Shape | Property, after?: Shape | Property): At {
  return {
    ...at,
    before: (before && placeOf(before)) ?? at.before,
    after: (after && placeOf(after)) ?? at.after,
  };
}

/** RFC 6901 */
function toPointer(path: readonly string[]): string {
  return path.map((key) => `/${escapeKey(key)}`).join("");
}

/** @example nameIt("became-required", at) // "`items[].name` in the body" */
function nameIt(kind: Kind, { path, where }: At): string {
  const inner = kind.startsWith("other-keys-") ? path.slice(0, -1) : path;
  const keys = inner.map((key) => (key === "*" ? "[]" : /^\d+$/.test(key) ? `[${key}]` : `.${key}`));
  const whole = nameWhole(where);
  return keys.length === 0 ? whole : `\`${keys.join("").replace(/^\./, "")}\` in ${whole}`;
}

/** @example nameWhole({ side: "response", status: 200 }) // "the 200 answer" */
function nameWhole({ side, in: place, name = "", status, media = "" }: At["where"]): string {
  if (side !== "request") {
    const kind = /^(?:application\/json|\*\/\*|)$/.test(media) ? "" : ` (${media})`;
    return `${status === "default" ? "the answer" : `the ${status} answer`}${kind}`;
  }
  if (place === "body" || place === "form") return `the ${place}`;
  if (name === "") return place === "query" ? "the query" : `the other ${place}s`;
  return `${place === "path" || place === "query" ? `${place} parameter` : place} \`${name}\``;
}
