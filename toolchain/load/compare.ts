/** Compares what the loaded modules of a project export with what was read in them. */

import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { HOOKS_FILE } from "#convention/layout";
import type { Project } from "#convention/project";
import {
  type Export,
  functionsOf,
  hooksFiles,
  hooksOf,
  isAround,
  type ProjectFunction,
  type ProjectModule,
} from "./project-functions.ts";

type Exports = Readonly<Record<string, unknown>>;
/** By file. */
export type LoadedExports = ReadonlyMap<string, Exports>;

export interface LoadedModule extends ProjectModule {
  readonly exports: Exports;
}

export function findExport(modules: LoadedExports, { module, exported }: Export): unknown {
  return modules.get(module)?.[exported];
}

/** What was read and what is there must be the same functions. */
export function compareExports({ file, functions, exports, isHandlerName }: LoadedModule): Diagnostic[] {
  const missing = functions.filter(({ exported }) => typeof exports[exported] !== "function");
  const unexpected = Object.keys(exports)
    .filter((name) => typeof exports[name] === "function" && isHandlerName(name))
    .filter((name) => !functions.some(({ exported, role }) => role === "handler" && exported === name))
    .map((name) => diagnoseUnread(name, file));
  return [...missing.map(diagnoseMissing), ...unexpected];
}

export function diagnoseMissing({ module, exported: name, location }: ProjectFunction): Diagnostic {
  return diagnose("FW501", { name, module, where: "in its source, but not when it is loaded" }, location);
}

/** A hook that nobody read would leave open what it guards: each that a module exports has to be bound to all that it is around. */
export function compareHooks(project: Project, modules: LoadedExports): Diagnostic[] {
  return hooksFiles(project).flatMap((file) => {
    const exports = modules.get(file) ?? {};
    return HOOKS.filter((name) => typeof exports[name] === "function")
      .filter((name) => !isBound(boundAround(project, file, name), exports[name], modules))
      .map((name) => diagnoseUnread(name, file));
  });
}

export function diagnoseUnread(name: string, file: string): Diagnostic {
  const where = "when it is loaded, but not in its source";
  return diagnose("FW501", { name, module: file, where }, startOf(file));
}

/** What a `_hooks.ts` can export. */
export const HOOKS = ["guard", "middleware", "error"] as const;

/** For each route that the file is around, and for what no route serves, all that runs. */
function boundAround(
  { routes, unmatched }: Project,
  file: string,
  name: (typeof HOOKS)[number],
): ProjectFunction[][] {
  const bound = routes.filter((route) => isAround(file, route)).map(functionsOf);
  const isForUnmatched = file === HOOKS_FILE && name !== "guard";
  return isForUnmatched ? [...bound, unmatched ? hooksOf(unmatched) : []] : bound;
}

function isBound(bound: readonly ProjectFunction[][], hook: unknown, modules: LoadedExports): boolean {
  return bound.every((functions) => functions.some((one) => findExport(modules, one) === hook));
}
