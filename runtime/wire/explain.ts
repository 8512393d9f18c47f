/** Finds all that does not fit, after the code of a wire module has refused a request: it walks the shapes as data, over the same values. */

import { escapeKey, isObject, MAX_DEPTH, tooDeep } from "../message/json.ts";
import { isHarmless, isLonger, isMultiple, isShorter, isUnique, refuseEntry, toDate } from "./checks.ts";
import { CHECKS } from "./formats.ts";
import { toHeaderName } from "./header-name.ts";
import { itemOf, jsonTypeOf, type Member, membersOf, resolve, tagOf, tagsOf, typesOf } from "./json-types.ts";
import { askSchema } from "./schema.ts";
import type {
  ArrayShape,
  Definitions,
  NumberShape,
  ObjectShape,
  Shape,
  StringShape,
  TupleShape,
} from "./shape.ts";
import type { Take } from "./take.ts";
import { type Issue, type IssueCode, MAX_ISSUES, type SchemaIssue, type Taker, type Wire } from "./taker.ts";
import { convert, convertKeys, isTextPlace, orAbsent, wantedKeysOf, wantedOf } from "./texts.ts";
import { count, DATE_TIME_WORDS, describe, describeFormat, listWords } from "./words.ts";

/** In UTF-16 units, of all issues after the first: a key that the client chose is in the pointer of each issue below it. */
const MAX_POINTERS = 10_000;

/** What was asked of a request: all takes of one function, or of several. */
export interface Asked extends Pick<Taker, "takes" | "definitions" | "schemas"> {}

/**
 * @param body as it was given to {@link Taker.read}.
 * @returns at most 20, sorted by pointer.
 * @throws {HttpError} 400 for JSON that can poison prototypes, or is nested too deeply.
 */
export async function explain(asked: Asked, wire: Wire, body: unknown): Promise<Issue[]> {
  const issues: Issue[] = [];
  for (const [index, take] of asked.takes.entries()) {
    if (take.in !== "body" && !isTextPlace(take.in)) continue;
    const value = toValue(take, asked.definitions, wire, body);
    if (value === undefined && take.optional) continue;
    const pointer = take.key === undefined ? "" : `/${escapeKey(take.key)}`;
    const walk = new Walk(asked.definitions, take.in);
    const schema = asked.schemas?.[index];
    if (schema === undefined) walk.start({ shape: take.shape, value, pointer, depth: 0 });
    else walk.repeat((await askSchema(schema, value)).issues ?? [], pointer);
    issues.push(...walk.issues);
  }
  // Two functions may take the same value.
  const distinct = new Map(issues.map((issue) => [JSON.stringify(issue), issue]));
  return withinLimits([...distinct.values()].sort(comparePointers));
}

/** @returns as {@link explain}, for a value that no request has sent. */
export function explainValue(shape: Shape, value: unknown, definitions: Definitions): Issue[] {
  const walk = new Walk(definitions, "body");
  walk.start({ shape, value, pointer: "", depth: 0 });
  return walk.issues.sort(comparePointers);
}

function withinLimits([first, ...more]: readonly Issue[]): Issue[] {
  if (first === undefined) return [];
  let left = MAX_POINTERS;
  const rest = more.slice(0, MAX_ISSUES - 1).filter(({ pointer }) => {
    left -= pointer.length;
    return left >= 0;
  });
  return [first, ...rest];
}

function toValue(take: Take, definitions: Definitions, wire: Wire, body: unknown): unknown {
  const { in: place, key, shape, optional } = take;
  if (!isTextPlace(place)) return body;
  if (key !== undefined) {
    const raw = wire.raw(place, key);
    return resolve(shape, definitions).kind === "schema"
      ? raw
      : convert(raw, wantedOf(shape, definitions, place, optional));
  }
  const values = convertKeys(wire, place, wantedKeysOf(shape, definitions, place));
  return optional ? orAbsent(values) : values;
}

/** By numbers where both have one: the tenth item is after the second. */
function comparePointers({ pointer: one }: Issue, { pointer: other }: Issue): number {
  const [ones, others] = [one.split("/"), other.split("/")];
  const at = ones.findIndex((word, index) => word !== others[index]);
  const [a, b] = [ones[at], others[at]];
  if (a === undefined || b === undefined) return ones.length - others.length;
  const difference = /^\d+$/.test(a) && /^\d+$/.test(b) ? Number(a) - Number(b) : 0;
  return difference || (a < b ? -1 : 1);
}

/** A value, and the shape that it should have. */
interface Visit {
  readonly shape: Shape;
  readonly value: unknown;
  readonly pointer: string;
  /** How many levels are above it. */
  readonly depth: number;
}

/** It keeps what is still to be visited in a list: a thousand levels would be too many for the stack. */
class Walk {
  readonly issues: Issue[] = [];
  readonly #definitions: Definitions;
  readonly #place: Issue["in"];
  /** The next one is the last. */
  readonly #pending: Visit[] = [];

  constructor(definitions: Definitions, place: Issue["in"]) {
    this.#definitions = definitions;
    this.#place = place;
  }

  start(first: Visit): void {
    for (let next: Visit | undefined = first; next; next = this.#pending.pop()) {
      this.#visit(next);
      if (this.issues.length === MAX_ISSUES) return;
    }
  }

  #visit(visit: Visit): void {
    if (visit.value === undefined) {
      this.#add(visit.pointer, "required", "is missing");
      return;
    }
    const members = membersOf(visit.shape, this.#definitions);
    const candidates = this.#choose(visit.shape, members, visit.value);
    const [first, ...more] = candidates;
    if (first === undefined) this.#refuse(visit, members);
    else if (more.length === 0) this.#visitMember(first, visit);
    else this.#visitNearest(candidates, visit);
  }

  /** In their order, as the code tries them. The nearest is what the value fits after the fewest changes. */
  #visitNearest(candidates: readonly Member[], visit: Visit): void {
    let nearest: readonly Issue[] | undefined;
    for (const shape of candidates) {
      const walk = new Walk(this.#definitions, this.#place);
      walk.start({ ...visit, shape });
      if (nearest === undefined || walk.issues.length < nearest.length) nearest = walk.issues;
      if (nearest.length === 0) return;
    }
    for (const { pointer, code, message } of nearest ?? []) this.#add(pointer, code, message);
  }

  /** @returns those of the shapes that the value may fit, judged by its type, and an object's by its tag. */
  #choose(shape: Shape, members: readonly Member[], value: unknown): readonly Member[] {
    const type = jsonTypeOf(value);
    const candidates = members.filter((member) =>
      type === undefined
        ? member.kind === "file" || member.kind === "unknown"
        : typesOf(member).includes(type),
    );
    const objects = candidates.filter((member) => member.kind === "object");
    if (objects.length < 2 || objects.length < candidates.length) return candidates;
    const tag = tagOf(shape, objects, this.#definitions);
    if (tag === undefined) return candidates;
    const given = own(value, tag);
    return objects.filter((object) => tagsOf(object, tag, this.#definitions).some((one) => one === given));
  }

  /** @param value has another type than all members, or another tag. */
  #refuse({ shape, value, pointer }: Visit, members: readonly Member[]): void {
    const objects = members.filter((member) => member.kind === "object");
    const tag = objects.length > 1 ? tagOf(shape, objects, this.#definitions) : undefined;
    if (tag !== undefined && jsonTypeOf(value) === "object") {
      const tags = objects.flatMap((object) => tagsOf(object, tag, this.#definitions));
      const inner = `${pointer}/${escapeKey(tag)}`;
      if (own(value, tag) === undefined) this.#add(inner, "required", "is missing");
      else this.#add(inner, "one_of", listWords(tags.map(String)));
      return;
    }
    const literals = members.flatMap((member): readonly unknown[] => {
      if (member.kind === "null") return [null];
      return member.kind === "literal" ? member.values : [undefined];
    });
    if (this.#place !== "body" && Array.isArray(value))
      this.#add(pointer, "repeated", "is given more than once");
    else if (literals.length === 0 || literals.includes(undefined))
      this.#add(pointer, "type", describe(members));
    else this.#add(pointer, "one_of", listWords(literals.map(String)));
  }

  /** @param visit.value has one of the types of the member. */
  #visitMember(member: Member, visit: Visit): void {
    const { value, pointer, depth } = visit;
    if (member.kind === "number" && typeof value === "number") this.#visitNumber(member, value, pointer);
    else if (member.kind === "string" && typeof value === "string") this.#visitString(member, value, pointer);
    else if (member.kind === "literal" && !member.values.some((one) => one === value))
      this.#add(pointer, "one_of", listWords(member.values.map(String)));
    else if (member.kind === "date" && toDate(value) === undefined)
      this.#add(pointer, "format", DATE_TIME_WORDS);
    else if (member.kind === "unknown") isHarmless(value);
    else if (isObject(value) && depth === MAX_DEPTH) throw tooDeep();
    else if (member.kind === "object" && isObject(value)) this.#visitProperties(member, value, visit);
    else if ((member.kind === "array" || member.kind === "tuple") && Array.isArray(value))
      this.#visitItems(member, value, visit);
  }

  #visitNumber(shape: NumberShape, value: number, pointer: string): void {
    const { integer, min, max, exclusiveMin, exclusiveMax, multipleOf = [] } = shape;
    if (integer ? !Number.isSafeInteger(value) : !Number.isFinite(value)) {
      this.#add(pointer, "type", describe([shape]));
      return;
    }
    if (min !== undefined && value < min) this.#add(pointer, "min", `at least ${min}`);
    if (max !== undefined && value > max) this.#add(pointer, "max", `at most ${max}`);
    if (exclusiveMin !== undefined && value <= exclusiveMin)
      this.#add(pointer, "exclusive_min", `more than ${exclusiveMin}`);
    if (exclusiveMax !== undefined && value >= exclusiveMax)
      this.#add(pointer, "exclusive_max", `less than ${exclusiveMax}`);
    for (const of of multipleOf)
      if (!isMultiple(value, of)) this.#add(pointer, "multiple_of", `a multiple of ${of}`);
  }

  #visitString(shape: StringShape, text: string, pointer: string): void {
    const { minLength, maxLength, patterns = [], formats = [] } = shape;
    if (minLength !== undefined && isShorter(text, minLength))
      this.#add(pointer, "min_length", `at least ${count(minLength, "character")}`);
    // A pattern that is fast only for short texts may never see a longer one.
    if (maxLength !== undefined && isLonger(text, maxLength)) {
      this.#add(pointer, "max_length", `at most ${count(maxLength, "character")}`);
      return;
    }
    for (const { source, template } of patterns) {
      if (new RegExp(source, "u").test(text)) continue;
      this.#add(pointer, "pattern", template ? `a text like ${template}` : `a text that matches ${source}`);
    }
    for (const format of formats)
      if (!CHECKS[format](text)) this.#add(pointer, "format", describeFormat(format));
  }

  #visitItems(shape: ArrayShape | TupleShape, items: readonly unknown[], { pointer, depth }: Visit): void {
    const { minItems, maxItems } = sizesOf(shape);
    if (items.length < minItems) this.#add(pointer, "min_items", `at least ${count(minItems, "item")}`);
    if (items.length > maxItems) this.#add(pointer, "max_items", `at most ${count(maxItems, "item")}`);
    if (shape.uniqueItems && !isUnique(this.#givenItems(shape, items, depth)))
      this.#add(pointer, "unique_items", "no two equal items");
    for (let index = items.length - 1; index >= 0; index--) {
      const inner = itemOf(shape, index);
      if (inner === undefined) continue;
      this.#pending.push({
        shape: inner,
        value: items[index],
        pointer: `${pointer}/${index}`,
        depth: depth + 1,
      });
    }
  }

  /** @returns what the handler would be given; what does not fit is as the client sent it. */
  #given(shape: Shape | undefined, value: unknown, depth: number): unknown {
    if (shape === undefined) return value;
    const candidates = this.#choose(shape, membersOf(shape, this.#definitions), value);
    const [member] = candidates;
    if (candidates.some(({ kind }) => kind === "date")) return toDate(value) ?? value;
    if (!isObject(value) || member === undefined) return value;
    if (depth === MAX_DEPTH) throw tooDeep();
    if ((member.kind === "array" || member.kind === "tuple") && Array.isArray(value))
      return this.#givenItems(member, value, depth);
    if (member.kind !== "object") return value;
    const { properties, others } = member;
    const shapes = new Map(properties.map(({ name, shape: declared }) => [name, declared]));
    const kept = Object.entries(value).filter(([key]) => others !== undefined || shapes.has(key));
    return Object.fromEntries(
      kept.map(([key, inner]) => [key, this.#given(shapes.get(key) ?? others, inner, depth + 1)]),
    );
  }

  #givenItems(shape: ArrayShape | TupleShape, items: readonly unknown[], depth: number): readonly unknown[] {
    return items.map((item, index) => this.#given(itemOf(shape, index), item, depth + 1));
  }

  #visitProperties({ properties, others }: ObjectShape, value: object, visit: Visit): void {
    const inside: Visit[] = [];
    const add = (name: string, shape: Shape, inner: unknown): void => {
      const pointer = `${visit.pointer}/${escapeKey(name)}`;
      inside.push({ shape, value: inner, pointer, depth: visit.depth + 1 });
    };
    for (const { name, shape, optional } of properties) {
      const inner = own(value, name);
      const called = this.#place === "header" ? toHeaderName(name) : name;
      if (inner !== undefined || !optional) add(called, shape, inner);
    }
    const names = new Set(properties.map(({ name }) => name));
    for (const [key, inner] of others ? Object.entries(value) : []) {
      if (others === undefined || names.has(key)) continue;
      refuseEntry(key, inner);
      add(key, others, inner);
    }
    for (const next of inside.reverse()) this.#pending.push(next);
  }

  /** Says what a Standard Schema has said. */
  repeat(issues: readonly SchemaIssue[], pointer: string): void {
    for (const { message, path = [] } of issues) {
      const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
      this.#add(pointer + keys.map((key) => `/${escapeKey(key)}`).join(""), "schema", message);
    }
  }

  #add(pointer: string, code: IssueCode, message: string): void {
    if (this.issues.length < MAX_ISSUES) this.issues.push({ in: this.#place, pointer, code, message });
  }
}

function own(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined;
}

function sizesOf(shape: ArrayShape | TupleShape): { minItems: number; maxItems: number } {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = shape;
  if (shape.kind === "array") return { minItems, maxItems };
  const most = shape.rest ? maxItems : Math.min(maxItems, shape.items.length);
  return { minItems: Math.max(minItems, shape.required), maxItems: most };
}
