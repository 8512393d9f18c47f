/** What values a shape takes, by their JSON type: a union's members, with references followed, next to each other. */

import {
  type Definitions,
  type LiteralShape,
  type NumberShape,
  type ObjectShape,
  resolve,
  type SchemaShape,
  type Shape,
  type StringShape,
} from "#runtime/wire/shape";

export type Literal = LiteralShape["values"][number];
export type ListCase = Extract<Shape, { readonly kind: "array" | "tuple" }>;

/** A member of a union: as it is written, and what it refers to. */
export interface Member<Found extends Shape = Shape> {
  readonly shape: Shape;
  readonly found: Found;
}

export interface Cases {
  readonly unknown: boolean;
  readonly null: boolean;
  readonly literals: readonly Literal[];
  /** The types of which it takes more than single values, without `null`. */
  readonly types: readonly string[];
  /** Of these a result may have several that nothing tells apart. */
  readonly strings: readonly Member<StringShape>[];
  readonly numbers: readonly Member<NumberShape>[];
  readonly lists: readonly Member<ListCase>[];
  readonly objects: readonly Member<ObjectShape>[];
  readonly schemas: readonly SchemaShape[];
}

const TYPES: readonly (readonly [Shape["kind"], type: string])[] = [
  ["string", "string"],
  ["number", "number"],
  ["boolean", "boolean"],
  ["array", "array"],
  ["tuple", "array"],
  ["object", "object"],
  ["file", "file"],
];

export function toCases(shape: Shape, definitions: Definitions): Cases {
  const members = [...membersIn(shape, definitions, new Set())];
  const of = <Kind extends Shape["kind"]>(...kinds: readonly Kind[]): Of<Kind>[] =>
    members.filter((one): one is Of<Kind> => kinds.some((kind) => kind === one.found.kind));
  return {
    unknown: of("unknown").length > 0,
    null: of("null").length > 0,
    literals: of("literal").flatMap(({ found }) => found.values),
    types: [...new Set(TYPES.flatMap(([kind, type]) => (of(kind).length > 0 ? [type] : [])))],
    strings: of("string"),
    numbers: of("number"),
    lists: of("array", "tuple"),
    objects: of("object"),
    schemas: of("schema").map(({ found }) => found),
  };
}

type Of<Kind extends Shape["kind"]> = Member<Extract<Shape, { readonly kind: Kind }>>;

function* membersIn(shape: Shape, definitions: Definitions, above: ReadonlySet<Shape>): Generator<Member> {
  const found = resolve(shape, definitions);
  // In JSON a `Date` is a text.
  if (found.kind === "date") yield { shape, found: { kind: "string", formats: ["date-time"] } };
  else if (found.kind !== "union") yield { shape, found };
  else if (!above.has(found))
    for (const member of found.of) yield* membersIn(member, definitions, new Set(above).add(found));
}
