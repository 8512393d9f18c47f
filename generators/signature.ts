/** Reads the signature of a function that a file of the project exports, such as a guard, in whatever form it is written. */

import { startOf } from "#runtime/convention/diagnostics/catalogue";
import type { Project } from "#runtime/convention/project";
import { readFunction } from "#runtime/convention/rule/providers";
import type { SignatureParameter } from "#runtime/convention/rule/signature";
import { resolveExport } from "#runtime/convention/source/exports";
import { createFiles } from "#runtime/convention/source/files";
import { createModules } from "#runtime/convention/source/modules";
import { createShapeReader } from "#runtime/convention/wire/shapes";

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
