/** What values a shape takes, by their JSON type: a union's members, with references followed, next to each other. */

import { findDefinition } from "#convention/wire/json-schema";
import type {
  Definitions,
  LiteralShape,
  NumberShape,
  ObjectShape,
  SchemaShape,
  Shape,
  StringShape,
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
  readonly boolean: boolean;
  readonly file: boolean;
  /** Of these a result may have several that nothing tells apart. */
  readonly strings: readonly Member<StringShape>[];
  readonly numbers: readonly Member<NumberShape>[];
  readonly lists: readonly Member<ListCase>[];
  readonly objects: readonly Member<ObjectShape>[];
  readonly schemas: readonly SchemaShape[];
}

export function toCases(shape: Shape, definitions: Definitions): Cases {
  const members = [...membersIn(shape, definitions, new Set())].map(toJson);
  const of = <Kind extends Shape["kind"]>(...kinds: readonly Kind[]): Of<Kind>[] =>
    members.filter((one): one is Of<Kind> => kinds.some((kind) => kind === one.found.kind));
  return {
    unknown: of("unknown").length > 0,
    null: of("null").length > 0,
    literals: of("literal").flatMap(({ found }) => found.values),
    boolean: of("boolean").length > 0,
    file: of("file").length > 0,
    strings: of("string"),
    numbers: of("number"),
    lists: of("array", "tuple"),
    objects: of("object"),
    schemas: of("schema").map(({ found }) => found),
  };
}

type Of<Kind extends Shape["kind"]> = Member<Extract<Shape, { readonly kind: Kind }>>;

/** In JSON a `Date` is a text. */
function toJson(member: Member): Member {
  return member.found.kind === "date"
    ? { ...member, found: { kind: "string", formats: ["date-time"] } }
    : member;
}

function* membersIn(shape: Shape, definitions: Definitions, above: ReadonlySet<Shape>): Generator<Member> {
  const found = resolveShape(shape, definitions);
  if (found.kind !== "union") yield { shape, found };
  else if (!above.has(found))
    for (const member of found.of) yield* membersIn(member, definitions, new Set(above).add(found));
}

/** Follows references; `unknown` for a name that has no definition. */
export function resolveShape(shape: Shape, definitions: Definitions): Shape {
  const seen = new Set<string>();
  let found = shape;
  while (found.kind === "reference") {
    if (seen.has(found.name)) return { kind: "never" };
    seen.add(found.name);
    found = findDefinition(found.name, definitions);
  }
  return found;
}

/** The types that take more than single values. `null` is not among them. */
export function typesIn({ strings, numbers, boolean, lists, objects, file }: Cases): readonly string[] {
  return [
    ...(strings.length > 0 ? ["string"] : []),
    ...(numbers.length > 0 ? ["number"] : []),
    ...(boolean ? ["boolean"] : []),
    ...(lists.length > 0 ? ["array"] : []),
    ...(objects.length > 0 ? ["object"] : []),
    ...(file ? ["file"] : []),
  ];
}
