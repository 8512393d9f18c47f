/** What has changed in a shape, as data, and how it is noted while two shapes are walked side by side. */

import { formatShape } from "#convention/wire/format-shape";
import { placeOf } from "#convention/wire/places";
import type { Location } from "#runtime/routing/route";
import type { Definitions, Property, SchemaShape, Shape } from "#runtime/wire/shape";
import type { Kind } from "./rules.ts";

export interface ShapeChange extends Said {
  readonly kind: Kind;
  readonly at: At;
}

/** What has changed, as text, where it had or has one. */
interface Said {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** False where there was, or is, nothing. */
  readonly was?: false;
  readonly is?: false;
}

/** The place at which two shapes are compared. */
export interface At {
  readonly scope: Scope;
  /** The keys to it; `*` is any item, or any other key. */
  readonly path: readonly string[];
  /** The nearest type with a name around it, and the keys in that type. */
  readonly type?: string | undefined;
  readonly inType: readonly string[];
  /** Where the nearest thing around it is written whose place is known. */
  readonly before?: Location | undefined;
  readonly after?: Location | undefined;
  /** The values are texts, as in a query. */
  readonly asText: boolean;
}

/** One comparison of two shapes. */
export interface Scope {
  readonly before: Definitions;
  readonly after: Definitions;
  readonly isSameSchema: (before: SchemaShape, after: SchemaShape) => boolean;
  readonly changes: ShapeChange[];
  /** The pairs of types that were compared. */
  readonly met: Map<Shape, Set<Shape>>;
  /** How many of the changes are in a type with a name. */
  ofTypes: number;
}

export function note(at: At, kind: Kind, said: Said = {}): void {
  at.scope.changes.push({ kind, at, ...said });
}

/** A change from one type to another. */
export function noteTypes(at: At, kind: Kind, was: Shape, is: Shape): void {
  note(at, kind, { from: formatShape(was), to: formatShape(is) });
}

/** @returns the place one key further in. */
export function inside(at: At, key: string): At {
  return { ...at, path: [...at.path, key], inType: [...at.inType, key] };
}

/** What has a place in the source, as a rule. */
interface Declared {
  readonly before?: Shape | Property | undefined;
  readonly after?: Shape | Property | undefined;
}

export function located(at: At, { before, after }: Declared): At {
  return {
    ...at,
    before: (before && placeOf(before)) ?? at.before,
    after: (after && placeOf(after)) ?? at.after,
  };
}
