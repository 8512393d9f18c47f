/** Converts the texts of queries, headers, cookies and forms to what a shape wants. A text of another form stays a text, and is refused. */

import { type Definitions, isFile, itemOf, type Member, membersOf, resolve, type Shape } from "./shape.ts";
import type { Take } from "./take.ts";
import type { Raw, TextPlace, Wire } from "./taker.ts";

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
    const declared = new Map<string, { readonly of: Shape[]; optional: boolean }>();
    for (const property of objects.flatMap(({ properties }) => properties)) {
      const known = declared.get(property.name);
      known?.of.push(property.shape);
      if (known) known.optional ||= property.optional;
      else declared.set(property.name, { of: [property.shape], optional: property.optional });
    }
    const keys = new Set<string>();
    const values = [...declared].map(([name, { of, optional: isOptional }]) => {
      const key = this.#place === "header" ? toHeaderName(name) : name;
      keys.add(key);
      const raw = wire.raw(this.#place, key);
      return [name, this.value(raw, unite(of), isOptional || of.length < objects.length)] as const;
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
    return optional && all.every(([, value]) => value === undefined) ? undefined : Object.fromEntries(all);
  }

  /** @param optional the value may be absent. */
  value(raw: Raw, shape: Shape, optional: boolean): unknown {
    if (raw === undefined || isEmptyFile(raw)) return undefined;
    const members = membersOf(shape, this.#definitions);
    const list = members.find((member) => member.kind === "array" || member.kind === "tuple");
    if (Array.isArray(raw)) {
      const given = raw.filter((one) => !isEmptyFile(one));
      if (given.length === 0) return undefined;
      return list === undefined ? given : this.#items(given, list);
    }
    if (typeof raw !== "string") return list === undefined ? raw : [raw];
    return this.#text(raw, members, list, optional);
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

  #text(text: string, members: readonly Member[], list: Member | undefined, optional: boolean): unknown {
    const literals = members.flatMap((member) => (member.kind === "literal" ? member.values : []));
    const has = (kind: Member["kind"]): boolean => members.some((member) => member.kind === kind);
    if (literals.includes(text) || has("string") || has("unknown") || has("schema")) return text;
    // A browser sends a field that was left empty.
    if (text === "" && this.#place === "form" && optional) return undefined;
    const isWhole = members.flatMap((member) => (member.kind === "number" ? [member.integer === true] : []));
    for (const literal of literals) if (typeof literal === "number") isWhole.push(Number.isInteger(literal));
    if (isWhole.length > 0 && (isWhole.includes(false) ? NUMBER : WHOLE).test(text)) return Number(text);
    const isBoolean = text === "true" || text === "false";
    if (isBoolean && (has("boolean") || literals.includes(text === "true"))) return text === "true";
    return list === undefined || has("date") ? text : this.#items([text], list);
  }
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
