/** For tests: reads types of a project in memory to shapes. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import type { Definitions, Shape } from "#runtime/core/wire/shape";
import { createFiles } from "../source/files.ts";
import { createModules } from "../source/modules.ts";
import { createShapeReader } from "./shapes.ts";

export interface ReadTypes {
  /** Of the types that were asked for, in their order. */
  readonly shapes: readonly (Shape | null)[];
  readonly definitions: Definitions;
  readonly diagnostics: readonly Diagnostic[];
}

export const TYPES_FILE = "types.ts";

/**
 * @param text of `types.ts`.
 * @param names of types that it declares, or imports.
 */
export function readTypes(
  text: string,
  names: readonly string[],
  others: Readonly<Record<string, string>> = {},
): ReadTypes {
  const files = createFiles("/nowhere", new Map(Object.entries({ ...others, [TYPES_FILE]: text })));
  const modules = createModules(files);
  const module = modules.get(TYPES_FILE);
  if (module === undefined) throw new Error("There is no such file.");
  const reader = createShapeReader(modules);
  const read = names.map((name) => {
    const place = { text: name, location: { file: TYPES_FILE, line: 1, column: 1 } };
    const type = { kind: "name", path: [name], arguments: [], ...place } as const;
    return reader.read({ type, scope: { module, parameters: new Map() } });
  });
  return {
    shapes: read.map(({ shape }) => shape),
    definitions: reader.definitions,
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  };
}
