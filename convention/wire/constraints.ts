/** Reads the constraint types of the framework, as in `string & MinLength<1>`, and applies them to a type. */

import { findIssuesOf } from "#runtime/wire/issues";
import type { Format, LiteralShape, NumberShape, StringShape } from "#runtime/wire/shape";

import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { reportLostEscape, reportPattern } from "./pattern/report.ts";
import {
  type Constraint,
  type ItemLimits,
  isNullish,
  type Kind,
  labelOf,
  look,
  nameKind,
  type Refused,
  refuse,
  type TupleType,
  type Type,
  type TypePlace,
} from "./type.ts";

type Subject = "text" | "a number" | "an array";

type Limits = Partial<Omit<NumberShape, "kind"> & Omit<StringShape, "kind"> & ItemLimits>;

/** The required type argument. */
type Wanted = "a whole number" | "a number" | "a positive number" | "a regular expression" | "none";

type ConstraintKind = readonly [on: Subject, takes: Wanted, limits: (argument: never) => Limits];

const CONSTRAINTS: ReadonlyMap<string, ConstraintKind> = new Map<string, ConstraintKind>([
  ["MinLength", ["text", "a whole number", (minLength: number) => ({ minLength })]],
  ["MaxLength", ["text", "a whole number", (maxLength: number) => ({ maxLength })]],
  ["MinItems", ["an array", "a whole number", (minItems: number) => ({ minItems })]],
  ["MaxItems", ["an array", "a whole number", (maxItems: number) => ({ maxItems })]],
  ["UniqueItems", ["an array", "none", () => ({ uniqueItems: true })]],
  ["Min", ["a number", "a number", (min: number) => ({ min })]],
  ["Max", ["a number", "a number", (max: number) => ({ max })]],
  ["ExclusiveMin", ["a number", "a number", (exclusiveMin: number) => ({ exclusiveMin })]],
  ["ExclusiveMax", ["a number", "a number", (exclusiveMax: number) => ({ exclusiveMax })]],
  ["MultipleOf", ["a number", "a positive number", (factor: number) => ({ multipleOf: [factor] })]],
  ["Pattern", ["text", "a regular expression", (source: string) => ({ patterns: [{ source }] })]],
  ["Email", formatKind("email")],
  ["Uuid", formatKind("uuid")],
  ["Uri", formatKind("uri")],
  ["DateOnly", formatKind("date")],
  ["TimeOnly", formatKind("time")],
  ["DateTime", formatKind("date-time")],
  ["Duration", formatKind("duration")],
  ["Hostname", formatKind("hostname")],
  ["Ipv4", formatKind("ipv4")],
  ["Ipv6", formatKind("ipv6")],
]);

function formatKind(format: Format): ConstraintKind {
  return ["text", "none", () => ({ formats: [format] })];
}

export const CONSTRAINT_NAMES: readonly string[] = [...CONSTRAINTS.keys()];

function kindOf(name: string): ConstraintKind {
  const kind = CONSTRAINTS.get(name);
  if (kind === undefined) throw new Error(`There is no constraint ${name}.`);
  return kind;
}

function exampleOf(name: string): string {
  const [on, takes] = kindOf(name);
  const type = { text: "string", "a number": "number", "an array": "string[]" }[on];
  const argument = takes === "none" ? "" : takes === "a regular expression" ? '<"^[a-z]+$">' : "<3>";
  return `${type} & ${name}${argument}`;
}

export function readConstraint(name: string, [argument]: readonly Type[], place: TypePlace): Kind {
  const [, takes] = kindOf(name);
  const value = takes === "none" || (argument && onlyValue(look(argument)));
  if (value !== undefined && isTaken(takes, value))
    return { kind: "constraints", constraints: [{ name, argument: value, place }] };
  const at = argument?.at ?? place;
  const wanted = `${takes} as a literal`;
  return refuse("FW340", { name, wanted, found: `\`${at.text}\``, example: exampleOf(name) }, at);
}

/** The value of a single literal. */
function onlyValue(type: Kind): string | number | undefined {
  const [value, second] = type.kind === "literal" ? type.values : [];
  return typeof value === "boolean" || second !== undefined ? undefined : value;
}

function isTaken(takes: Wanted, value: Constraint["argument"]): boolean {
  if (takes === "none") return true;
  if (takes === "a regular expression") return typeof value === "string";
  if (typeof value !== "number" || !Number.isFinite(value)) return false;
  if (takes === "a whole number") return Number.isSafeInteger(value) && value >= 0;
  return takes === "a number" || value > 0;
}

/** Applies constraints to a type. Patterns come last, because their check depends on the maximum length. */
export function constrainAll(type: Kind, constraints: readonly Constraint[]): Kind {
  const isPattern = ({ name }: Constraint): boolean => name === "Pattern";
  const ordered = [...constraints.filter((one) => !isPattern(one)), ...constraints.filter(isPattern)];
  const constrained = ordered.reduce(
    (before, constraint) =>
      before.kind === "refused" || before.kind === "never" ? before : constrain(before, constraint),
    type,
  );
  const [first] = constraints;
  return first && constrained.kind === "union" ? refuseNullish(constrained.of, first) : constrained;
}

/** Refuses a constrained union with `null` or `undefined`: to TypeScript a constraint is `{}`, so the intersection drops both. */
function refuseNullish(of: readonly Type[], first: Constraint): Kind {
  const nullish = of.find(isNullish);
  if (nullish === undefined) return { kind: "union", of };
  // For `undefined` the advice is an optional property, `name?: …`.
  const kept = nullish.kind === "undefined" ? of.filter(({ kind }) => kind !== "undefined") : of;
  const example = kept
    .map(({ at: { text } }) => (kept.length > 1 ? parenthesize(text, " & ") : text))
    .join(" | ");
  return misplaced(first, `a union with \`${nullish.kind}\``, example);
}

function parenthesize(label: string, operator: string): string {
  return label.includes(operator) ? `(${label})` : label;
}

/** Applies a constraint to a type; in a union to the members of the right kind. */
function constrain(type: Kind, constraint: Constraint): Kind {
  const [on] = kindOf(constraint.name);
  if (type.kind !== "union")
    return subjectOf(type) === on ? limit(type, constraint) : misplaced(constraint, nameKind(type));
  const isMeant = (member: Type): boolean => subjectOf(look(member)) === on;
  if (!type.of.some(isMeant)) return misplaced(constraint, "a union without it");
  const of = type.of.map((member): Type => {
    if (!isMeant(member)) return member;
    const text = `${parenthesize(labelOf(member), " | ")} & ${constraint.place.text}`;
    return {
      ...limit(look(member), constraint),
      at: { text, location: member.at.location, label: () => text },
    };
  });
  return { kind: "union", of };
}

export function misplaced(
  { name, place }: Constraint,
  found: string,
  example: string = exampleOf(name),
): Refused {
  const [on] = kindOf(name);
  return refuse("FW330", { constraint: place.text, wanted: on, found, example }, place);
}

function subjectOf(type: Kind): Subject | undefined {
  switch (type.kind) {
    case "string":
      return "text";
    case "number":
      return "a number";
    case "array":
    case "tuple":
      return "an array";
    case "literal":
      if (type.values.every((value) => typeof value === "string")) return "text";
      return type.values.every((value) => typeof value === "number") ? "a number" : undefined;
    default:
      return undefined;
  }
}

function limit(type: Kind, constraint: Constraint): Kind {
  const [, , limits] = kindOf(constraint.name);
  const badPattern = refusePattern(type, constraint);
  if (badPattern) return { kind: "refused", diagnostic: badPattern };
  const added = limits(constraint.argument as never); // readConstraint checked its type
  if (type.kind === "literal") return limitLiteral(type, added, constraint);
  return addLimits(constraint.place, type as Limited, added);
}

/** Checks a pattern for backtracking on strings up to the maximum length. */
function refusePattern(type: Kind, { name, argument, place }: Constraint): Diagnostic | undefined {
  if (name !== "Pattern" || typeof argument !== "string") return undefined;
  const lost = reportLostEscape(place.text, place.location);
  return lost ?? reportPattern(argument, type.kind === "string" ? type.maxLength : undefined, place.location);
}

function limitLiteral(literal: LiteralShape, added: Limits, constraint: Constraint): Kind {
  if (added.formats) return misplaced(constraint, "a literal");
  const values = literal.values.filter((value) => satisfies(value, added));
  if (values.length > 0) return { kind: "literal", values };
  return { kind: "never", clash: { why: "none of the literals does", place: constraint.place } };
}

function satisfies(value: string | number | boolean, limits: Limits): boolean {
  const shape = { kind: typeof value, ...limits } as NumberShape | StringShape; // limits of the value's kind
  return findIssuesOf(value, shape, {}).length === 0;
}

type Limited = Extract<Kind, { readonly kind: "string" | "number" | "array" | "tuple" }>;

/** Merges limits: the stricter one of each holds, and all patterns and formats. */
export function addLimits(place: TypePlace, type: Limited, added: Limits): Kind {
  const merged: Record<string, unknown> = { ...type };
  for (const [key, value] of Object.entries(added)) {
    const before = merged[key];
    merged[key] = before === undefined ? value : stricter(key, before, value);
  }
  const limited = merged as unknown as Limited; // constrain checked that the limits fit the kind
  const why = explainEmpty(limited);
  return why === undefined ? limited : { kind: "never", clash: { why, place } };
}

function stricter(key: string, one: unknown, other: unknown): unknown {
  if (typeof one === "number" && typeof other === "number")
    return /^(?:min|exclusiveMin)/.test(key) ? Math.max(one, other) : Math.min(one, other);
  if (!Array.isArray(one) || !Array.isArray(other)) return other;
  const known = new Set(one.map((item) => JSON.stringify(item)));
  return [...one, ...other.filter((item) => !known.has(JSON.stringify(item)))];
}

function explainEmpty(limited: Limited): string | undefined {
  const clash = "its minimum is above its maximum";
  switch (limited.kind) {
    case "string":
      return isAbove(limited.minLength, limited.maxLength) ? clash : undefined;
    case "number":
      return isEmptyRange(limited) ? clash : undefined;
    case "array":
      return isAbove(limited.minItems, limited.maxItems) ? clash : undefined;
    case "tuple":
      return isAbove(limited.minItems, limited.maxItems) || isTooLong(limited) ? clash : undefined;
  }
}

function isEmptyRange({ min, max, exclusiveMin, exclusiveMax }: NumberShape): boolean {
  const isReached = (low: number | undefined, high: number | undefined): boolean =>
    low !== undefined && high !== undefined && low >= high;
  return (
    isAbove(min, max) ||
    isReached(exclusiveMin, max) ||
    isReached(min, exclusiveMax) ||
    isReached(exclusiveMin, exclusiveMax)
  );
}

function isAbove(low: number | undefined, high: number | undefined): boolean {
  return low !== undefined && high !== undefined && low > high;
}

function isTooLong({ items, rest, minItems, maxItems }: TupleType): boolean {
  const required = items.filter(({ optional }) => !optional).length;
  return isAbove(required, maxItems) || (rest === undefined && isAbove(minItems, items.length));
}

/** The literals that a constrained type includes. */
export function keepFitting(
  { values }: LiteralShape,
  other: NumberShape | StringShape,
): LiteralShape["values"] {
  return values.filter(
    (value) => typeof value === other.kind && !("formats" in other) && satisfies(value, other as Limits),
  );
}
