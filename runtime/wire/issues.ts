/** Explains why values are invalid: after the generated checks have failed, walks the shapes to collect the issues. */

import { escapeKey, unescapeKey } from "../escape.ts";
import { HttpError } from "../message/errors.ts";
import type { ValidationIssue as Issue, IssueCode } from "../message/issue.ts";
import { isObject, MAX_DEPTH, tooDeep } from "../message/json.ts";
import {
  askSchema,
  isHarmless,
  isLonger,
  isMultiple,
  isShorter,
  isUnique,
  refuseEntry,
  toDate,
} from "./checks.ts";
import { FORMATS } from "./formats.ts";
import type { FunctionInputs, SchemaIssue } from "./inputs.ts";
import type { RequestReader } from "./request-reader.ts";
import {
  type ArrayShape,
  candidatesOf,
  type Definitions,
  type Format,
  isRecord,
  itemOf,
  literalsOf,
  type Member,
  membersOf,
  type NumberShape,
  type ObjectShape,
  ownValue,
  type Shape,
  type StringShape,
  sizesOf,
  type TupleShape,
  tagOf,
  tagsOf,
} from "./shape.ts";
import { isTextPlace, toHeaderName } from "./texts.ts";

/** The maximum number of issues in an answer. */
const MAX_ISSUES = 20;

/** The total length of pointers after the first, in UTF-16 units: a long key of the client's is repeated in each pointer below it. */
const MAX_POINTERS = 10_000;

/**
 * @returns at most 20 issues, sorted by pointer.
 * @throws {HttpError} 400 for JSON that can poison prototypes, or is nested too deeply.
 */
export async function findIssues(
  functions: readonly FunctionInputs[],
  definitions: Definitions,
  reader: RequestReader,
): Promise<Issue[]> {
  const issues: Issue[] = [];
  for (const { in: place, key, shape, optional, schema, ...take } of functions.flatMap(
    ({ takes }) => takes,
  )) {
    if (place !== "body" && !isTextPlace(place)) continue;
    const value = take.value?.(reader);
    if (value === undefined && optional) continue;
    const pointer = key === undefined ? "" : `/${escapeKey(key)}`;
    const validation = new Validation(definitions, place);
    if (schema === undefined) validation.visit(shape, value, pointer, 0);
    else validation.addAll((await askSchema(schema, value)).issues ?? [], pointer);
    issues.push(...validation.issues);
  }
  // Two functions may declare the same input.
  const distinct = new Map(issues.map((issue) => [JSON.stringify(issue), issue]));
  return withinLimits([...distinct.values()].sort(comparePointers));
}

/** Like {@link findIssues}, for a value that does not come from a request. */
export function findIssuesOf(value: unknown, shape: Shape, definitions: Definitions): Issue[] {
  const validation = new Validation(definitions, "body");
  validation.visit(shape, value, "", 0);
  return validation.issues.sort(comparePointers);
}

function withinLimits(issues: readonly Issue[]): Issue[] {
  let left = MAX_POINTERS;
  return issues.slice(0, MAX_ISSUES).filter(({ pointer }, index) => {
    if (index > 0) left -= pointer.length;
    return left >= 0;
  });
}

/** Item 10 comes after item 2. */
function comparePointers(first: Issue, second: Issue): number {
  const [left, right] = [first.pointer.split("/"), second.pointer.split("/")];
  const at = left.findIndex((step, index) => step !== right[index]);
  const [a, b] = [left[at], right[at]];
  if (a === undefined || b === undefined) return left.length - right.length;
  const difference = /^\d+$/.test(a) && /^\d+$/.test(b) ? Number(a) - Number(b) : 0;
  return difference || (a < b ? -1 : 1);
}

/** Collects the issues of a value. It recurses at most `MAX_DEPTH` levels, with three calls per level. */
class Validation {
  readonly issues: Issue[] = [];
  readonly #definitions: Definitions;
  readonly #place: Issue["in"];

  constructor(definitions: Definitions, place: Issue["in"]) {
    this.#definitions = definitions;
    this.#place = place;
  }

  /** @returns the value as a handler would receive it; an invalid one unchanged. */
  visit(shape: Shape, value: unknown, pointer: string, depth: number): unknown {
    if (this.#isFull) return value;
    if (value === undefined) {
      this.#add(pointer, "required", "is missing");
      return value;
    }
    const members = membersOf(shape, this.#definitions);
    const [only] = members;
    const candidates = candidatesOf(shape, value, this.#definitions);
    if (candidates.length === 0) this.#refuse(members, value, pointer);
    else if (only !== undefined && members.length === 1)
      return this.#visitMember(only, value, pointer, depth);
    const from = this.issues.length;
    const misfits: [Member, readonly Issue[]][] = [];
    for (const member of candidates) {
      const converted = this.#visitMember(member, value, pointer, depth);
      if (this.issues.length === from) return converted;
      misfits.push([member, this.issues.splice(from)]);
    }
    this.#addNearest(members, misfits, pointer);
    return value;
  }

  /** Adds the issues of the union member with the fewest issues. Issues of the value itself list all members as choices. */
  #addNearest(members: readonly Member[], misfits: [Member, readonly Issue[]][], pointer: string): void {
    const demands = new Map(
      misfits.map(([member, issues]) => {
        const own = issues.filter((issue) => issue.pointer === pointer);
        return [member, own.map(({ message }) => message).join(" and ")];
      }),
    );
    const [nearest] = misfits.sort(([, a], [, b]) => a.length - b.length);
    for (const issue of nearest?.[1] ?? []) {
      const isOwn = nearest !== undefined && issue.pointer === pointer;
      const message = isOwn
        ? describeChoices(members, demands.set(nearest[0], issue.message))
        : issue.message;
      this.issues.push({ ...issue, message });
    }
  }

  /** Adds an issue for a value that matches no member by its type or tag. */
  #refuse(members: readonly Member[], value: unknown, pointer: string): void {
    const objects = members.filter((member) => member.kind === "object");
    const tag = tagOf(objects, this.#definitions);
    if (tag !== undefined && isRecord(value)) {
      const tags = objects.flatMap((object) => tagsOf(object, tag, this.#definitions));
      const inner = `${pointer}/${escapeKey(tag)}`;
      if (ownValue(value, tag) === undefined) this.#add(inner, "required", "is missing");
      else this.#add(inner, "one_of", listWords(tags.map(String)));
    } else if (this.#place !== "body" && Array.isArray(value)) {
      this.#add(pointer, "repeated", "is given more than once");
    } else {
      const isListed = members.length > 0 && members.every((member) => literalsOf(member).length > 0);
      this.#add(pointer, isListed ? "one_of" : "type", describeChoices(members));
    }
  }

  /** @param value a value whose type matches the member. */
  #visitMember(member: Member, value: unknown, pointer: string, depth: number): unknown {
    if (member.kind === "number" && typeof value === "number") this.#visitNumber(member, value, pointer);
    else if (member.kind === "string" && typeof value === "string") this.#visitString(member, value, pointer);
    else if (member.kind === "literal" && !member.values.some((literal) => literal === value))
      this.#add(pointer, "one_of", describe(member));
    else if (member.kind === "date") return this.#visitDate(value, pointer);
    else if (member.kind === "unknown") isHarmless(value);
    else if (isObject(value) && depth === MAX_DEPTH) throw tooDeep();
    else if (member.kind === "object" && isObject(value))
      return this.#visitProperties(member, value, pointer, depth);
    else if ((member.kind === "array" || member.kind === "tuple") && Array.isArray(value))
      return this.#visitItems(member, value, pointer, depth);
    return value;
  }

  #visitDate(value: unknown, pointer: string): unknown {
    const date = toDate(value);
    const isFit = (text: string): boolean => toDate(text) !== undefined;
    if (date === undefined)
      this.#add(pointer, "format", FORMAT_WORDS["date-time"] + this.#adviseOnPlus(value, isFit));
    return date ?? value;
  }

  #visitNumber(shape: NumberShape, value: number, pointer: string): void {
    const { integer, min, max, exclusiveMin, exclusiveMax, multipleOf = [] } = shape;
    const add = (code: IssueCode, message: string): void => this.#add(pointer, code, message);
    if (integer ? !Number.isSafeInteger(value) : !Number.isFinite(value)) {
      add("type", describe(shape));
      return;
    }
    if (min !== undefined && value < min) add("min", `at least ${min}`);
    if (max !== undefined && value > max) add("max", `at most ${max}`);
    if (exclusiveMin !== undefined && value <= exclusiveMin)
      add("exclusive_min", `more than ${exclusiveMin}`);
    if (exclusiveMax !== undefined && value >= exclusiveMax)
      add("exclusive_max", `less than ${exclusiveMax}`);
    for (const of of multipleOf) if (!isMultiple(value, of)) add("multiple_of", `a multiple of ${of}`);
  }

  #visitString(shape: StringShape, text: string, pointer: string): void {
    const { minLength, maxLength, patterns = [], formats = [] } = shape;
    const add = (code: IssueCode, message: string): void => this.#add(pointer, code, message);
    if (minLength !== undefined && isShorter(text, minLength))
      add("min_length", `at least ${count(minLength, "character")}`);
    // Stop here: a pattern may be fast only for texts within the limit.
    if (maxLength !== undefined && isLonger(text, maxLength)) {
      add("max_length", `at most ${count(maxLength, "character")}`);
      return;
    }
    const check = (code: IssueCode, message: string, isFit: (text: string) => boolean): void => {
      if (!isFit(text)) add(code, message + this.#adviseOnPlus(text, isFit));
    };
    for (const { source, template } of patterns)
      check("pattern", template ? `a text like ${template}` : `a text that matches ${source}`, (string) =>
        new RegExp(source, "u").test(string),
      );
    for (const format of formats) check("format", FORMAT_WORDS[format], FORMATS[format]);
  }

  /** In a query, an unencoded `+` is read as a space. */
  #adviseOnPlus(value: unknown, isFit: (text: string) => boolean): string {
    const wasPlus =
      this.#place === "query" &&
      typeof value === "string" &&
      value.includes(" ") &&
      isFit(value.replaceAll(" ", "+"));
    return wasPlus ? " (in a query, + is written %2B)" : "";
  }

  #visitItems(
    shape: ArrayShape | TupleShape,
    items: readonly unknown[],
    pointer: string,
    depth: number,
  ): readonly unknown[] {
    const [least, most] = sizesOf(shape);
    if (items.length < least) this.#add(pointer, "min_items", `at least ${count(least, "item")}`);
    if (items.length > most) this.#add(pointer, "max_items", `at most ${count(most, "item")}`);
    const converted: unknown[] = [];
    for (let index = 0; index < items.length && !this.#isFull; index++) {
      const itemShape = itemOf(shape, index);
      const item = items[index];
      converted.push(itemShape ? this.visit(itemShape, item, `${pointer}/${index}`, depth + 1) : item);
    }
    if (shape.uniqueItems && !isUnique(converted)) this.#add(pointer, "unique_items", "no two equal items");
    return converted;
  }

  #visitProperties(
    { properties, others }: ObjectShape,
    value: object,
    pointer: string,
    depth: number,
  ): object {
    const converted: [string, unknown][] = [];
    for (const { name, shape, optional } of properties) {
      const member = ownValue(value, name);
      if (member === undefined && optional) continue;
      const key = this.#place === "header" ? toHeaderName(name) : name;
      converted.push([name, this.visit(shape, member, `${pointer}/${escapeKey(key)}`, depth + 1)]);
    }
    const names = new Set(properties.map(({ name }) => name));
    for (const [key, member] of others ? Object.entries(value) : []) {
      if (others === undefined || names.has(key)) continue;
      refuseEntry(key, member);
      converted.push([key, this.visit(others, member, `${pointer}/${escapeKey(key)}`, depth + 1)]);
    }
    return Object.fromEntries(converted);
  }

  /** Adds the issues of a Standard Schema. */
  addAll(issues: readonly SchemaIssue[], pointer: string): void {
    for (const { message, path = [] } of issues) {
      const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
      this.#add(pointer + keys.map((key) => `/${escapeKey(key)}`).join(""), "schema", message);
    }
  }

  get #isFull(): boolean {
    return this.issues.length === MAX_ISSUES;
  }

  #add(pointer: string, code: IssueCode, message: string): void {
    if (!this.#isFull) this.issues.push({ in: this.#place, pointer, code, message });
  }
}

/** @returns a 422 with all issues, and a summary of the first as its message. */
export function toRefusal(issues: readonly Issue[]): HttpError {
  return new HttpError(422, { error: summarize(issues), issues });
}

/** @example summarize(issues) // "lines[0].qty: at least 1, and 2 more issues" */
function summarize([first, ...more]: readonly Issue[]): string {
  // A schema of the project may accept the value when it is called again.
  if (first === undefined) return "The request does not fit what the handler takes.";
  // A full list may have been cut.
  const number = more.length + 1 === MAX_ISSUES ? `at least ${more.length}` : more.length;
  const rest = more.length === 0 ? "" : `, and ${number} more ${more.length === 1 ? "issue" : "issues"}`;
  return `${formatPlace(first)}: ${first.message}${rest}`;
}

/**
 * Formats a JSON pointer (RFC 6901) as a property path.
 *
 * @example formatPlace({ in: "body", pointer: "/lines/0/qty" }) // "lines[0].qty"
 */
export function formatPlace({ in: place, pointer }: Pick<Issue, "in" | "pointer">): string {
  const [, ...keys] = pointer.split("/").map(unescapeKey);
  const steps = keys.map((key) => {
    if (/^[0-9]+$/.test(key)) return `[${key}]`;
    return /^[\w$-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  });
  return steps.join("").replace(/^\./, "") || place;
}

/** The maximum number of choices in a message. */
const MAX_LISTED = 20;

const FORMAT_WORDS: Readonly<Record<Format, string>> = {
  date: "a date such as 2026-11-22",
  "date-time": "a date-time such as 2026-11-22T10:30:00Z",
  duration: "a duration such as P3DT12H",
  email: "an email address",
  hostname: "a host name",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  time: "a time such as 10:30:00Z",
  uri: "a URI such as https://example.com/",
  uuid: "a UUID",
};

/** @example count(3, "item") // "3 items" */
function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

/** @example listWords(["admin", "guest"]) // "one of admin, guest" */
export function listWords(words: readonly string[]): string {
  if (words.length === 1) return `exactly ${words[0]}`;
  const more = words.length > MAX_LISTED ? ", …" : "";
  return `one of ${words.slice(0, MAX_LISTED).join(", ")}${more}`;
}

/**
 * @param members the members of a union; none of them is a union or a reference.
 * @param demands more precise texts for members whose description would not explain the refusal.
 * @example describeChoices([int, all]) // "a whole number, or all"
 */
function describeChoices(members: readonly Shape[], demands?: ReadonlyMap<Shape, string>): string {
  const listed = listWords(members.flatMap(literalsOf).map(String));
  const words = members.flatMap((member) => {
    if (member.kind === "never") return [];
    if (member.kind === "literal" || member.kind === "null") return [listed];
    return [demands?.get(member) || describe(member)];
  });
  const [first = "nothing", ...more] = new Set(words);
  if (more.length === 0) return first;
  const choices = [first, ...more].map((choice) =>
    choice === listed ? choice.replace(/^exactly /, "") : choice,
  );
  return `${choices.slice(0, -1).join(", ")}, or ${choices.at(-1)}`;
}

/** @returns the expected type in words. @param shape a shape that is not a union. */
function describe(shape: Shape): string {
  if (shape.kind === "number") return shape.integer ? "a whole number" : "a number";
  return shape.kind === "literal" ? listWords(shape.values.map(String)) : (WORDS[shape.kind] ?? "an object");
}

const WORDS: { readonly [kind in Shape["kind"]]?: string } = {
  string: "a string",
  boolean: "true or false",
  null: "null",
  date: FORMAT_WORDS["date-time"],
  array: "an array",
  tuple: "an array",
  file: "a file",
};
