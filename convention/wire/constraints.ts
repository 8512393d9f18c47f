/** The constraint types of the framework, as in `string & MinLength<1>`: what each takes, and what it makes of a type. */

import type { Format, LiteralShape, NumberShape, StringShape } from "#runtime/wire/shape";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import {
  type Constraint,
  type ItemLimits,
  type Outline,
  type Part,
  type Refused,
  refused,
  type TupleOutline,
  type TypePlace,
  toPart,
} from "./outline.ts";
import { reportLostEscape, reportPattern } from "./pattern/report.ts";
import { isNullish } from "./unions.ts";

type Subject = "text" | "a number" | "an array";

type Limits = Partial<Omit<NumberShape, "kind"> & Omit<StringShape, "kind"> & ItemLimits>;

interface ConstraintKind {
  readonly on: Subject;
  /** What its argument must be; undefined for a constraint without one. */
  readonly takes?: "a whole number" | "a number" | "a positive number" | "a regular expression";
  readonly example: string;
  readonly limits: (argument: never) => Limits;
}

const format = (name: Format, type: string): ConstraintKind => ({
  on: "text",
  example: `string & ${type}`,
  limits: () => ({ formats: [name] }),
});

const count = (on: Subject, type: string, limits: (count: number) => Limits): ConstraintKind => ({
  on,
  takes: "a whole number",
  example: `${on === "text" ? "string" : "string[]"} & ${type}<3>`,
  limits,
});

const bound = (type: string, limits: (bound: number) => Limits): ConstraintKind => ({
  on: "a number",
  takes: "a number",
  example: `number & ${type}<3>`,
  limits,
});

const CONSTRAINTS: ReadonlyMap<string, ConstraintKind> = new Map<string, ConstraintKind>([
  ["MinLength", count("text", "MinLength", (minLength) => ({ minLength }))],
  ["MaxLength", count("text", "MaxLength", (maxLength) => ({ maxLength }))],
  ["MinItems", count("an array", "MinItems", (minItems) => ({ minItems }))],
  ["MaxItems", count("an array", "MaxItems", (maxItems) => ({ maxItems }))],
  [
    "UniqueItems",
    { on: "an array", example: "string[] & UniqueItems", limits: () => ({ uniqueItems: true }) },
  ],
  ["Min", bound("Min", (min) => ({ min }))],
  ["Max", bound("Max", (max) => ({ max }))],
  ["ExclusiveMin", bound("ExclusiveMin", (exclusiveMin) => ({ exclusiveMin }))],
  ["ExclusiveMax", bound("ExclusiveMax", (exclusiveMax) => ({ exclusiveMax }))],
  [
    "MultipleOf",
    {
      on: "a number",
      takes: "a positive number",
      example: "number & MultipleOf<3>",
      limits: (factor: number) => ({ multipleOf: [factor] }),
    },
  ],
  [
    "Pattern",
    {
      on: "text",
      takes: "a regular expression",
      example: 'string & Pattern<"^[a-z]+$">',
      limits: (source: string) => ({ patterns: [{ source }] }),
    },
  ],
  ["Email", format("email", "Email")],
  ["Uuid", format("uuid", "Uuid")],
  ["Uri", format("uri", "Uri")],
  ["DateOnly", format("date", "DateOnly")],
  ["TimeOnly", format("time", "TimeOnly")],
  ["DateTime", format("date-time", "DateTime")],
  ["Duration", format("duration", "Duration")],
  ["Hostname", format("hostname", "Hostname")],
  ["Ipv4", format("ipv4", "Ipv4")],
  ["Ipv6", format("ipv6", "Ipv6")],
]);

export const CONSTRAINT_NAMES: readonly string[] = [...CONSTRAINTS.keys()];

function kindOf(name: string): ConstraintKind {
  const kind = CONSTRAINTS.get(name);
  if (kind === undefined) throw new Error(`There is no constraint ${name}.`);
  return kind;
}

/** @param given the type arguments of the constraint. */
export function readConstraint(name: string, given: readonly Part[], place: TypePlace): Outline {
  const { takes, example } = kindOf(name);
  const [argument] = given;
  if (takes === undefined) return { kind: "constraints", constraints: [{ name, argument: true, place }] };
  const value = argument && onlyValue(argument.outline());
  if (value !== undefined && isTaken(takes, value))
    return { kind: "constraints", constraints: [{ name, argument: value, place }] };
  const found = argument?.text ?? place.text;
  return refused(
    diagnose(
      "FW340",
      { name, wanted: `${takes} as a literal`, found: `\`${found}\``, example },
      (argument ?? place).location,
    ),
  );
}

/** The value of a type that has just one. */
function onlyValue(outline: Outline): string | number | undefined {
  const [value, second] = outline.kind === "literal" ? outline.values : [];
  return typeof value === "boolean" || second !== undefined ? undefined : value;
}

function isTaken(takes: NonNullable<ConstraintKind["takes"]>, value: string | number): boolean {
  if (takes === "a regular expression") return typeof value === "string";
  if (typeof value !== "number" || !Number.isFinite(value)) return false;
  if (takes === "a whole number") return Number.isSafeInteger(value) && value >= 0;
  return takes === "a number" || value > 0;
}

/** What a type is under several constraints. Patterns are last, because they are looked at with the greatest length. */
export function constrainAll(outline: Outline, constraints: readonly Constraint[]): Outline {
  const isPattern = ({ name }: Constraint): boolean => name === "Pattern";
  const ordered = [...constraints.filter((one) => !isPattern(one)), ...constraints.filter(isPattern)];
  const constrained = ordered.reduce(
    (before, constraint) =>
      before.kind === "refused" || before.kind === "never" ? before : constrain(before, constraint),
    outline,
  );
  const [first] = constraints;
  return first && constrained.kind === "union" ? refuseNullish(constrained.of, first) : constrained;
}

/** To TypeScript a constraint is `{}`, so a union loses its `null` and `undefined` beside it: the two must not be at odds. */
function refuseNullish(of: readonly Part[], first: Constraint): Outline {
  const nullish = of.find(isNullish);
  if (nullish === undefined) return { kind: "union", of };
  const isUndefined = nullish.outline().kind === "undefined";
  // An optional property, `name?: …`, says it without the word.
  const kept = isUndefined ? of.filter((part) => part.outline().kind !== "undefined") : of;
  const example = kept
    .map((part) => (kept.length > 1 ? parenthesize(part.label(), " & ") : part.label()))
    .join(" | ");
  return misplaced(first, `a union with \`${nullish.outline().kind}\``, example);
}

function parenthesize(label: string, operator: string): string {
  return label.includes(operator) ? `(${label})` : label;
}

/** What a type is under a constraint; of a union, the members that the constraint is about. */
function constrain(outline: Outline, constraint: Constraint): Outline {
  const { on } = kindOf(constraint.name);
  if (outline.kind !== "union") {
    return subjectOf(outline) === on ? limit(outline, constraint) : misplaced(constraint, nameKind(outline));
  }
  const isMeant = (part: Part): boolean => subjectOf(part.outline()) === on;
  if (!outline.of.some(isMeant)) return misplaced(constraint, "a union without it");
  const of = outline.of.map((part) =>
    isMeant(part)
      ? toPart(
          part,
          `${parenthesize(part.label(), " | ")} & ${constraint.place.text}`,
          limit(part.outline(), constraint),
        )
      : part,
  );
  return { kind: "union", of };
}

export function misplaced(
  { name, place }: Constraint,
  found: string,
  example: string = kindOf(name).example,
): Refused {
  const { on } = kindOf(name);
  return refused(diagnose("FW330", { constraint: place.text, wanted: on, found, example }, place.location));
}

function subjectOf(outline: Outline): Subject | undefined {
  switch (outline.kind) {
    case "string":
      return "text";
    case "number":
      return "a number";
    case "array":
    case "tuple":
      return "an array";
    case "literal":
      if (outline.values.every((value) => typeof value === "string")) return "text";
      return outline.values.every((value) => typeof value === "number") ? "a number" : undefined;
    default:
      return undefined;
  }
}

const KIND_NAMES: Readonly<Partial<Record<Outline["kind"], string>>> = {
  string: "text",
  number: "a number",
  array: "an array",
  tuple: "an array",
  date: "a Date",
  file: "a File",
  unknown: "no type beside it",
  constraints: "no type beside it",
  object: "an object",
  literal: "a literal",
};

function nameKind({ kind }: Outline): string {
  return KIND_NAMES[kind] ?? `\`${kind}\``;
}

function limit(outline: Outline, constraint: Constraint): Outline {
  const { limits } = kindOf(constraint.name);
  const bad = refusePattern(outline, constraint);
  if (bad) return refused(bad);
  const added = limits(constraint.argument as never); // as its kind takes it: readConstraint has made sure
  if (outline.kind === "literal") return limitLiteral(outline, added, constraint);
  return addLimits(constraint.place, outline as Limited, added);
}

/** A shorter text may keep a pattern busy, so the greatest length counts. */
function refusePattern(outline: Outline, { name, argument, place }: Constraint): Diagnostic | undefined {
  if (name !== "Pattern" || typeof argument !== "string") return undefined;
  const lost = reportLostEscape(place.text, place.location);
  return (
    lost ?? reportPattern(argument, outline.kind === "string" ? outline.maxLength : undefined, place.location)
  );
}

function limitLiteral(literal: LiteralShape, added: Limits, constraint: Constraint): Outline {
  if (added.formats) return misplaced(constraint, "a literal");
  const values = literal.values.filter((value) => satisfies(value, added));
  if (values.length > 0) return { kind: "literal", values };
  return { kind: "never", clash: { why: "none of the literals does", place: constraint.place } };
}

function satisfies(value: string | number | boolean, limits: Limits): boolean {
  if (typeof value === "string") {
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, patterns = [] } = limits;
    const length = [...value].length;
    return (
      length >= minLength &&
      length <= maxLength &&
      patterns.every(({ source }) => new RegExp(source, "u").test(value))
    );
  }
  const number = Number(value);
  const { min = number, max = number, exclusiveMin, exclusiveMax, multipleOf = [], integer } = limits;
  return (
    number >= min &&
    number <= max &&
    !(exclusiveMin !== undefined && number <= exclusiveMin) &&
    !(exclusiveMax !== undefined && number >= exclusiveMax) &&
    multipleOf.every((factor) => number % factor === 0) &&
    !(integer === true && !Number.isSafeInteger(number))
  );
}

type Limited = Extract<Outline, { readonly kind: "string" | "number" | "array" | "tuple" }>;

/** Adds limits to those that a type has: all of them hold. */
export function addLimits(place: TypePlace, outline: Limited, added: Limits): Outline {
  const merged: Record<string, unknown> = { ...outline };
  for (const [key, value] of Object.entries(added)) {
    const before = merged[key];
    merged[key] = before === undefined ? value : stricter(key, before, value);
  }
  const limited = merged as unknown as Limited; // the keys are those of its kind: constrain has made sure
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

function isTooLong({ items, rest, minItems, maxItems }: TupleOutline): boolean {
  const required = items.filter(({ optional }) => !optional).length;
  return isAbove(required, maxItems) || (rest === undefined && isAbove(minItems, items.length));
}

/** The literals among these that fit a type with limits. */
export function keepFitting(
  { values }: LiteralShape,
  other: NumberShape | StringShape,
): LiteralShape["values"] {
  return values.filter(
    (value) => typeof value === other.kind && !("formats" in other) && satisfies(value, other as Limits),
  );
}
