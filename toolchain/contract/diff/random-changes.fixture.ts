/** For tests: a shape with one thing in it changed, and values that fit a shape. */

import { randomJson, randomNumber, randomText } from "#convention/wire/random-values.fixture";
import { pick, type Random } from "#runtime/random.fixture";
import type { Definitions, ObjectShape, Property, Shape } from "#runtime/wire/shape";

interface Typed {
  readonly shape: Shape;
  readonly definitions: Definitions;
}

/** Changes the shape, or one of the definitions. */
export function changeShape(random: Random, shape: Shape, definitions: Definitions): Typed {
  const names = Object.keys(definitions);
  if (names.length === 0 || random(2) === 0) return { shape: change(random, shape), definitions };
  const name = pick(random, names);
  const changed = change(random, definitions[name] ?? { kind: "never" });
  return { shape, definitions: { ...definitions, [name]: changed } };
}

function change(random: Random, shape: Shape): Shape {
  const isHere = random(3) === 0;
  switch (shape.kind) {
    case "object":
      return isHere || shape.properties.length === 0
        ? changeObject(random, shape)
        : changeProperty(random, shape);
    case "array":
      if (!isHere) return { ...shape, items: change(random, shape.items) };
      return pick<Shape>(random, [
        { ...shape, minItems: random(3) },
        { ...shape, maxItems: random(4) },
        { ...shape, uniqueItems: true },
      ]);
    case "tuple": {
      const [first, ...rest] = shape.items;
      if (isHere || first === undefined) return { ...shape, items: [...shape.items, { kind: "null" }] };
      return { ...shape, items: [change(random, first), ...rest] };
    }
    case "union":
      return changeUnion(random, shape, isHere);
    case "string":
      return pick<Shape>(random, [
        { ...shape, minLength: random(4) },
        { ...shape, maxLength: random(5) },
        { kind: "string" },
        { kind: "literal", values: ["a", "b"] },
        { kind: "number" },
        { kind: "union", of: [{ kind: "string" }, { kind: "null" }] },
      ]);
    case "number":
      return pick<Shape>(random, [
        { ...shape, integer: true },
        { ...shape, min: random(3) },
        { ...shape, exclusiveMax: random(5) },
        { kind: "number" },
        { kind: "number", multipleOf: [random(2) + 1] },
        { kind: "string" },
        { kind: "literal", values: [1, 2] },
      ]);
    case "literal":
      return pick<Shape>(random, [
        { kind: "literal", values: shape.values.slice(1).concat("new") },
        { kind: "literal", values: [...shape.values, "new"] },
        { kind: "string" },
        { kind: "null" },
      ]);
    default:
      return pick<Shape>(random, [
        { kind: "null" },
        { kind: "boolean" },
        { kind: "unknown" },
        { kind: "string" },
        shape,
      ]);
  }
}

function changeUnion(random: Random, shape: Extract<Shape, { kind: "union" }>, isHere: boolean): Shape {
  const at = random(shape.of.length);
  const member = shape.of[at] ?? { kind: "null" };
  if (!isHere && member.kind !== "reference")
    return { ...shape, of: shape.of.with(at, keepTag(random, member, shape.tag)) };
  if (shape.of.length === 2) return shape.of[1 - at] ?? shape;
  return { ...shape, of: shape.of.toSpliced(at, 1) };
}

/** The members of a union have to stay ones that a look tells apart. */
function keepTag(random: Random, member: Shape, tag: string | undefined): Shape {
  if (member.kind !== "object") return member.kind === "array" ? change(random, member) : member;
  const changed = change(random, member);
  if (tag === undefined || changed.kind !== "object") return changed;
  const tags = member.properties.filter(({ name }) => name === tag);
  return { ...changed, properties: [...tags, ...changed.properties.filter(({ name }) => name !== tag)] };
}

function changeProperty(random: Random, shape: ObjectShape): Shape {
  const at = random(shape.properties.length);
  const property = shape.properties[at] as Property;
  const changed =
    random(3) === 0
      ? { ...property, optional: !property.optional }
      : { ...property, shape: change(random, property.shape) };
  return { ...shape, properties: shape.properties.with(at, changed) };
}

function changeObject(random: Random, shape: ObjectShape): Shape {
  const { others, ...closed } = shape;
  const added: Property = {
    name: pick(random, ["a", "new"]),
    shape: { kind: "string" },
    optional: random(2) === 0,
  };
  const names = shape.properties.map(({ name }) => name);
  return pick<Shape>(random, [
    closed,
    { ...closed, others: others ? change(random, others) : { kind: "number" } },
    { ...shape, properties: shape.properties.slice(1) },
    names.includes(added.name) ? closed : { ...shape, properties: [...shape.properties, added] },
  ]);
}

/** @returns a value that fits, as far as can be said here. */
export function makeValue(random: Random, shape: Shape, definitions: Definitions, depth: number): unknown {
  const inner = (one: Shape): unknown => makeValue(random, one, definitions, depth - 1);
  switch (shape.kind) {
    case "reference":
      return depth < -4 ? null : inner(definitions[shape.name] ?? { kind: "never" });
    case "union":
      return inner(
        depth < 0
          ? (shape.of.find(({ kind }) => kind === "null") ?? pick(random, shape.of))
          : pick(random, shape.of),
      );
    case "literal":
      return pick(random, shape.values);
    case "string":
      return random(2) === 0 ? "x".repeat((shape.minLength ?? 0) + random(3)) : randomText(random);
    case "number":
      return random(2) === 0 ? (shape.min ?? 0) + random(4) : randomNumber(random);
    case "boolean":
      return random(2) === 0;
    case "null":
      return null;
    case "array":
      return Array.from(
        { length: depth < 0 ? (shape.minItems ?? 0) : (shape.minItems ?? 0) + random(3) },
        () => inner(shape.items),
      );
    case "tuple": {
      const { rest } = shape;
      const items = shape.items
        .slice(0, shape.required + random(shape.items.length - shape.required + 1))
        .map(inner);
      return rest && items.length === shape.items.length && random(2) === 0 ? [...items, inner(rest)] : items;
    }
    case "object": {
      const known = shape.properties.filter(({ optional }) => !optional || (depth >= 0 && random(2) === 0));
      const entries = known.map(({ name, shape: one }) => [name, inner(one)]);
      const others =
        shape.others && random(2) === 0 ? [[pick(random, ["a", "b", "new", "z"]), inner(shape.others)]] : [];
      return Object.fromEntries([...others, ...entries]);
    }
    default:
      return randomJson(random, 2);
  }
}
