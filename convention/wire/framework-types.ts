/** Reads the types of the framework that values can have: `int`, `str` and the constraints. */

import { closest } from "../diagnostics/closest.ts";
import type { SourceModule } from "../source/module.ts";
import { BUILTIN_NAMES } from "./builtins.ts";
import { CONSTRAINT_NAMES, readConstraint } from "./constraints.ts";
import { MARKS } from "./marks.ts";
import { type Kind, type Refused, refuse, type Type, type TypePlace } from "./type.ts";

const VALUES: ReadonlySet<string> = new Set(["int", "str", ...CONSTRAINT_NAMES]);

/** Types of the framework that only parameters can have, with examples. */
const FOR_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ["Request", "request: Request"],
  ...[...MARKS].map(([name, [, example]]) => [name, example] as const),
]);

const OF_FRAMEWORK: readonly string[] = [...VALUES, ...FOR_PARAMETERS.keys()];

export function readFrameworkType(
  from: string,
  path: readonly string[],
  typeArguments: readonly Type[],
  place: TypePlace,
): Kind {
  const name = path.join(".");
  const example = FOR_PARAMETERS.get(name);
  if (example !== undefined)
    return refuse("FW341", { mark: name, instead: `Make it the type of a parameter: ${example}.` }, place);
  if (!/^framework(?:\/http)?$/.test(from) || !VALUES.has(name)) return unknownExport(from, name, place);
  if (name === "int") return { kind: "number", integer: true };
  return name === "str" ? { kind: "string" } : readConstraint(name, typeArguments, place);
}

function unknownExport(from: string, name: string, place: TypePlace): Refused {
  const why = `"${from}" has no such type of a value`;
  const nearest = closest(name, OF_FRAMEWORK);
  return refuse("FW327", { name, why, nearest, right: undefined, unread: false }, place);
}

const KEYWORDS_OF_VALUES: readonly string[] = ["string", "number", "boolean", "unknown", "null"];

/** The error for a name that is neither declared, nor imported, nor a global of TypeScript. */
export function unknownName(name: string, module: SourceModule, place: TypePlace): Refused {
  const isOurs = OF_FRAMEWORK.includes(name);
  const right = isOurs ? `import type { ${name} } from "framework";` : undefined;
  const known = [
    ...KEYWORDS_OF_VALUES,
    ...module.types.keys(),
    ...module.imports.keys(),
    ...BUILTIN_NAMES,
    ...OF_FRAMEWORK,
  ];
  const unread = module.problems.length > 0;
  const why = unread
    ? `${module.file} has errors`
    : name.includes(".")
      ? "the types of a namespace are not read"
      : `${module.file} neither declares nor imports it`;
  const isValue = module.values.has(name) && !unread;
  const nearest = isValue ? `typeof ${name}` : closest(name, known);
  return refuse("FW327", { name, why, nearest, right, unread }, place);
}
