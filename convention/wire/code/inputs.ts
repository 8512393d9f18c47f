/** Writes the code that reads what one function is called with: a handler, a provider or a guard. */

import { resolve } from "#runtime/wire/shape";
import type { Inputs, Take } from "#runtime/wire/take";
import type { TextPlace } from "#runtime/wire/taker";
import { type Wanted, wantedKeysOf, wantedOf } from "#runtime/wire/texts";
import { formatKey, toLocal, toPascal } from "./names.ts";
import type { WireText } from "./readers.ts";

/**
 * @param path names the functions for its shapes, if these have no name of their own.
 * @param more lines for what the object has besides.
 * @returns the lines inside of an object that is a `Reader`.
 */
export function writeReader(
  inputs: Inputs,
  path: string,
  text: WireText,
  more: readonly string[] = [],
): readonly string[] {
  const { takes, provided } = inputs;
  const locals = takes.map(({ name }, index) => toLocal(name, index));
  const schemas = takes.map((take) => importSchema(take, text));
  const lines = takes.flatMap((take, index) =>
    writeTake(take, locals[index] ?? "", schemas[index], text, path + toPascal(take.name)),
  );
  const given = locals.map((local, index) => (schemas[index] ? `${local}.value` : local));
  const isAsked = schemas.some((schema) => schema !== undefined);
  return [
    `takes: ${JSON.stringify(takes)},`,
    ...more,
    ...(isAsked ? [`schemas: [${schemas.map((schema) => schema ?? "undefined").join(", ")}],`] : []),
    `${isAsked ? "async " : ""}read(wire, body${provided.length > 0 ? ", made" : ""}) {`,
    ...lines.map((line) => `  ${line}`),
    `  return [${formatArguments(inputs, given).join(", ")}];`,
    "},",
  ];
}

function importSchema({ shape }: Take, text: WireText): string | undefined {
  const found = resolve(shape, text.definitions);
  return found.kind === "schema" ? text.import(found.file, found.exported) : undefined;
}

/** @param given the expressions for what is taken, in order. */
function formatArguments(inputs: Inputs, given: readonly string[]): string[] {
  const [rest, provided] = [[...given], [...inputs.provided]];
  return inputs.arguments.map((argument) => {
    if (argument === "request") return "wire.request";
    if (argument === "provided") return `made[${provided.shift()}]`;
    return argument === "taken" ? (rest.shift() ?? "undefined") : `wire.values[${argument}]`;
  });
}

function writeTake(
  take: Take,
  local: string,
  schema: string | undefined,
  text: WireText,
  path: string,
): readonly string[] {
  const { in: place, shape, optional } = take;
  if (place === "bearer" || place === "basic") return [`const ${local} = wire.${place};`];
  if (place === "api-key") return [`const ${local} = wire.apiKey(${JSON.stringify(take.key)});`];
  const source = place === "body" ? "body" : formatSource(take, place, text);
  if (schema === undefined) return text.take({ shape, optional }, local, source, path, "0");
  const asked = `await ${text.use("askSchema")}(${schema}, ${source})`;
  const whole = optional ? `${source} === undefined ? {} : ${asked}` : asked;
  return [`const ${local} = ${whole};`, `if (${local}.issues !== undefined) return undefined;`];
}

/** @returns the expression for the values of a take, as its shape wants them. */
function formatSource({ key, shape, optional }: Take, place: TextPlace, text: WireText): string {
  const { definitions } = text;
  if (key !== undefined) {
    const raw = formatRaw(place, key);
    if (resolve(shape, definitions).kind === "schema") return raw;
    return formatConversion(raw, wantedOf(shape, definitions, place, optional), text);
  }
  const wanted = wantedKeysOf(shape, definitions, place);
  if (wanted.others === undefined && !optional) {
    const entries = wanted.keys.map(
      (one) => `${formatKey(one.name)}: ${formatConversion(formatRaw(place, one.key), one.wanted, text)}`,
    );
    return `{ ${entries.join(", ")} }`;
  }
  const name = text.hoist("wanted", JSON.stringify(wanted));
  const values = `${text.use("convertKeys")}(wire, ${JSON.stringify(place)}, ${name})`;
  return optional ? `${text.use("orAbsent")}(${values})` : values;
}

function formatRaw(place: TextPlace, key: string): string {
  return `wire.raw(${JSON.stringify(place)}, ${JSON.stringify(key)})`;
}

/** The common conversions have a function of their own; the others walk what is wanted. */
function formatConversion(raw: string, wanted: Wanted, text: WireText): string {
  const { texts, number, boolean, items, emptyIsAbsent } = wanted;
  const isList = items !== undefined || emptyIsAbsent === true;
  if (isList || raw.startsWith('wire.raw("form"')) {
    return `${text.use("convert")}(${raw}, ${text.hoist("wanted", JSON.stringify(wanted))})`;
  }
  const isText = texts === true || (!number && !boolean);
  if (isText) return raw;
  if (texts?.length === 0 && !boolean)
    return `${text.use(number === "whole" ? "toInteger" : "toNumber")}(${raw})`;
  if (texts?.length === 0 && !number) return `${text.use("toBoolean")}(${raw})`;
  return `${text.use("convert")}(${raw}, ${text.hoist("wanted", JSON.stringify(wanted))})`;
}
