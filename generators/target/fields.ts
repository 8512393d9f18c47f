/** Reads the fields that a person types for `--body`, `--query` and a resource, such as `tags:string[]?`. */

import { closest } from "#convention/diagnostics/closest";
import { badParamName } from "#convention/rule/segments";
import { FIELD_WORDS, type Field, type FieldType } from "../code/fields.ts";
import { refuseWord } from "../refused.ts";

/** A word with its quoted parts; white space around a colon or a bar is part of it. */
const WORD = /(?:"[^"]*"|'[^']*'|\s*[|:]\s*|[^\s"',;])+/g;

/** What the fields are of: a body, the query, or a resource with a table. */
type FieldPlace = "body" | "query" | "resource";

const EXAMPLES: Readonly<Record<FieldPlace, string>> = {
  body: `As in: --body 'name:string price:number tags:string[]? role:"admin"|"user"'`,
  query: "As in: --query 'q:string page:int?'",
  resource: "As in: title:string pages:int subtitle:string? isbn:string:unique author:references",
};

const OTHER_TYPES: Readonly<Record<FieldPlace, string>> = {
  body: "each also with []",
  query: "each also with []",
  resource: "references",
};

/** @example splitFields("name : string, page:int?") // ["name : string", "page:int?"] */
export function splitFields(text: string): readonly string[] {
  return (text.match(WORD) ?? []).map((word) => word.trim());
}

/**
 * @param place of the values, for messages.
 * @example parseFields("body", "page:int?") // [{ name: "page", type: { word: "int", isArray: false }, optional: true }]
 */
export function parseFields(place: FieldPlace, text: string): readonly Field[] {
  const fields = splitFields(text).map((word) => parseField(place, word));
  if (fields.length === 0) refuseWord(`--${place} names no field`, EXAMPLES[place]);
  refuseTwice(fields);
  return fields;
}

export function refuseTwice(fields: readonly { readonly name: string }[]): void {
  const names = fields.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) refuseWord(`\`${twice}\` is given twice`, "Give each field its own name.");
}

/** The question mark comes last, or after the name as in TypeScript. */
export function parseField(place: FieldPlace, word: string): Field {
  const [, name = "", early, typed = "string", late] =
    /^([^:?]*?)\s*(\?)?(?:\s*:\s*(.*?))?(\?)?$/s.exec(word) ?? [];
  refuseFieldName(place, name, word);
  return { name, type: parseType(place, name, typed), optional: (early ?? late) !== undefined };
}

/** A value of the query is a parameter of its own; a field of the body is only a property. */
function refuseFieldName(place: FieldPlace, name: string, word: string): void {
  if (name === "") refuseWord(`\`${word}\` has no name`, EXAMPLES[place]);
  const bad = place === "query" ? badParamName(name) : undefined;
  if (bad !== undefined) {
    const why = bad.why.replace(/^A param/, "A value of the query").replace(/the param$/, "it");
    refuseWord(why, "Choose another name.");
  }
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) || name === "__proto__")
    refuseWord(`\`${name}\` can't be the name of a field`, "Use letters, digits and `_`.");
}

function parseType(place: FieldPlace, name: string, text: string): FieldType {
  const parts = text.split(/\|(?=(?:[^"']|"[^"]*"|'[^']*')*$)/).map((part) => part.trim());
  const values = parts.flatMap((part) => parseValue(part) ?? []);
  if (values.length === parts.length) return { values: [...new Set(values)] };
  // A shell takes away quotes that have none around them.
  if (parts.length > 1)
    return refuseWord(
      `\`${text}\` is not a list of values`,
      `As in: '${name}:"one"|"two"', with both kinds of quotes.`,
    );
  const [, typed = "", brackets] = /^(.*?)(\[\])?$/s.exec(text) ?? [];
  const word = FIELD_WORDS.find((one) => one === typed);
  if (word !== undefined) return { word, isArray: brackets !== undefined };
  const nearest = meantWord(typed);
  const hint =
    nearest === undefined
      ? `The types are ${FIELD_WORDS.join(", ")}, ${OTHER_TYPES[place]}, and lists such as "a"|"b".`
      : `Did you mean \`${name}:${nearest}${brackets ?? ""}\`?`;
  return refuseWord(`\`${text}\` is not a type that a field can have`, hint);
}

/** A text without escapes, or a number. */
function parseValue(part: string): string | number | undefined {
  const [, double, single] = /^(?:"([^"\\\p{Cc}]*)"|'([^'"\\\p{Cc}]*)')$/u.exec(part) ?? [];
  if (double !== undefined || single !== undefined) return double ?? single;
  return /^(?:0|[1-9]\d{0,14})(?:\.\d*[1-9])?$/.test(part) ? Number(part) : undefined;
}

const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ["str", "string"],
  ["text", "string"],
  ["integer", "int"],
  ["float", "number"],
  ["double", "number"],
  ["decimal", "number"],
  ["bool", "boolean"],
  ["datetime", "Date"],
  ...FIELD_WORDS.map((word) => [word.toLowerCase(), word] as const),
]);

function meantWord(word: string): string | undefined {
  return OTHER_WORDS.get(word.toLowerCase()) ?? closest(word, FIELD_WORDS);
}
