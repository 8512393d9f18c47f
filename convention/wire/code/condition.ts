/** Generates conditions: JavaScript expressions that are true if a value fits a scalar shape. */

import {
  type Definitions,
  type LiteralShape,
  membersOf,
  type NumberShape,
  type Shape,
  type StringShape,
} from "#runtime/wire/shape";
import type { Check } from "./names.ts";

/** Adds imports and constants to the top of the module. */
export interface Needs {
  /** Imports a check. @returns its name. */
  use(check: Check): Check;
  /** Declares a constant with the value of an expression. @returns its name. */
  hoist(stem: string, expression: string): string;
}

/** The longest list of literals to compare with `===`; longer ones become a `Set`. */
const MAX_COMPARED = 8;

/** True if a valid value is passed on unchanged: no keys are dropped, and nothing is converted. */
export function isPlain(shape: Shape, definitions: Definitions): boolean {
  return membersOf(shape, definitions).every(({ kind }) => {
    return kind !== "object" && kind !== "array" && kind !== "tuple" && kind !== "date" && kind !== "schema";
  });
}

/** @param shape a plain shape. @param value an expression without side effects. */
export function conditionOf(shape: Shape, value: string, definitions: Definitions, needs: Needs): string {
  const conditions = membersOf(shape, definitions).map((member) => {
    switch (member.kind) {
      case "number":
        return numberCondition(member, value, needs);
      case "string":
        return stringCondition(member, value, needs);
      case "literal":
        return literalCondition(member, value, needs);
      case "boolean":
        return `typeof ${value} === "boolean"`;
      case "null":
        return `${value} === null`;
      case "unknown":
        return `${needs.use("isHarmless")}(${value})`;
      case "file":
        return `${needs.use("isFile")}(${value})`;
      default:
        return "false";
    }
  });
  return anyOf(conditions);
}

function numberCondition(shape: NumberShape, value: string, needs: Needs): string {
  const { min, max, exclusiveMin, exclusiveMax, multipleOf = [] } = shape;
  return [
    `Number.${shape.integer ? "isSafeInteger" : "isFinite"}(${value})`,
    ...(min === undefined ? [] : [`${value} >= ${min}`]),
    ...(max === undefined ? [] : [`${value} <= ${max}`]),
    ...(exclusiveMin === undefined ? [] : [`${value} > ${exclusiveMin}`]),
    ...(exclusiveMax === undefined ? [] : [`${value} < ${exclusiveMax}`]),
    ...multipleOf.map((of) => `${needs.use("isMultiple")}(${value}, ${of})`),
  ].join(" && ");
}

function stringCondition(shape: StringShape, value: string, needs: Needs): string {
  const { minLength = 0, maxLength, patterns = [], formats = [] } = shape;
  return [
    `typeof ${value} === "string"`,
    ...(minLength === 1 ? [`${value} !== ""`] : []),
    ...(minLength > 1 ? [`!${needs.use("isShorter")}(${value}, ${minLength})`] : []),
    ...(maxLength === undefined ? [] : [`!${needs.use("isLonger")}(${value}, ${maxLength})`]),
    ...patterns.map(({ source }) => `${needs.hoist("pattern", toRegExp(source))}.test(${value})`),
    ...formats.map((format) => `${needs.use("formats")}[${JSON.stringify(format)}](${value})`),
  ].join(" && ");
}

/** Formats a regular expression literal. The engine escapes slashes and line ends. */
function toRegExp(source: string): string {
  return String(new RegExp(source, "u"));
}

function literalCondition({ values }: LiteralShape, value: string, needs: Needs): string {
  const literals = values.map((one) => JSON.stringify(one));
  if (literals.length > MAX_COMPARED)
    return `${needs.hoist("values", `new Set([${literals.join(", ")}])`)}.has(${value})`;
  return anyOf(literals.map((literal) => `${value} === ${literal}`));
}

function anyOf(conditions: readonly string[]): string {
  const [only = "false", ...more] = conditions;
  if (more.length === 0) return only;
  return conditions.map((one) => (one.includes(" && ") ? `(${one})` : one)).join(" || ");
}

/** Negates a condition. */
export function not(condition: string): string {
  if (/ (?:&&|\|\|) /.test(condition)) return `!(${condition})`;
  return condition.includes(" === ") ? condition.replace(" === ", " !== ") : `!${condition}`;
}
