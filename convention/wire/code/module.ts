/**
 * Generates the wire module of a project: JavaScript that reads the inputs of its handlers from the request and validates them. Closures
 * over shapes, which need no generated code, were measured to take twice the time.
 */

import type { DeclaredInput } from "#runtime/wire/inputs";
import type { Definitions } from "#runtime/wire/shape";
import { reachable } from "../inner-shapes.ts";
import { type Call, isNarrow, paramsOf, type TypedRoute } from "../typed-route.ts";
import { conditionOf, isPlain } from "./condition.ts";
import { writeInputs } from "./inputs.ts";
import { formatExport, hasInputs, inputsKey, toPascal } from "./names.ts";
import { WireText } from "./readers.ts";

export interface WireSources {
  readonly routes: readonly TypedRoute[];
  /** The definitions of the whole project. Unused ones are omitted from the module. */
  readonly definitions: Definitions;
}

export interface WireSpecifiers {
  /** The specifier of the runtime module with the checks, `runtime/wire`. */
  readonly runtime: string;
  /** @param file the path of a project file relative to the root, with forward slashes. */
  toSpecifier(file: string): string;
}

/**
 * @returns the text of an ES module that implements `WireModule`; undefined if no route has inputs or a constrained param. The text is
 * deterministic.
 */
export function writeWireModule(
  { routes, definitions }: WireSources,
  specifiers: WireSpecifiers,
): string | undefined {
  const typed = routes.filter(hasInputs);
  const narrow = routes.filter(isNarrow);
  if (typed.length + narrow.length === 0) return undefined;
  const text = new WireText(definitions);
  const routeInputs = typed.map((route) => writeRoute(route, text));
  const pathChecks = narrow.map((route) => writePathCheck(route, text));
  const shapes = typed.flatMap((route) => allTakes(route).map(({ shape }) => shape));
  return [
    "/** The code that reads the inputs of this project's handlers. It is written from the types of their parameters. */\n",
    ...writeImports(text, specifiers),
    ...text.constants,
    writeDefinitions([...reachable(shapes, definitions)], definitions),
    ...text.functions,
    `export const pathChecks = {\n${pathChecks.join("\n")}\n};\n`,
    `export const routeInputs = {\n${routeInputs.join("\n")}\n};\n`,
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

function allTakes({ calls, takes }: TypedRoute): readonly DeclaredInput[] {
  return [...calls.flatMap((call) => call.takes), ...takes];
}

/** Writes the definitions as JSON, parsed when the first request is refused: as code, a thousand of them would slow down each start. */
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

function writeRoute(route: TypedRoute, text: WireText): string {
  const called = route.calls.map((call) => hoistInputs(call, text));
  const members = writeInputs(route, toPascal(route.handler), text, [
    "get definitions() {",
    "  return allDefinitions();",
    "},",
    ...(called.length === 0 ? [] : [`calls: [${called.join(", ")}],`]),
  ]);
  return [`  ${JSON.stringify(inputsKey(route))}: {`, ...members.map((line) => `    ${line}`), "  },"].join(
    "\n",
  );
}

/** Writes the function that the router calls with the param values: a path whose values don't fit doesn't match. */
function writePathCheck(route: TypedRoute, text: WireText): string {
  const conditions = paramsOf(route.segments).flatMap(({ name, shape }, index) => {
    if (shape === undefined) return [];
    const value = `values[${index}]`;
    if (!isPlain(shape, text.definitions))
      return `${text.read(shape, value, toPascal(`${route.handler}_${name}`), "0")} !== undefined`;
    return `(${conditionOf(shape, value, text.definitions, text)})`;
  });
  return `  ${JSON.stringify(inputsKey(route))}: (values) => ${conditions.join(" && ")},`;
}

/** Writes the inputs of a provider or a guard to a constant, which routes with equal inputs share. @returns its name. */
function hoistInputs(call: Call, text: WireText): string {
  const path = toPascal(call.name);
  const members = writeInputs(call, path, text);
  return text.hoist(`inputs${path}_`, `{\n${members.map((line) => `  ${line}\n`).join("")}}`);
}
