/** Hooks in files that are not `_hooks.ts`: nothing calls them, so what such a guard should guard is open. */

import type { Location } from "#runtime/routing/route";
import { diagnose, startOf } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { HOOKS_FILE, hooksFile, MAIN_FILE, toRoutePath } from "../layout.ts";
import { declarationPlaceOf, resolveExport } from "../source/exports.ts";
import type { Files } from "../source/files.ts";
import type { SourceModule } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import { parseModule } from "../source/reader.ts";
import { parseRouteFile } from "./naming.ts";

/** A hook that a file other than `_hooks.ts` exports. */
export interface StrayHook {
  readonly file: string;
  readonly name: string;
  readonly location: Location;
  /** Where it is declared: it may have several names. */
  readonly origin: string;
}

/** The names of files and folders that say that hooks are in them. Without a `_`, anything else may be in them, too. */
const NAME_OF_HOOKS = /^(_{0,2})(?:h[ok]{2,4}s?|guards?|middlewares?|auth)$/i;
const SOURCE_ENDING = /\.m?[jt]s$/;
/** With a `_` it is a slip for `_hooks.ts` in any ending. Without one it may be a page's, in a syntax that is not read here. */
const SLIPPED_ENDING = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** The hooks that can refuse a request: no file may export one in vain, whatever its name is. */
const REFUSING: readonly string[] = ["guard", "middleware"];
const ALL: readonly string[] = [...REFUSING, "error", "default"];

/** @param names that mean a hook in this file. */
export function findStrayHooks(
  modules: Modules,
  module: SourceModule,
  names: readonly string[] = REFUSING,
): readonly StrayHook[] {
  const { file, exports } = module;
  return names.flatMap((name) => {
    const found = exports.get(name);
    if (found === undefined || found.typeOnly) return [];
    const origin = resolveExport(modules, module, name, found.location);
    const isHook = origin.kind === "function" || (origin.kind === "opaque" && name === "guard");
    return isHook ? [{ file, name, location: found.location, origin: declarationPlaceOf(origin) }] : [];
  });
}

/** In the files of a folder whose names say so, but for route files: those are read with the handlers. */
export function findHooksByName(files: Files, modules: Modules, folder: string): readonly StrayHook[] {
  return files.list(folder).flatMap(({ name, kind }) => {
    const ending = name.startsWith("_") ? SLIPPED_ENDING : SOURCE_ENDING;
    const stem = kind === "folder" ? name : name.replace(ending, "");
    const match = kind === "other" || name === HOOKS_FILE ? null : NAME_OF_HOOKS.exec(stem);
    if (!match || (kind === "file" && stem === name)) return [];
    const path = folder === "" ? name : `${folder}/${name}`;
    const file = kind === "folder" ? `${path}/index.ts` : path;
    const module = isRouteFile(file) ? undefined : modules.get(file);
    return module ? findStrayHooks(modules, module, match[1] === "" ? REFUSING : ALL) : [];
  });
}

function isRouteFile(file: string): boolean {
  const path = toRoutePath(file);
  return path !== undefined && parseRouteFile(path) !== undefined;
}

/** What nothing imports is in vain. `_hooks.ts` may export a guard of another file, and a handler may take it as a provider. */
export function diagnoseStrayHooks(
  files: Files,
  modules: Modules,
  strays: readonly StrayHook[],
): readonly Diagnostic[] {
  if (strays.length === 0) return [];
  const unused = new Map(strays.map((stray) => [keyOfStray(stray), stray]));
  const parsed = new Map(modules.parsed.map((module) => [module.file, module]));
  // It grows while it is gone through, by files that nothing had to read for the routes.
  const reached = new Set([...parsed.keys(), MAIN_FILE]);
  for (const from of reached) {
    const text = unused.size === 0 ? undefined : files.read(from);
    if (text === undefined) continue;
    for (const { file, name } of importsOf(modules, parsed.get(from) ?? parseModule(text, from), text)) {
      reached.add(file);
      const strays = [...unused].filter(([, stray]) => stray.file === file);
      if (strays.length === 0) continue;
      const origins = (name === "*" ? ALL : [name]).map((one) => originOf(modules, file, one));
      for (const [key, { origin }] of strays) if (origins.includes(origin)) unused.delete(key);
    }
  }
  return [...unused.values()].map(({ file, name, location }) => {
    const shown = name === "default" ? "the default export" : `\`${name}\``;
    const right = hooksFile(file.slice(0, Math.max(0, file.lastIndexOf("/"))));
    return diagnose("FW234", { file, shown, right }, location);
  });
}

function keyOfStray({ file, name }: Pick<StrayHook, "file" | "name">): string {
  return `${name} ${file}`;
}

/** "" where there is no such export. */
function originOf(modules: Modules, file: string, name: string): string {
  const module = modules.get(file);
  const location = module?.exports.get(name)?.location;
  if (module === undefined) return "";
  return declarationPlaceOf(resolveExport(modules, module, name, location ?? startOf(file)));
}

/** `await import("./guard.ts")`, `typeof import("./guard.ts").guard` */
const IMPORT_CALL = /\bimport\(\s*["'`]([^"'`]+)["'`]/g;

/** What a file imports of others, by name; "*" is all of it. */
function importsOf(
  modules: Modules,
  { file: from, imports, exports, stars, sources }: SourceModule,
  text: string,
): readonly Pick<StrayHook, "file" | "name">[] {
  const named = [...imports.values(), ...exports.values()];
  const found: readonly (readonly [specifier: string | null, name: string])[] = [
    ...named.map((one) => [one.from, one.name] as const),
    ...sources.map((one) => [one.text, ""] as const),
    ...stars.map((one) => [one.from, "*"] as const),
    ...[...text.matchAll(IMPORT_CALL)].map(([, specifier = ""]) => [specifier, "*"] as const),
  ];
  return found.flatMap(([specifier, name]) => {
    const file = specifier === null ? undefined : modules.resolve(from, specifier, true);
    return file === undefined ? [] : [{ file, name }];
  });
}
