/** Generates expressions that convert the strings of a query, headers, cookies or a form to the types of a shape. */

import type { DeclaredInput } from "#runtime/wire/inputs";
import { findIssuesOf } from "#runtime/wire/issues";
import type { TextPlace } from "#runtime/wire/request-reader";
import {
  type ArrayShape,
  type LiteralShape,
  type Member,
  membersOf,
  type ObjectShape,
  type Property,
  type Shape,
  type TupleShape,
} from "#runtime/wire/shape";
import { toChecked, toHeaderName, toInteger, toNumber } from "#runtime/wire/texts";
import { formatKey } from "./names.ts";
import type { WireText } from "./readers.ts";

/** @returns the expression for the unvalidated value of an input. A string that can't be converted stays a string. */
export function formatValue(
  { key, shape, optional }: DeclaredInput,
  place: TextPlace,
  text: WireText,
): string {
  const conversion = new Conversion(place, text);
  return key === undefined
    ? conversion.object(membersOf(shape, text.definitions), optional)
    : conversion.value(shape, conversion.raw(key), optional);
}

class Conversion {
  readonly #place: TextPlace;
  readonly #text: WireText;

  constructor(place: TextPlace, text: WireText) {
    this.#place = place;
    this.#text = text;
  }

  raw(key: string): string {
    return `reader.raw("${this.#place}", ${JSON.stringify(key)})`;
  }

  /** Writes an object with the declared keys of all members, and with all other keys if a member has an index signature. */
  object(members: readonly Member[], optional: boolean): string {
    const properties = joinProperties(members.filter((member) => member.kind === "object"));
    const keys = properties.map(({ name }) => (this.#place === "header" ? toHeaderName(name) : name));
    const entries = properties.map((property, index) => {
      const value = this.value(property.shape, this.raw(keys[index] ?? ""), property.optional);
      return `${formatKey(property.name)}: ${value}`;
    });
    const others = members.flatMap((member): Shape[] => {
      if (member.kind === "unknown" || member.kind === "schema") return [member];
      return member.kind === "object" && member.others ? [member.others] : [];
    });
    const declared = entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
    const convert = (): string => `(raw) => ${this.value({ kind: "union", of: others }, "raw", true)}`;
    const all =
      others.length === 0
        ? declared
        : `${this.#text.use("withOthers")}(reader.all("${this.#place}"), ${JSON.stringify(keys)}, ${convert()}, ${declared})`;
    return optional ? `${this.#text.use("orAbsent")}(${all})` : all;
  }

  /**
   * @param raw the expression for a string, a list of strings or a file. It is evaluated once.
   */
  value(shape: Shape, raw: string, optional: boolean): string {
    const members = membersOf(shape, this.#text.definitions);
    const has = (...kinds: Member["kind"][]): boolean => members.some(({ kind }) => kinds.includes(kind));
    const texts = literalsIn(members).filter((literal) => typeof literal === "string");
    const list = members.find((member) => member.kind === "array" || member.kind === "tuple");
    const isText = has("string", "unknown", "schema");
    // A browser sends empty fields as empty strings, in forms and links.
    const holdsEmpty = findIssuesOf("", shape, this.#text.definitions).length === 0;
    const isAbsent = optional && this.#place !== "header" && !holdsEmpty;
    const present = isAbsent ? `${raw} || undefined` : raw;
    const single = (from: string): string => (isText ? from : this.#single(members, from));
    const isConverted = single(raw) !== raw;
    // String literals such as "2" or "02" beside a number type, which conversion would change.
    const kept = isConverted ? texts.filter((one) => toNumber(toInteger(toChecked(one))) !== one) : [];
    if (list === undefined && kept.length === 0) return single(present);
    const staysText = isText || has("date");
    if (list && !isConverted && !staysText && texts.length === 0) return this.#list(list, present);
    const isSingle = staysText ? 'typeof raw === "string"' : isOneOf(texts, "value !== raw");
    const value = kept.length === 0 ? single("raw") : `${isOneOf(kept)} ? raw : ${single("raw")}`;
    const result = list === undefined ? "value" : `${isSingle} ? value : ${this.#list(list, "raw")}`;
    return `${this.#text.hoist("convert", `(raw) => {\n  const value = ${value};\n  return ${result};\n}`)}(${present})`;
  }

  /** Converts one string to a number or boolean, if the members have such a type. */
  #single(members: readonly Member[], raw: string): string {
    const literals = literalsIn(members);
    const areWhole = literals.filter((literal) => typeof literal === "number").map(Number.isInteger);
    for (const member of members) if (member.kind === "number") areWhole.push(member.integer === true);
    const isBoolean =
      members.some(({ kind }) => kind === "boolean") || literals.some((one) => typeof one === "boolean");
    const toNumeric = areWhole.includes(false) ? "toNumber" : "toInteger";
    const numeric = areWhole.length === 0 ? raw : `${this.#text.use(toNumeric)}(${raw})`;
    if (!isBoolean) return numeric;
    return `${this.#text.use(this.#place === "form" ? "toChecked" : "toBoolean")}(${numeric})`;
  }

  #list(shape: ArrayShape | TupleShape, raw: string): string {
    const list = `${this.#text.use(this.#place === "header" ? "toItems" : "toList")}(${raw})`;
    const item = (one: Shape | undefined): string => (one ? this.value(one, "item", false) : "item");
    if (shape.kind === "array")
      return item(shape.items) === "item" ? list : `${list}?.map((item) => ${item(shape.items)})`;
    const choose = shape.items.reduceRight(
      (others, one, index) => `index === ${index} ? ${item(one)} : ${others}`,
      item(shape.rest),
    );
    return `${list}?.map((item, index) => ${choose})`;
  }
}

function literalsIn(members: readonly Member[]): LiteralShape["values"] {
  return members.flatMap((member) => (member.kind === "literal" ? member.values : []));
}

function isOneOf(texts: readonly string[], ...more: readonly string[]): string {
  return [...more, ...texts.map((text) => `raw === ${JSON.stringify(text)}`)].join(" || ");
}

/** Merges the properties of a union's objects: a property may fit any of its shapes. */
function joinProperties(objects: readonly ObjectShape[]): readonly Property[] {
  const all = objects.flatMap(({ properties }) => properties);
  return [...new Set(all.map(({ name }) => name))].map((name) => {
    const found = all.filter((property) => property.name === name);
    const optional = found.length < objects.length || found.some((property) => property.optional);
    return { name, shape: { kind: "union", of: found.map(({ shape }) => shape) }, optional };
  });
}
