/** Schemas in words: their types as TypeScript would write them, and what else their values have to be. */

import { type Api, casesOf, nameOf, resolve, type Schema } from "./document.ts";

/** Text, or the name of a type that has a page of its own. */
export type TypePart = string | { readonly name: string };

/** No value fits. */
const NOTHING = "nothing";
/** Of a union, so many are listed. */
const MOST_VALUES = 8;

/** @example typeOf({ type: "array", items: { $ref: "#/components/schemas/User" } }) // [{ name: "User" }, "[]"] */
export function typeOf(given: Schema | boolean | undefined): readonly TypePart[] {
  if (typeof given !== "object") return [given === false ? NOTHING : "any"];
  const name = nameOf(given);
  if (name !== undefined) return [{ name }];
  const { anyOf, oneOf, allOf, type, not } = given;
  if ("const" in given) return [JSON.stringify(given.const)];
  if (given.enum) return unite(given.enum.map((value) => [JSON.stringify(value)]));
  if (anyOf || oneOf) return unite(casesOf(given).map(typeOf));
  if (type === undefined && allOf) return unite(allOf.map(typeOf), " & ");
  if (type === undefined) return [not ? NOTHING : given.properties ? "object" : "any"];
  const types = typeof type === "string" ? [type] : type;
  return unite(types.map((one) => singleType(one, given)));
}

function singleType(type: string, schema: Schema): readonly TypePart[] {
  const { additionalProperties: others, format, prefixItems, properties } = schema;
  if (type === "string" && schema.contentMediaType) return ["file"];
  if (type === "string" && format) return [`string (${format})`];
  if (type === "array") return prefixItems ? tupleType(prefixItems, schema.items) : listType(schema.items);
  if (type === "object" && !properties && typeof others === "object")
    return ["{ [key]: ", ...typeOf(others), " }"];
  return [type];
}

function listType(items: Schema | boolean | undefined): readonly TypePart[] {
  const inner = typeOf(items);
  const [first = ""] = inner;
  const isPlain = inner.length === 1 && (typeof first === "object" || /^\w+$/.test(first));
  return isPlain ? [...inner, "[]"] : ["(", ...inner, ")[]"];
}

function tupleType(prefix: readonly Schema[], items: Schema | boolean | undefined): readonly TypePart[] {
  const isClosed = typeOf(items)[0] === NOTHING;
  const rest: (readonly TypePart[])[] = isClosed ? [] : [["...", ...listType(items)]];
  return ["[", ...unite([...prefix.map(typeOf), ...rest], ", "), "]"];
}

function unite(types: readonly (readonly TypePart[])[], sign = " | "): readonly TypePart[] {
  const shown = types.slice(0, MOST_VALUES).flatMap((type, at) => (at === 0 ? type : [sign, ...type]));
  return types.length > MOST_VALUES ? [...shown, `${sign}… ${types.length - MOST_VALUES} more`] : shown;
}

/** @returns phrases, as in `["1 to 100 characters", "matches ^[a-z]+$"]`. */
export function constraintsOf(schema: Schema): readonly string[] {
  const { multipleOf, pattern, uniqueItems, allOf = [], items } = schema;
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  return [
    range(schema.minLength, schema.maxLength, "character"),
    range(schema.minimum, schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum),
    above === undefined ? "" : `more than ${above}`,
    below === undefined ? "" : `less than ${below}`,
    multipleOf === undefined ? "" : `a multiple of ${multipleOf}`,
    range(schema.minItems, schema.maxItems, "item"),
    uniqueItems ? "no item twice" : "",
    pattern === undefined ? "" : `matches ${pattern}`,
    ...(schema.enum ?? []).slice(MOST_VALUES).map((value) => JSON.stringify(value)),
    ...(schema.type === undefined ? casesOf(schema) : allOf).flatMap(constraintsOf),
    ...(typeof items === "object" ? constraintsOf(items) : []).map((phrase) => `each ${phrase}`),
  ].filter((phrase) => phrase !== "");
}

function range(least: number | undefined, most: number | undefined, noun = ""): string {
  if (least === undefined && most === undefined) return "";
  const last = most ?? least;
  const nouns = noun === "" ? "" : ` ${noun}${last === 1 ? "" : "s"}`;
  if (least === undefined) return `at most ${most}${nouns}`;
  if (most === undefined) return `at least ${least}${nouns}`;
  return least === most ? `exactly ${least}${nouns}` : `${least} to ${most}${nouns}`;
}

/** What is inside of a value: each with its name, and whether it must be there. One of several types has no name. */
export interface Inner {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Types may hold themselves, even without anything between. */
const DEEPEST_TYPE = 3;

/** @returns the properties of an object, or of each item of an array; of several types each that has some. Empty for a plain value. */
export function innerOf(given: Schema | boolean | undefined, api: Api, depth = 0): readonly Inner[] {
  if (depth > DEEPEST_TYPE) return [];
  const schema = resolve(given, api);
  const { additionalProperties: others, allOf = [], items, prefixItems = [], required = [] } = schema;
  const toInner = (name: string, inner: Schema, isRequired = true): Inner => ({
    name,
    schema: inner,
    isRequired,
  });
  const properties = Object.entries(schema.properties ?? {});
  const choices = casesOf(schema).filter((one) => innerOf(one, api, depth + 1).length > 0);
  const parts = typeof items === "object" ? [...allOf, items] : allOf;
  return [
    ...properties.map(([name, inner]) => toInner(name, inner, required.includes(name))),
    ...(typeof others === "object" ? [toInner("[key]", others, false)] : []),
    ...choices.map((one) => toInner("", one)),
    ...prefixItems.map((one, at) => toInner(`[${at}]`, one)),
    ...parts.flatMap((part) => innerOf(part, api, depth + 1)),
  ];
}
