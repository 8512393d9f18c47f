/** What a value has to meet, as a JavaScript expression and as its opposite. */

import {
  type Definitions,
  type LiteralShape,
  membersOf,
  type NumberShape,
  type Shape,
  type StringShape,
} from "#runtime/wire/shape";
import type { Check } from "./names.ts";

/** True where all expressions of one of the lists are. */
export type Condition = readonly (readonly string[])[];

/** What an expression needs at the top of the module. */
export interface Needs {
  /** @returns the name of a check, which is then imported. */
  use(check: Check): Check;
  /** @returns the name of a constant with the value of an expression. */
  hoist(stem: string, expression: string): string;
}

/** A longer list is looked up in a set. */
const MAX_COMPARED = 8;

/** @returns whether what fits the shape is given as it is: nothing in it is dropped, and nothing made of it. */
export function isPlain(shape: Shape, definitions: Definitions): boolean {
  return membersOf(shape, definitions).every(({ kind }) => {
    return kind !== "object" && kind !== "array" && kind !== "tuple" && kind !== "date" && kind !== "schema";
  });
}

/** @param shape is plain. @param value a name. */
export function conditionOf(shape: Shape, value: string, definitions: Definitions, needs: Needs): Condition {
  return membersOf(shape, definitions).flatMap((member): Condition => {
    switch (member.kind) {
      case "number":
        return [numberChecks(member, value, needs)];
      case "string":
        return [stringChecks(member, value, needs)];
      case "literal":
        return literalCondition(member, value, needs);
      case "boolean":
        return [[`typeof ${value} === "boolean"`]];
      case "null":
        return [[`${value} === null`]];
      case "unknown":
        return [[`${needs.use("isHarmless")}(${value})`]];
      case "file":
        return [[`${needs.use("isFile")}(${value})`]];
      default:
        return [];
    }
  });
}

function numberChecks(shape: NumberShape, value: string, needs: Needs): readonly string[] {
  const { min, max, exclusiveMin, exclusiveMax, multipleOf = [] } = shape;
  return [
    `Number.${shape.integer ? "isSafeInteger" : "isFinite"}(${value})`,
    ...(min === undefined ? [] : [`${value} >= ${min}`]),
    ...(max === undefined ? [] : [`${value} <= ${max}`]),
    ...(exclusiveMin === undefined ? [] : [`${value} > ${exclusiveMin}`]),
    ...(exclusiveMax === undefined ? [] : [`${value} < ${exclusiveMax}`]),
    ...multipleOf.map((of) => `${needs.use("isMultiple")}(${value}, ${of})`),
  ];
}

function stringChecks(shape: StringShape, value: string, needs: Needs): readonly string[] {
  const { minLength = 0, maxLength, patterns = [], formats = [] } = shape;
  return [
    `typeof ${value} === "string"`,
    ...(minLength === 1 ? [`${value} !== ""`] : []),
    ...(minLength > 1 ? [`!${needs.use("isShorter")}(${value}, ${minLength})`] : []),
    ...(maxLength === undefined ? [] : [`!${needs.use("isLonger")}(${value}, ${maxLength})`]),
    // The engine escapes what a literal can't have: slashes and ends of lines.
    ...patterns.map(
      ({ source }) => `${needs.hoist("pattern", String(new RegExp(source, "u")))}.test(${value})`,
    ),
    ...formats.map((format) => `${needs.use("formats")}[${JSON.stringify(format)}](${value})`),
  ];
}

function literalCondition({ values }: LiteralShape, value: string, needs: Needs): Condition {
  const literals = values.map((one) => JSON.stringify(one));
  if (literals.length > MAX_COMPARED)
    return [[`${needs.hoist("values", `new Set([${literals.join(", ")}])`)}.has(${value})`]];
  return literals.map((literal) => [`${value} === ${literal}`]);
}

const OPPOSITES: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  ">=": "<",
  "<=": ">",
  ">": "<=",
  "<": ">=",
};

/** What compares numbers comes after the check that the value is one: the opposite of `>=` is `<` only then. */
function negate(check: string): string {
  const [, left, operator = "", right] = /^((?:typeof )?[\w$]+) ([=!<>]+) (.*)$/s.exec(check) ?? [];
  if (left !== undefined) return `${left} ${OPPOSITES[operator]} ${right}`;
  return check.startsWith("!") ? check.slice(1) : `!${check}`;
}

/** @returns an expression that is true where the condition is met. */
export function formatMet(condition: Condition): string {
  return join(condition, " && ", " || ") || "false";
}

/** @returns an expression that is true where the condition is not met. */
export function formatUnmet(condition: Condition): string {
  const opposites = condition.map((checks) => checks.map(negate));
  return join(opposites, " || ", " && ") || "true";
}

function join(lists: Condition, inner: string, outer: string): string {
  const texts = lists.map((checks) => {
    const text = checks.join(inner);
    return checks.length > 1 && lists.length > 1 ? `(${text})` : text;
  });
  return texts.join(outer);
}
