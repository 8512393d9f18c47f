/** Reads what a person types for `--body` and `--query`: fields such as `tags:string[]?`, and compares them with what a handler takes. */

import { diagnose } from "#convention/diagnostics/catalogue";
import { closest } from "#convention/diagnostics/closest";
import { type Diagnostic, isDiagnostic } from "#convention/diagnostics/diagnostic";
import { badParamName } from "#convention/rule/naming";
import type { TypedRoute } from "#convention/wire/typed-route";
import type { Definitions, Property, Shape } from "#runtime/wire/shape";
import { BODY_METHODS } from "./source/body-names.ts";
import { FIELD_WORDS, type Field, type FieldType, formatFieldType } from "./source/fields.ts";
import type { Wanted } from "./wanted.ts";

/** Empty where the command says nothing of it. */
export interface WantedTakes {
  readonly body: readonly Field[];
  readonly query: readonly Field[];
}

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
export function parseFields(place: FieldPlace, text: string): readonly Field[] | Diagnostic {
  const words = splitFields(text);
  if (words.length === 0) return badField(`--${place} names no field`, EXAMPLES[place]);
  const fields: Field[] = [];
  for (const word of words) {
    const field = parseField(place, word);
    if (isDiagnostic(field)) return field;
    if (fields.some(({ name }) => name === field.name))
      return badField(`\`${field.name}\` is given twice`, "Give each field its own name.");
    fields.push(field);
  }
  return fields;
}

function badField(why: string, hint: string): Diagnostic {
  return diagnose("FW601", { why, hint });
}

/** The question mark comes last, or after the name as in TypeScript. */
export function parseField(place: FieldPlace, word: string): Field | Diagnostic {
  const [, name = "", early, typed = "string", late] =
    /^([^:?]*?)\s*(\?)?(?:\s*:\s*(.*?))?(\?)?$/s.exec(word) ?? [];
  const bad = diagnoseFieldName(place, name, word);
  if (bad !== undefined) return bad;
  const type = parseType(place, name, typed);
  return isDiagnostic(type) ? type : { name, type, optional: early !== undefined || late !== undefined };
}

/** A value of the query is a parameter of its own; a field of the body is only a property. */
function diagnoseFieldName(place: FieldPlace, name: string, word: string): Diagnostic | undefined {
  if (name === "") return badField(`\`${word}\` has no name`, EXAMPLES[place]);
  const bad = place === "query" ? badParamName(name) : undefined;
  if (bad !== undefined)
    return badField(
      bad.why.replace(/^A param/, "A value of the query").replace(/the param$/, "it"),
      suggestProperty(name),
    );
  if (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) && name !== "__proto__") return undefined;
  return badField(`\`${name}\` can't be the name of a field`, suggestProperty(name));
}

function suggestProperty(name: string): string {
  const plain = name.replace(/[^\p{ID_Continue}$]+/gu, "_").replace(/^(?=\d)|^_+|_+$/g, "");
  return /^[\p{ID_Start}]/u.test(plain) && plain !== name
    ? `Did you mean \`${plain}\`?`
    : "Choose another name.";
}

function parseType(place: FieldPlace, name: string, text: string): FieldType | Diagnostic {
  const parts = text.split(/\|(?=(?:[^"']|"[^"]*"|'[^']*')*$)/).map((part) => part.trim());
  const values = parts.flatMap((part) => parseValue(part) ?? []);
  if (values.length === parts.length) return { values: [...new Set(values)] };
  if (parts.length > 1) return diagnoseUnion(name, parts);
  const [, typed = "", brackets] = /^(.*?)(\[\])?$/s.exec(text) ?? [];
  const word = FIELD_WORDS.find((one) => one === typed);
  if (word !== undefined) return { word, isArray: brackets !== undefined };
  const nearest = meantWord(typed);
  const hint =
    nearest === undefined
      ? `The types are ${FIELD_WORDS.join(", ")}, ${OTHER_TYPES[place]}, and lists such as "a"|"b".`
      : `Did you mean \`${name}:${nearest}${brackets ?? ""}\`?`;
  return badField(`\`${text}\` is not a type that a field can have`, hint);
}

/** A text without escapes, or a number. */
function parseValue(part: string): string | number | undefined {
  const [, double, single] = /^(?:"([^"\\\p{Cc}]*)"|'([^'"\\\p{Cc}]*)')$/u.exec(part) ?? [];
  if (double !== undefined || single !== undefined) return double ?? single;
  return /^(?:0|[1-9]\d{0,14})(?:\.\d*[1-9])?$/.test(part) ? Number(part) : undefined;
}

/** A shell takes away quotes that have none around them. */
function diagnoseUnion(name: string, parts: readonly string[]): Diagnostic {
  const quoted = parts.map((part) =>
    parseValue(part) === undefined ? `"${part.replace(/["'\\]/g, "")}"` : part,
  );
  const right = `'${name}:${quoted.join("|")}'`;
  return badField(
    `\`${parts.join("|")}\` is not a list of values`,
    `Put each text in quotes, and all of it in other quotes: ${right}`,
  );
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

/** Reports a body that none of the methods has, and a value of the query with the name of a param. */
export function diagnoseTakes(
  { handlers, parameters }: Pick<Wanted, "handlers" | "parameters">,
  { body, query }: WantedTakes,
): Diagnostic | undefined {
  const [first] = handlers;
  if (body.length > 0 && first && !handlers.some(({ method }) => BODY_METHODS.includes(method)))
    return badField(
      `A request with ${first.method} has no body, so --body can't describe it`,
      `Use --query, or one of the methods ${BODY_METHODS.join(", ")}.`,
    );
  const names = parameters.flatMap((one) => (one === "request" ? [] : [one.name]));
  const twice = query.find(({ name }) => names.includes(name));
  return (
    twice &&
    badField(`\`${twice.name}\` is a param of the path, too`, "Give the value of the query another name.")
  );
}

/** Whether a handler takes just these fields, where the command names some. Constraints on their values are not compared. */
export function hasTakes(
  { method, takes }: TypedRoute,
  { body, query }: WantedTakes,
  definitions: Definitions,
): boolean {
  const ofBody = takes.find((take) => take.in === "body");
  const declared = ofBody && resolve(ofBody.shape, definitions);
  const properties = declared?.kind === "object" ? declared.properties : [];
  const asked = takes.flatMap((take): Property[] =>
    take.in === "query" && take.key !== undefined ? [{ ...take, name: take.key }] : [],
  );
  const wantsBody = body.length > 0 && BODY_METHODS.includes(method);
  return (
    (!wantsBody || isSame(body, properties, definitions)) &&
    (query.length === 0 || isSame(query, asked, definitions))
  );
}

function isSame(
  fields: readonly Field[],
  properties: readonly Property[],
  definitions: Definitions,
): boolean {
  const wanted = fields.map(({ name, type, optional }) => `${name} ${optional} ${wordOf(type)}`);
  const there = properties.map(
    ({ name, shape, optional }) => `${name} ${optional} ${describe(shape, definitions)}`,
  );
  return wanted.sort().join("\n") === there.sort().join("\n");
}

function resolve(shape: Shape, definitions: Definitions): Shape | undefined {
  return shape.kind === "reference" ? definitions[shape.name] : shape;
}

function wordOf(type: FieldType): string {
  return "values" in type ? describeValues(type.values) : formatFieldType(type, new Map());
}

function describeValues(values: readonly (string | number | boolean)[]): string {
  return values
    .map((value) => JSON.stringify(value))
    .sort()
    .join("|");
}

/** As {@link wordOf}; undefined for a shape that no field has. */
function describe(shape: Shape, definitions: Definitions): string | undefined {
  const own = resolve(shape, definitions);
  if (own?.kind !== "array") return own && describeOne(own);
  const items = resolve(own.items, definitions);
  return items && `${describeOne(items)}[]`;
}

function describeOne(shape: Shape): string | undefined {
  switch (shape.kind) {
    case "string":
    case "boolean":
      return shape.kind;
    case "number":
      return shape.integer ? "int" : "number";
    case "date":
      return "Date";
    case "literal":
      return describeValues(shape.values);
    default:
      return undefined;
  }
}

/** As a signature says it. @example formatTakes(takes) // ["body: { name: string }", "page?: int"] */
export function formatTakes({ body, query }: WantedTakes): readonly string[] {
  const [ofBody, ofQuery] = [body, query].map((fields) =>
    fields.map(
      ({ name, type, optional }) => `${name}${optional ? "?" : ""}: ${formatFieldType(type, new Map())}`,
    ),
  );
  return [...(body.length === 0 ? [] : [`body: { ${ofBody?.join("; ")} }`]), ...(ofQuery ?? [])];
}
