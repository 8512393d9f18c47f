/** Writes the wire module of a project: the code that takes what its handlers declare off the wire, and refuses what does not fit. */

import { resolve } from "#runtime/core/wire/json-types";
import type { Definitions } from "#runtime/core/wire/shape";
import type { Take, TypedRoute } from "#runtime/core/wire/take";
import type { TextPlace } from "#runtime/core/wire/taker";
import { type Wanted, wantedKeysOf, wantedOf } from "#runtime/core/wire/texts";
import { formatKey, takerName, toLocal, toPascal } from "./names.ts";
import { WireText } from "./readers.ts";
import { reachable } from "./recursion.ts";

export interface WireSources {
  readonly routes: readonly TypedRoute[];
  /** Of the whole project; what no route takes is left out. */
  readonly definitions: Definitions;
}

export interface WireSpecifiers {
  /** Of the module with the checks: `core/wire`. */
  readonly runtime: string;
  /** @param file of the project, relative to its root, with forward slashes. */
  toSpecifier(file: string): string;
}

/**
 * @returns the text of an ES module with what `WireModule` says; undefined where no route takes anything. The same sources give the
 * same text.
 */
export function writeWireModule(
  { routes, definitions }: WireSources,
  specifiers: WireSpecifiers,
): string | undefined {
  const typed = routes.filter(({ takes }) => takes.length > 0);
  if (typed.length === 0) return undefined;
  const text = new WireText(definitions);
  const takers = typed.map((route) => writeTaker(route, text));
  const shapes = typed.flatMap(({ takes }) => takes.map(({ shape }) => shape));
  return [
    "/** The code that takes off the wire what the handlers of this project declare. It is written from the types of their parameters. */\n",
    ...writeImports(text, specifiers),
    ...text.constants,
    writeDefinitions([...reachable(shapes, definitions)], definitions),
    ...text.functions,
    `export const takers = {\n${takers.join("\n")}\n};\n`,
  ].join("\n");
}

function writeImports({ checks, schemas }: WireText, { runtime, toSpecifier }: WireSpecifiers): string[] {
  return [
    ...(checks.length === 0 ? [] : [`import { ${checks.join(", ")} } from ${JSON.stringify(runtime)};`]),
    ...schemas.map(
      ({ local, file, exported }) =>
        `import { ${formatExport(exported)} as ${local} } from ${JSON.stringify(toSpecifier(file))};`,
    ),
  ];
}

/** A module can export a text that is not a name, too. */
function formatExport(exported: string): string {
  return formatKey(exported).replace(/^\[(.*)\]$/, "$1");
}

/** JSON in a text that is parsed when the first request is refused: as code, a thousand definitions would slow down each start. */
function writeDefinitions(names: readonly string[], definitions: Definitions): string {
  const lines = names.map((name) => `  ${JSON.stringify(name)}: ${JSON.stringify(definitions[name])}`);
  const json = lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n}`;
  return [
    "",
    "let definitions;",
    "function allDefinitions() {",
    `  definitions ??= JSON.parse(\`${json.replace(/[\\`]|\$\{/g, "\\$&")}\`);`,
    "  return definitions;",
    "}",
    "",
  ].join("\n");
}

function writeTaker(route: TypedRoute, text: WireText): string {
  const { takes } = route;
  const locals = takes.map(({ name }, index) => toLocal(name, index));
  const schemas = takes.map((take) => importSchema(take, text));
  const lines = takes.flatMap((take, index) =>
    writeTake(take, locals[index] ?? "", schemas[index], text, toPascal(route.handler) + toPascal(take.name)),
  );
  const given = locals.map((local, index) => (schemas[index] ? `${local}.value` : local));
  const isAsked = schemas.some((schema) => schema !== undefined);
  return [
    `  ${JSON.stringify(takerName(route))}: {`,
    `    takes: ${JSON.stringify(takes)},`,
    "    get definitions() {",
    "      return allDefinitions();",
    "    },",
    ...(isAsked ? [`    schemas: [${schemas.map((schema) => schema ?? "undefined").join(", ")}],`] : []),
    `    ${isAsked ? "async " : ""}read(wire, body) {`,
    ...lines.map((line) => `      ${line}`),
    `      return [${formatArguments(route, given).join(", ")}];`,
    "    },",
    "  },",
  ].join("\n");
}

function importSchema({ shape }: Take, text: WireText): string | undefined {
  const found = resolve(shape, text.definitions);
  return found.kind === "schema" ? text.import(found.file, found.exported) : undefined;
}

/** @param given the expressions for what is taken, in order. */
function formatArguments(route: TypedRoute, given: readonly string[]): string[] {
  const rest = [...given];
  return route.arguments.map((argument) => {
    if (argument === "request") return "wire.request";
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
