/** What values a shape takes, by their JSON type: a union's members, with references followed, next to each other. */

import {
  type Definitions,
  type LiteralShape,
  resolve,
  type SchemaShape,
  type Shape,
} from "#runtime/wire/shape";

export type Literal = LiteralShape["values"][number];

/** A member of a union: as it is written, and what it refers to. */
export interface Member {
  readonly shape: Shape;
  readonly found: Shape;
}

export interface Cases {
  /** How many members it has. */
  readonly size: number;
  readonly isUnknown: boolean;
  readonly isNullable: boolean;
  readonly schema: SchemaShape | undefined;
  readonly literals: readonly Literal[];
  /** Those that take more than single values, by their type. */
  readonly members: ReadonlyMap<string, readonly Member[]>;
}

const TYPES: Readonly<Partial<Record<Shape["kind"], string>>> = {
  string: "string",
  number: "number",
  boolean: "boolean",
  array: "array",
  tuple: "array",
  object: "object",
  file: "file",
};

export function toCases(shape: Shape, definitions: Definitions): Cases {
  const all = membersIn(shape, definitions);
  const members = new Map<string, Member[]>();
  for (const one of all) {
    const type = TYPES[one.found.kind];
    if (type !== undefined) members.set(type, [...(members.get(type) ?? []), one]);
  }
  return {
    size: all.length,
    isUnknown: all.some(({ found }) => found.kind === "unknown"),
    isNullable: all.some(({ found }) => found.kind === "null"),
    schema: all.map(({ found }) => found).find((found) => found.kind === "schema"),
    literals: all.flatMap(({ found }) => (found.kind === "literal" ? found.values : [])),
    members,
  };
}

function membersIn(shape: Shape, definitions: Definitions, above: readonly Shape[] = []): Member[] {
  const found = resolve(shape, definitions);
  // In JSON a `Date` is a text.
  if (found.kind === "date") return [{ shape, found: { kind: "string", formats: ["date-time"] } }];
  if (found.kind === "never" || above.includes(found)) return [];
  if (found.kind !== "union") return [{ shape, found }];
  return found.of.flatMap((member) => membersIn(member, definitions, [...above, found]));
}
