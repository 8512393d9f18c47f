/** Converts the texts of queries, headers, cookies and forms to what a shape wants. A text of another form stays a text, and is refused. */

import {
  type Definitions,
  isFile,
  itemOf,
  type Member,
  membersOf,
  type Property,
  resolve,
  type Shape,
} from "./shape.ts";
import type { Raw, Take, TextPlace, Wire } from "./taker.ts";

const WHOLE = /^-?[0-9]+$/;
/** RFC 8259 section 6 */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

export function toInteger(raw: Raw): unknown {
  return typeof raw === "string" && WHOLE.test(raw) ? Number(raw) : raw;
}

export function toNumber(raw: Raw): unknown {
  return typeof raw === "string" && NUMBER.test(raw) ? Number(raw) : raw;
}

export function toBoolean(raw: Raw): unknown {
  return raw === "true" || (raw === "false" ? false : raw);
}

/** @returns a list of one for a value that was given once. */
export function toList(raw: Raw): readonly unknown[] | undefined {
  return raw === undefined || Array.isArray(raw) ? raw : [raw];
}

/** @returns undefined for an object without a value. */
export function orAbsent(values: object): object | undefined {
  return Object.values(values).every((value) => value === undefined) ? undefined : values;
}

/**
 * @param body the parsed JSON.
 * @returns what a request has for a parameter, unchecked; undefined where it has nothing.
 */
export function toValue(take: Take, wire: Wire, definitions: Definitions, body?: unknown): unknown {
  const { in: place, key, shape, optional } = take;
  if (!isTextPlace(place)) return body;
  const conversion = new Conversion(place, definitions);
  if (key === undefined) return conversion.object(membersOf(shape, definitions), wire, optional);
  const raw = wire.raw(place, key);
  return resolve(shape, definitions).kind === "schema" ? raw : conversion.value(raw, shape, optional);
}

class Conversion {
  readonly #place: TextPlace;
  readonly #definitions: Definitions;

  constructor(place: TextPlace, definitions: Definitions) {
    this.#place = place;
    this.#definitions = definitions;
  }

  /** The values of all names that the members declare, and of all others where a member takes any. */
  object(members: readonly Member[], wire: Wire, optional: boolean): object | undefined {
    const objects = members.filter((member) => member.kind === "object");
    const declared = new Map<string, Property[]>();
    for (const property of objects.flatMap(({ properties }) => properties))
      declared.set(property.name, [...(declared.get(property.name) ?? []), property]);
    const keys = new Set<string>();
    const values = [...declared].map(([name, found]) => {
      const key = this.#place === "header" ? toHeaderName(name) : name;
      keys.add(key);
      const shape = unite(found.map((property) => property.shape));
      const isOptional = found.length < objects.length || found.some((property) => property.optional);
      return [name, this.value(wire.raw(this.#place, key), shape, isOptional)] as const;
    });
    const others = members.flatMap((member): Shape[] => {
      if (member.kind === "unknown" || member.kind === "schema") return [member];
      return member.kind === "object" && member.others ? [member.others] : [];
    });
    const rest = (others.length > 0 ? Object.entries(wire.all(this.#place)) : [])
      .filter(([name]) => !keys.has(name))
      .map(([name, raw]) => [name, this.value(raw, unite(others), true)] as const)
      .filter(([, value]) => value !== undefined);
    const all = [...rest, ...values];
    // A key `__proto__` becomes a property here, not a prototype.
    const object = Object.fromEntries(all);
    return optional ? orAbsent(object) : object;
  }

  /** @param optional the value may be absent. */
  value(raw: Raw, shape: Shape, optional: boolean): unknown {
    if (raw === undefined || isEmptyFile(raw)) return undefined;
    const form = formOf(shape, this.#definitions);
    const { list } = form;
    if (Array.isArray(raw)) {
      const given = raw.filter((one) => !isEmptyFile(one));
      if (given.length === 0) return undefined;
      return list === undefined ? given : this.#items(given, list);
    }
    if (typeof raw !== "string") return list === undefined ? raw : [raw];
    return this.#text(raw, form, optional);
  }

  #items(given: readonly (string | File)[], list: Shape): readonly unknown[] {
    // RFC 9110 section 5.6.1: the items of a header's list are in one text, and one that is empty does not count.
    const split = (): string[] =>
      given
        .join()
        .split(",")
        .flatMap((part) => part.trim() || []);
    const items = this.#place === "header" ? split() : given;
    return items.map((item, index) => this.value(item, itemOf(list, index) ?? NEVER, false));
  }

  #text(text: string, form: TextForm, optional: boolean): unknown {
    const { list, isText, isDate, literals, number, isBoolean } = form;
    if (isText || literals.includes(text)) return text;
    // A browser sends a field that was left empty.
    if (text === "" && this.#place === "form" && optional) return undefined;
    if (number?.test(text)) return Number(text);
    if (isBoolean && (text === "true" || text === "false")) return text === "true";
    return list === undefined || isDate ? text : this.#items([text], list);
  }
}

/** What a text can become for a shape. */
interface TextForm {
  readonly list: Member | undefined;
  readonly isText: boolean;
  readonly isDate: boolean;
  readonly literals: readonly unknown[];
  readonly number: RegExp | undefined;
  readonly isBoolean: boolean;
}

/** By shape: to convert a list of two texts takes 2.3 µs without it, and 0.7 µs with it. */
const forms = new WeakMap<Shape, TextForm>();

function formOf(shape: Shape, definitions: Definitions): TextForm {
  const known = forms.get(shape);
  if (known !== undefined) return known;
  const members = membersOf(shape, definitions);
  const has = (...kinds: Member["kind"][]): boolean => members.some(({ kind }) => kinds.includes(kind));
  const literals = members.flatMap((member) => (member.kind === "literal" ? member.values : []));
  const isWhole = members.flatMap((member) => (member.kind === "number" ? [member.integer === true] : []));
  for (const literal of literals) if (typeof literal === "number") isWhole.push(Number.isInteger(literal));
  const number = isWhole.length === 0 ? undefined : isWhole.includes(false) ? NUMBER : WHOLE;
  const isBoolean = has("boolean") || literals.some((literal) => typeof literal === "boolean");
  const form: TextForm = {
    list: members.find((member) => member.kind === "array" || member.kind === "tuple"),
    isText: has("string", "unknown", "schema"),
    isDate: has("date"),
    literals,
    number,
    isBoolean,
  };
  forms.set(shape, form);
  return form;
}

const NEVER: Shape = { kind: "never" };

function unite(of: readonly Shape[]): Shape {
  const [only, ...more] = of;
  return only !== undefined && more.length === 0 ? only : { kind: "union", of };
}

/** What a browser sends for a file input in which nothing was chosen. */
function isEmptyFile(value: unknown): boolean {
  return isFile(value) && value.size === 0 && value.name === "";
}

export function isTextPlace(place: Take["in"]): place is TextPlace {
  return place === "query" || place === "header" || place === "cookie" || place === "form";
}

/** The header that a parameter or a property takes. @example toHeaderName("if_none_match") // "if-none-match" */
export function toHeaderName(name: string): string {
  return name.replaceAll("_", "-").toLowerCase();
}
