/** Writes the code that reads what one function is called with: a handler, a provider or a guard. */

import { membersOf, resolve, type Shape } from "#runtime/wire/shape";
import type { Take, TextPlace } from "#runtime/wire/taker";
import { toHeaderName } from "#runtime/wire/texts";
import type { Inputs } from "../typed-route.ts";
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
    `${isAsked ? "async " : ""}read(wire, body${provided.length > 0 ? ", provided" : ""}) {`,
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
    if (argument === "provided") return `provided[${provided.shift()}]`;
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
function formatSource(take: Take, place: TextPlace, text: WireText): string {
  const direct = place === "form" ? undefined : formatDirect(take, place, text);
  const hoisted = (): string => text.hoist("take", JSON.stringify(take));
  return direct ?? `${text.use("toValue")}(${hoisted()}, wire, allDefinitions())`;
}

/** @returns undefined where the conversion has to walk the shape: the common ones need not. */
function formatDirect({ key, shape, optional }: Take, place: TextPlace, text: WireText): string | undefined {
  if (key !== undefined) return formatConversion(shape, formatRaw(place, key), place, text);
  const found = resolve(shape, text.definitions);
  if (found.kind !== "object" || found.others !== undefined) return undefined;
  const entries = found.properties.map((property) => {
    const raw = formatRaw(place, place === "header" ? toHeaderName(property.name) : property.name);
    const value = formatConversion(property.shape, raw, place, text);
    return value && `${formatKey(property.name)}: ${value}`;
  });
  if (entries.includes(undefined)) return undefined;
  const values = `{ ${entries.join(", ")} }`;
  return optional ? `${text.use("orAbsent")}(${values})` : values;
}

function formatRaw(place: TextPlace, key: string): string {
  return `wire.raw(${JSON.stringify(place)}, ${JSON.stringify(key)})`;
}

function formatConversion(shape: Shape, raw: string, place: TextPlace, text: WireText): string | undefined {
  const members = membersOf(shape, text.definitions);
  const [only, ...more] = members;
  if (only?.kind === "array" && more.length === 0 && place !== "header") {
    const item = formatConversion(only.items, "item", place, text);
    const list = `${text.use("toList")}(${raw})`;
    return item === "item" || item === undefined ? item && list : `${list}?.map((item) => ${item})`;
  }
  const kinds = members.map((member) => {
    const isTexts = member.kind === "literal" && member.values.every((value) => typeof value === "string");
    return isTexts || member.kind === "null" ? "date" : member.kind;
  });
  if (kinds.includes("array") || kinds.includes("tuple")) return undefined;
  const isText = kinds.some((kind) => kind === "string" || kind === "unknown" || kind === "schema");
  if (isText || kinds.every((kind) => kind === "date")) return raw;
  if (more.length > 0) return undefined;
  if (only?.kind === "number") return `${text.use(only.integer ? "toInteger" : "toNumber")}(${raw})`;
  return only?.kind === "boolean" ? `${text.use("toBoolean")}(${raw})` : undefined;
}
