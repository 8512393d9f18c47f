/** Unites the shapes of the bodies that may be sent with one status. */

import type { LiteralShape, Shape } from "#runtime/wire/shape";

/** Unlike in requests, the members need no discriminant. @param shapes at least one. */
export function uniteShapes(shapes: readonly Shape[]): Shape {
  const members = distinctShapes(shapes.flatMap(membersOf));
  const [first, second] = members;
  if (first === undefined) return { kind: "never" };
  if (members.some(({ kind }) => kind === "unknown")) return { kind: "unknown" };
  return second === undefined ? first : { kind: "union", of: members };
}

function membersOf(shape: Shape): readonly Shape[] {
  if (shape.kind === "never") return [];
  return shape.kind === "union" && shape.tag === undefined ? shape.of.flatMap(membersOf) : [shape];
}

/** Joins literals to one member, and drops duplicates and literals that a scalar includes. */
function distinctShapes(members: readonly Shape[]): readonly Shape[] {
  const wide = new Set(members.filter((shape) => Object.keys(shape).length === 1).map(({ kind }) => kind));
  const values = members.flatMap((shape) => (shape.kind === "literal" ? shape.values : []));
  const left = [...new Set(values)].filter((value) => !wide.has(typeof value as Shape["kind"]));
  const literal: LiteralShape = { kind: "literal", values: left };
  const known = new Map<string, Shape>();
  for (const member of members) {
    const shape = member.kind === "literal" ? literal : member;
    if (shape !== literal || left.length > 0) known.set(JSON.stringify(shape), shape);
  }
  return [...known.values()];
}
