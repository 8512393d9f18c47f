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

export type Condition =
  | { readonly is: string; readonly not: string }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] };

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

/** @param shape is plain. @param value an expression without side effects. */
export function conditionOf(shape: Shape, value: string, definitions: Definitions, needs: Needs): Condition {
  const any = membersOf(shape, definitions).map((member): Condition => {
    switch (member.kind) {
      case "number":
        return numberCondition(member, value, needs);
      case "string":
        return stringCondition(member, value, needs);
      case "literal":
        return literalCondition(member, value, needs);
      case "boolean":
        return { is: `typeof ${value} === "boolean"`, not: `typeof ${value} !== "boolean"` };
      case "null":
        return compare(value, "===", "null");
      case "unknown":
        return call(`${needs.use("isHarmless")}(${value})`);
      case "file":
        return call(`${needs.use("isFile")}(${value})`);
      default:
        return { is: "false", not: "true" };
    }
  });
  return any.length === 1 && any[0] ? any[0] : { any };
}

function numberCondition(shape: NumberShape, value: string, needs: Needs): Condition {
  const { min, max, exclusiveMin, exclusiveMax, multipleOf = [] } = shape;
  return {
    all: [
      call(`Number.${shape.integer ? "isSafeInteger" : "isFinite"}(${value})`),
      ...(min === undefined ? [] : [compare(value, ">=", String(min))]),
      ...(max === undefined ? [] : [compare(value, "<=", String(max))]),
      ...(exclusiveMin === undefined ? [] : [compare(value, ">", String(exclusiveMin))]),
      ...(exclusiveMax === undefined ? [] : [compare(value, "<", String(exclusiveMax))]),
      ...multipleOf.map((of) => call(`${needs.use("isMultiple")}(${value}, ${of})`)),
    ],
  };
}

function stringCondition(shape: StringShape, value: string, needs: Needs): Condition {
  const { minLength = 0, maxLength, patterns = [], formats = [] } = shape;
  return {
    all: [
      { is: `typeof ${value} === "string"`, not: `typeof ${value} !== "string"` },
      ...(minLength === 1 ? [compare(value, "!==", '""')] : []),
      ...(minLength > 1 ? [opposite(call(`${needs.use("isShorter")}(${value}, ${minLength})`))] : []),
      ...(maxLength === undefined
        ? []
        : [opposite(call(`${needs.use("isLonger")}(${value}, ${maxLength})`))]),
      ...patterns.map(({ source }) => call(`${needs.hoist("pattern", toRegExp(source))}.test(${value})`)),
      ...formats.map((format) => call(`${needs.use("formats")}[${JSON.stringify(format)}](${value})`)),
    ],
  };
}

/** The engine escapes what a literal can't have: slashes and ends of lines. */
function toRegExp(source: string): string {
  return String(new RegExp(source, "u"));
}

function literalCondition({ values }: LiteralShape, value: string, needs: Needs): Condition {
  const literals = values.map((one) => JSON.stringify(one));
  if (literals.length > MAX_COMPARED)
    return call(`${needs.hoist("values", `new Set([${literals.join(", ")}])`)}.has(${value})`);
  return { any: literals.map((literal) => compare(value, "===", literal)) };
}

const OPPOSITES = { "===": "!==", "!==": "===", ">=": "<", "<=": ">", ">": "<=", "<": ">=" } as const;

/** @param operator one that compares numbers needs a value that is known to be one. */
function compare(left: string, operator: keyof typeof OPPOSITES, right: string): Condition {
  return { is: `${left} ${operator} ${right}`, not: `${left} ${OPPOSITES[operator]} ${right}` };
}

function call(is: string): { is: string; not: string } {
  return { is, not: `!${is}` };
}

function opposite({ is, not }: { is: string; not: string }): Condition {
  return { is: not, not: is };
}

/** @returns an expression that is true where the condition is met. */
export function formatMet(condition: Condition): string {
  if ("is" in condition) return condition.is;
  return "all" in condition
    ? join(condition.all, formatMet, " && ", "true")
    : join(condition.any, formatMet, " || ", "false");
}

/** @returns an expression that is true where the condition is not met. */
export function formatUnmet(condition: Condition): string {
  if ("not" in condition) return condition.not;
  return "all" in condition
    ? join(condition.all, formatUnmet, " || ", "false")
    : join(condition.any, formatUnmet, " && ", "true");
}

function join(
  conditions: readonly Condition[],
  format: (condition: Condition) => string,
  operator: string,
  none: string,
): string {
  const [only, ...more] = conditions;
  if (only === undefined) return none;
  if (more.length === 0) return format(only);
  return conditions
    .map((condition) => {
      const text = format(condition);
      const other = operator === " && " ? " || " : " && ";
      return text.includes(other) ? `(${text})` : text;
    })
    .join(operator);
}
