/** What has changed in a shape, as data, and how it is noted while two shapes are walked side by side. */

import { formatShape } from "#convention/wire/format-shape";
import { placeOf } from "#convention/wire/places";
import type { Location } from "#runtime/routing/route";
import type { Definitions, Property, SchemaShape, Shape } from "#runtime/wire/shape";
import type { Kind } from "./rules.ts";

export interface ShapeChange {
  readonly kind: Kind;
  /** The keys to it; `*` is any item, or any other key. */
  readonly path: readonly string[];
  /** As text, where it had or has one. */
  readonly from?: string;
  readonly to?: string;
  /** Null where there was nothing; undefined for the place of the whole. */
  readonly before: Location | null | undefined;
  readonly after: Location | null | undefined;
  /** The nearest type with a name around it. */
  readonly type?: string;
  /** The keys in that type. */
  readonly inType: readonly string[];
}

/** The place at which two shapes are compared. */
export interface At {
  readonly scope: Scope;
  readonly path: readonly string[];
  /** The nearest type with a name around it, and the keys in that type. */
  readonly type: string | undefined;
  readonly inType: readonly string[];
  /** Where the nearest thing around it is written whose place is known. */
  readonly before: Location | undefined;
  readonly after: Location | undefined;
  /** The values are texts, as in a query. */
  readonly asText: boolean;
}

export interface Scope {
  readonly before: Definitions;
  readonly after: Definitions;
  readonly isSameSchema: (before: SchemaShape, after: SchemaShape) => boolean;
  /** Notes all changes from one shape to the other. */
  readonly compare: (was: Shape, is: Shape, at: At) => void;
  readonly changes: ShapeChange[];
}

/** Of what a change says, that which is not in its place. */
export interface Said {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** False where there was, or is, nothing. */
  readonly was?: false;
  readonly is?: false;
}

export function note(at: At, kind: Kind, { from, to, was, is }: Said = {}): void {
  const { scope, path, type, inType, before, after } = at;
  scope.changes.push({
    kind,
    path,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    before: was === false ? null : before,
    after: is === false ? null : after,
    ...(type !== undefined && { type }),
    inType,
  });
}

/** A change from one type to another. */
export function noteTypes(at: At, kind: Kind, was: Shape, is: Shape): void {
  note(at, kind, { from: formatShape(was), to: formatShape(is) });
}

/** What has a place in the source, as a rule. */
interface Declared {
  readonly before?: Shape | Property | undefined;
  readonly after?: Shape | Property | undefined;
}

/** @returns the place one key further in. */
export function inside(at: At, key: string, declared: Declared = {}): At {
  return { ...located(at, declared), path: [...at.path, key], inType: [...at.inType, key] };
}

export function located(at: At, { before, after }: Declared): At {
  return {
    ...at,
    before: (before && placeOf(before)) ?? at.before,
    after: (after && placeOf(after)) ?? at.after,
  };
}
