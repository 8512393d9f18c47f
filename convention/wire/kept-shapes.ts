/** Keeps the shapes that did not change the same objects from one reading of a project to the next. */

import type { Property, Shape } from "#runtime/wire/shape";
import type { Part } from "./outline.ts";
import { placeOf } from "./places.ts";

/** The definitions of the reading before, by name. */
export type KeptShapes = Map<string, KeptShape>;

/** A shape, and where its type is. */
interface KeptShape extends Pick<Part, "location" | "declared"> {
  readonly shape: Shape;
}

export function keepShape(kept: KeptShapes, name: string, { location, declared }: Part, shape: Shape): Shape {
  const before = kept.get(name);
  const isThere = before?.location === location && before.declared === declared;
  const after = isThere ? keepSame(before.shape, shape) : shape;
  kept.set(name, { location, ...(declared && { declared }), shape: after });
  return after;
}

/** @returns the one before, if nobody could tell it from the one after. */
export function keepSame<One>(before: One | undefined, after: One): One {
  return before !== undefined && isSame(before, after) ? before : after;
}

/** Deep-equal, and of the same places: more is known of a place than its numbers, such as the comment there. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isData(one) || !isData(other)) return false;
  const keys = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    placeOf(one) === placeOf(other) &&
    keys.every((key) => (key === "location" ? one[key] === other[key] : isSame(one[key], other[key])))
  );
}

type Data = Readonly<Record<string, unknown>> & (Property | Shape);

/** A list or a plain object. */
function isData(value: unknown): value is Data {
  if (typeof value !== "object" || value === null) return false;
  const kind: unknown = Object.getPrototypeOf(value);
  return kind === Array.prototype || kind === Object.prototype;
}
