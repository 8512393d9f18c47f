/** What values a shape takes, by their JSON type: a union's members, with references followed, next to each other. */

import { findDefinition } from "#convention/wire/json-schema";
import type {
  Definitions,
  LiteralShape,
  NumberShape,
  SchemaShape,
  Shape,
  StringShape,
} from "#runtime/wire/shape";

export type Literal = LiteralShape["values"][number];
export type ObjectCase = Extract<Shape, { readonly kind: "object" }>;
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
  readonly objects: readonly Member<ObjectCase>[];
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

export function formatLiterals(values: readonly Literal[]): string {
  return values.map((value) => JSON.stringify(value)).join(" | ");
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

/** Whether one has a name, and so may be met again further in. */
export function isNamed(one: Member, other: Member): boolean {
  return one.shape.kind === "reference" || other.shape.kind === "reference";
}

/** Members of two unions that belong together, or what has no counterpart. */
export interface Matched<Found extends Shape> {
  readonly one?: Member<Found>;
  readonly other?: Member<Found>;
}

/**
 * Without anything that tells them apart: first those that are written alike, and then the likest.
 *
 * @param likeness of two; those with none are not matched, unless no other is left.
 */
export function matchMembers<Found extends Shape>(
  was: readonly Member<Found>[],
  is: readonly Member<Found>[],
  likeness: (one: Found, other: Found) => number = () => 1,
): readonly Matched<Found>[] {
  const left = [...is];
  const take = (isMeant: (other: Member<Found>) => boolean): Member<Found> | undefined => {
    const at = left.findIndex(isMeant);
    return at === -1 ? undefined : left.splice(at, 1)[0];
  };
  const alike = was.map((one) => take((other) => JSON.stringify(other.shape) === JSON.stringify(one.shape)));
  const matched = was.map((one, index): Matched<Found> => {
    const scores = left.map((other) => likeness(one.found, other.found));
    const isOnly = left.length === 1 && was.length === 1;
    const best = Math.max(isOnly ? 0 : 1, ...scores);
    const other = alike[index] ?? take((candidate) => likeness(one.found, candidate.found) >= best);
    return { one, ...(other && { other }) };
  });
  return [...matched, ...left.map((other) => ({ other }))];
}
