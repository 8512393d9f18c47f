/** Finds all that does not fit, after the code of a wire module has refused a request: it walks the shapes as data, over the same values. */

import { isObject, MAX_DEPTH, tooDeep } from "../message/json.ts";
import { isHarmless, isLonger, isMultiple, isShorter, isUnique, refuseEntry, toDate } from "./checks.ts";
import { CHECKS } from "./formats.ts";
import { jsonTypeOf, type Member, membersOf, resolve, tagOf, tagsOf, typesOf } from "./json-types.ts";
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
import type { Issue, IssueCode, SchemaIssue, Taker, Wire } from "./taker.ts";
import { convert, convertKeys, isTextPlace, orAbsent, wantedKeysOf, wantedOf } from "./texts.ts";
import { count, DATE_TIME_WORDS, describe, describeFormat, listWords } from "./words.ts";

const MAX_ISSUES = 20;

/**
 * @param body as it was given to {@link Taker.read}.
 * @returns at most 20, sorted by pointer.
 * @throws {HttpError} 400 for JSON that can poison prototypes, or is nested too deeply.
 */
export async function explain(taker: Taker, wire: Wire, body: unknown): Promise<Issue[]> {
  const issues: Issue[] = [];
  for (const [index, take] of taker.takes.entries()) {
    if (take.in !== "body" && !isTextPlace(take.in)) continue;
    const value = toValue(take, taker.definitions, wire, body);
    if (value === undefined && take.optional) continue;
    const pointer = take.key === undefined ? "" : `/${escapeKey(take.key)}`;
    const schema = taker.schemas?.[index];
    const walk = new Walk(taker.definitions, take.in);
    const found = schema
      ? walk.repeat((await askSchema(schema, value)).issues ?? [], pointer)
      : walk.visit(take.shape, value, pointer, 0);
    for (const issue of found) {
      issues.push(issue);
      if (issues.length === MAX_ISSUES) return issues.sort(comparePointers);
    }
  }
  return issues.sort(comparePointers);
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

/** RFC 6901 section 3 */
function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

type Issues = Generator<Issue, void>;

/** Gives one issue after the other, so that who has enough of them stops it. */
class Walk {
  readonly #definitions: Definitions;
  readonly #place: Issue["in"];

  constructor(definitions: Definitions, place: Issue["in"]) {
    this.#definitions = definitions;
    this.#place = place;
  }

  *visit(shape: Shape, value: unknown, pointer: string, depth: number): Issues {
    const members = membersOf(shape, this.#definitions);
    const candidates = value === undefined ? [] : this.#choose(shape, members, value);
    const [first, ...more] = candidates;
    if (value === undefined) yield this.#issue(pointer, "required", "is missing");
    else if (first === undefined) yield this.#mismatch(shape, members, value, pointer);
    else if (more.length === 0) yield* this.#visitMember(first, value, pointer, depth);
    else {
      const found = candidates.map((member) => [...this.#visitMember(member, value, pointer, depth)]);
      // The nearest: what fits it takes the fewest changes.
      yield* found.reduce((least, issues) => (issues.length < least.length ? issues : least));
    }
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
  #mismatch(shape: Shape, members: readonly Member[], value: unknown, pointer: string): Issue {
    const objects = members.filter((member) => member.kind === "object");
    const tag = objects.length > 1 ? tagOf(shape, objects, this.#definitions) : undefined;
    if (tag !== undefined && jsonTypeOf(value) === "object") {
      const tags = objects.flatMap((object) => tagsOf(object, tag, this.#definitions));
      const inner = `${pointer}/${escapeKey(tag)}`;
      return own(value, tag) === undefined
        ? this.#issue(inner, "required", "is missing")
        : this.#issue(inner, "one_of", listWords(tags.map(String)));
    }
    if (this.#place !== "body" && Array.isArray(value))
      return this.#issue(pointer, "repeated", "is given more than once");
    const literals = members.flatMap((member): readonly unknown[] => {
      if (member.kind === "null") return [null];
      return member.kind === "literal" ? member.values : [undefined];
    });
    if (literals.length === 0 || literals.includes(undefined))
      return this.#issue(pointer, "type", describe(members));
    return this.#issue(pointer, "one_of", listWords(literals.map(String)));
  }

  /** @param value has one of the types of the member. */
  *#visitMember(member: Member, value: unknown, pointer: string, depth: number): Issues {
    if (member.kind === "number" && typeof value === "number")
      yield* this.#visitNumber(member, value, pointer);
    else if (member.kind === "string" && typeof value === "string")
      yield* this.#visitString(member, value, pointer);
    else if (member.kind === "literal" && !member.values.some((one) => one === value))
      yield this.#issue(pointer, "one_of", listWords(member.values.map(String)));
    else if (member.kind === "date" && toDate(value) === undefined)
      yield this.#issue(pointer, "format", DATE_TIME_WORDS);
    else if (member.kind === "unknown") isHarmless(value);
    else if (isObject(value)) yield* this.#visitInside(member, value, pointer, depth);
  }

  *#visitInside(member: Member, value: object, pointer: string, depth: number): Issues {
    if (depth === MAX_DEPTH) throw tooDeep();
    if (member.kind === "object") yield* this.#visitProperties(member, value, pointer, depth);
    else if ((member.kind === "array" || member.kind === "tuple") && Array.isArray(value))
      yield* this.#visitItems(member, value, pointer, depth);
  }

  *#visitNumber(shape: NumberShape, value: number, pointer: string): Issues {
    const { integer, min, max, exclusiveMin, exclusiveMax, multipleOf = [] } = shape;
    if (integer ? !Number.isSafeInteger(value) : !Number.isFinite(value)) {
      yield this.#issue(pointer, "type", describe([shape]));
      return;
    }
    if (min !== undefined && value < min) yield this.#issue(pointer, "min", `at least ${min}`);
    if (max !== undefined && value > max) yield this.#issue(pointer, "max", `at most ${max}`);
    if (exclusiveMin !== undefined && value <= exclusiveMin)
      yield this.#issue(pointer, "exclusive_min", `more than ${exclusiveMin}`);
    if (exclusiveMax !== undefined && value >= exclusiveMax)
      yield this.#issue(pointer, "exclusive_max", `less than ${exclusiveMax}`);
    for (const of of multipleOf)
      if (!isMultiple(value, of)) yield this.#issue(pointer, "multiple_of", `a multiple of ${of}`);
  }

  *#visitString(shape: StringShape, text: string, pointer: string): Issues {
    const { minLength, maxLength, patterns = [], formats = [] } = shape;
    if (minLength !== undefined && isShorter(text, minLength))
      yield this.#issue(pointer, "min_length", `at least ${count(minLength, "character")}`);
    if (maxLength !== undefined && isLonger(text, maxLength))
      yield this.#issue(pointer, "max_length", `at most ${count(maxLength, "character")}`);
    for (const { source, template } of patterns) {
      if (new RegExp(source, "u").test(text)) continue;
      const words = template ? `a text like ${template}` : `a text that matches ${source}`;
      yield this.#issue(pointer, "pattern", words);
    }
    for (const format of formats)
      if (!CHECKS[format](text)) yield this.#issue(pointer, "format", describeFormat(format));
  }

  *#visitItems(
    shape: ArrayShape | TupleShape,
    items: readonly unknown[],
    pointer: string,
    depth: number,
  ): Issues {
    const { minItems, maxItems } = sizesOf(shape);
    if (items.length < minItems)
      yield this.#issue(pointer, "min_items", `at least ${count(minItems, "item")}`);
    if (items.length > maxItems)
      yield this.#issue(pointer, "max_items", `at most ${count(maxItems, "item")}`);
    for (const [index, item] of items.entries()) {
      const inner = shape.kind === "array" ? shape.items : (shape.items[index] ?? shape.rest);
      if (inner !== undefined) yield* this.visit(inner, item, `${pointer}/${index}`, depth + 1);
    }
    if (shape.uniqueItems && !isUnique(items))
      yield this.#issue(pointer, "unique_items", "no two equal items");
  }

  *#visitProperties(shape: ObjectShape, value: object, pointer: string, depth: number): Issues {
    const { properties, others } = shape;
    for (const { name, shape: inner, optional } of properties) {
      const found = own(value, name);
      if (found === undefined && optional) continue;
      yield* this.visit(inner, found, `${pointer}/${escapeKey(name)}`, depth + 1);
    }
    const names = new Set(properties.map(({ name }) => name));
    for (const [key, inner] of others ? Object.entries(value) : []) {
      if (names.has(key) || others === undefined) continue;
      refuseEntry(key, inner);
      yield* this.visit(others, inner, `${pointer}/${escapeKey(key)}`, depth + 1);
    }
  }

  /** Says what a Standard Schema has said. */
  *repeat(issues: readonly SchemaIssue[], pointer: string): Issues {
    for (const { message, path = [] } of issues) {
      const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
      yield this.#issue(pointer + keys.map((key) => `/${escapeKey(key)}`).join(""), "schema", message);
    }
  }

  #issue(pointer: string, code: IssueCode, message: string): Issue {
    return { in: this.#place, pointer, code, message };
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
