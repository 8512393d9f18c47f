/** Turns the texts of queries, headers, cookies and forms into the values that a shape wants; what has another form stays text. */

import { type Definitions, isFile, type Member, membersOf, type Shape } from "./shape.ts";
import type { Take } from "./take.ts";
import type { Raw, TextPlace, Wire } from "./taker.ts";

/** What a value may become, as data. */
export interface Wanted {
  /** Texts that stay texts: all of them, or some. */
  readonly texts?: true | readonly string[];
  readonly number?: "whole" | "any";
  readonly boolean?: true;
  /** It may be a list of these, the last for all that follow; a single value is a list of one, if nothing else is wanted. */
  readonly items?: readonly Wanted[];
  /** The list is one text, with commas between the items. */
  readonly commas?: true;
  /** An empty field of a form is an absent value. */
  readonly emptyIsAbsent?: true;
}

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

export function convert(raw: Raw, wanted: Wanted): unknown {
  if (Array.isArray(raw)) return convertAllOf(raw, wanted);
  if (typeof raw === "string") return convertText(raw, wanted);
  if (isFile(raw)) return isEmptyFile(raw) ? undefined : wanted.items ? [raw] : raw;
  return undefined;
}

function convertAllOf(raw: readonly (string | File)[], { items, commas }: Wanted): unknown {
  const given = raw.filter((one) => !isEmptyFile(one));
  if (given.length === 0) return undefined;
  if (items === undefined) return given;
  return convertItems(commas ? splitAtCommas(given.join()) : given, items);
}

function convertItems(given: readonly (string | File)[], items: readonly Wanted[]): unknown[] {
  return given.map((one, index) => convert(one, items[index] ?? items.at(-1) ?? {}));
}

/** RFC 9110 section 5.6.1: an item may be empty, and then it does not count. */
function splitAtCommas(text: string): readonly string[] {
  return text.split(",").flatMap((part) => part.trim() || []);
}

function convertText(text: string, wanted: Wanted): unknown {
  const { texts, number, boolean, items, commas } = wanted;
  if (text === "" && wanted.emptyIsAbsent) return undefined;
  if (texts === true || texts?.includes(text)) return text;
  const value = number === "whole" ? toInteger(text) : number === "any" ? toNumber(text) : text;
  if (value !== text) return value;
  if (boolean && (text === "true" || text === "false")) return text === "true";
  if (items === undefined) return text;
  return convertItems(commas ? splitAtCommas(text) : [text], items);
}

/** What a browser sends for a file input in which nothing was chosen. */
function isEmptyFile(value: string | File): boolean {
  return isFile(value) && value.size === 0 && value.name === "";
}

/** @param optional whether the value may be absent. */
export function wantedOf(
  shape: Shape,
  definitions: Definitions,
  place: TextPlace,
  optional: boolean,
): Wanted {
  const members = membersOf(shape, definitions);
  const literals = members.flatMap((member) => (member.kind === "literal" ? member.values : []));
  const has = (...kinds: readonly Shape["kind"][]): boolean =>
    members.some(({ kind }) => kinds.includes(kind));
  const hasText = has("string", "unknown", "schema");
  const number = numberOf(members, literals);
  const hasBoolean = has("boolean") || literals.some((value) => typeof value === "boolean");
  const items = itemsOf(members);
  return {
    texts: hasText || (has("date") && !number && !hasBoolean) || literals.filter(isText),
    ...(number && { number }),
    ...(hasBoolean && { boolean: true }),
    ...(items && { items: items.map((item) => wantedOf(item, definitions, place, false)) }),
    ...(items && place === "header" && { commas: true }),
    ...(place === "form" && optional && !hasText && !literals.includes("") && { emptyIsAbsent: true }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function numberOf(members: readonly Member[], literals: readonly unknown[]): Wanted["number"] {
  const isWhole = [
    ...members.flatMap((member) => (member.kind === "number" ? [member.integer === true] : [])),
    ...literals.flatMap((value) => (typeof value === "number" ? [Number.isInteger(value)] : [])),
  ];
  if (isWhole.length === 0) return undefined;
  return isWhole.includes(false) ? "any" : "whole";
}

/** @returns the shapes for the items in their order, and then for all that follow; undefined if there is no list. */
function itemsOf(members: readonly Member[]): readonly Shape[] | undefined {
  const [list, ...more] = members.flatMap((member) => {
    if (member.kind === "array") return [[member.items]];
    return member.kind === "tuple" ? [[...member.items, ...(member.rest ? [member.rest] : [])]] : [];
  });
  return more.length === 0 ? list : [{ kind: "union", of: [list ?? [], ...more].flat() }];
}

/** What a take without a key wants: of each name that its shape declares, and of all others. */
export interface WantedKeys {
  readonly keys: readonly WantedKey[];
  readonly others?: Wanted;
}

export interface WantedKey {
  readonly name: string;
  /** What the request calls it. */
  readonly key: string;
  readonly wanted: Wanted;
}

/** @param shape an object, or a union of objects, which are taken together. */
export function wantedKeysOf(shape: Shape, definitions: Definitions, place: TextPlace): WantedKeys {
  const members = membersOf(shape, definitions);
  const objects = members.filter((member) => member.kind === "object");
  const names = new Set(objects.flatMap(({ properties }) => properties.map(({ name }) => name)));
  const keys = [...names].map((name): WantedKey => {
    const named = objects.flatMap(({ properties }) => properties.filter((one) => one.name === name));
    const optional = named.length < objects.length || named.some((property) => property.optional);
    const of = named.map((property) => property.shape);
    const wanted = wantedOf({ kind: "union", of }, definitions, place, optional);
    return { name, key: place === "header" ? toHeaderName(name) : name, wanted };
  });
  const of = members.flatMap((member): Shape[] => {
    if (member.kind === "unknown" || member.kind === "schema") return [member];
    return member.kind === "object" && member.others ? [member.others] : [];
  });
  if (of.length === 0) return { keys };
  return { keys, others: wantedOf({ kind: "union", of }, definitions, place, true) };
}

/** The values of all names that a take wants; of the rest too, where its shape takes any. */
export function convertKeys(wire: Wire, place: TextPlace, { keys, others }: WantedKeys): object {
  const declared = keys.map(
    ({ name, key, wanted }) => [name, convert(wire.raw(place, key), wanted)] as const,
  );
  if (others === undefined) return Object.fromEntries(declared);
  const names = new Set(keys.map(({ key }) => key));
  const rest = Object.entries(wire.all(place)).flatMap(([name, raw]) => {
    const value = names.has(name) ? undefined : convert(raw, others);
    return value === undefined ? [] : [[name, value] as const];
  });
  // A key `__proto__` becomes a property here, not a prototype.
  return Object.fromEntries([...rest, ...declared]);
}

/** @returns undefined where the request has none of an optional take's names. */
export function orAbsent(values: object): object | undefined {
  return Object.values(values).every((value) => value === undefined) ? undefined : values;
}

export function isTextPlace(place: Take["in"]): place is TextPlace {
  return place === "query" || place === "header" || place === "cookie" || place === "form";
}

/** The header that a parameter or a property takes. @example toHeaderName("if_none_match") // "if-none-match" */
export function toHeaderName(name: string): string {
  return name.replaceAll("_", "-").toLowerCase();
}
