/** Writes the wire module of a project: the code that takes what its handlers declare off the wire, and refuses what does not fit. */

import type { Definitions } from "#runtime/wire/shape";
import type { Take } from "#runtime/wire/taker";
import { reachable } from "../inner-shapes.ts";
import type { Call, TypedRoute } from "../typed-route.ts";
import { writeReader } from "./inputs.ts";
import { formatExport, needsTaker, takerName, toPascal } from "./names.ts";
import { WireText } from "./readers.ts";

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
  const typed = routes.filter(needsTaker);
  if (typed.length === 0) return undefined;
  const text = new WireText(definitions);
  const takers = typed.map((route) => writeTaker(route, text));
  const shapes = typed.flatMap((route) => allTakes(route).map(({ shape }) => shape));
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

function allTakes({ calls, takes }: TypedRoute): readonly Take[] {
  return [...calls.flatMap((call) => call.takes), ...takes];
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
  const readers = route.calls.map((call) => hoistReader(call, text));
  const members = writeReader(route, toPascal(route.handler), text, [
    "get definitions() {",
    "  return allDefinitions();",
    "},",
    ...(readers.length === 0 ? [] : [`calls: [${readers.join(", ")}],`]),
  ]);
  return [`  ${JSON.stringify(takerName(route))}: {`, ...members.map((line) => `    ${line}`), "  },"].join(
    "\n",
  );
}

/** @returns the name of a provider's or a guard's reader: one for all routes for which it is called with the same. */
function hoistReader(call: Call, text: WireText): string {
  const path = toPascal(call.name);
  const members = writeReader(call, path, text);
  return text.hoist(`reader${path}_`, `{\n${members.map((line) => `  ${line}\n`).join("")}}`);
}
