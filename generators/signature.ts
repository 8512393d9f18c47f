/** Reads the signature of a function that a file of the project exports, such as a guard, in whatever form it is written. */

import { startOf } from "#convention/diagnostics/catalogue";
import type { Project } from "#convention/project";
import { readFunction } from "#convention/rule/providers";
import type { SignatureParameter } from "#convention/rule/signature";
import { resolveExport } from "#convention/source/exports";
import { createFiles } from "#convention/source/files";
import { createModules } from "#convention/source/modules";
import { createShapeReader } from "#convention/wire/shapes";

/** @returns null where it is not a function, or has an error. */
export function readExported(
  { root }: Project,
  file: string,
  name: string,
): readonly SignatureParameter[] | null {
  const modules = createModules(createFiles(root));
  const module = modules.get(file);
  const found = module && resolveExport(modules, module, name, startOf(file));
  if (found?.kind !== "function") return null;
  const types = { modules, shapes: createShapeReader(modules), providers: new Map() };
  return readFunction(types, { handler: name, module: found.module, value: found.value }).parameters;
}
