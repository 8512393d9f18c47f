/** Hooks in files that are not `_hooks.ts`: nothing calls them, so what such a guard should guard is open. */

import type { Location } from "#runtime/routing/route";
import { diagnose, startOf } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { HOOKS_FILE, hooksFile, MAIN_FILE, toRoutePath } from "../layout.ts";
import { declarationPlaceOf, type Origin, resolveExport } from "../source/exports.ts";
import type { Entry, Files } from "../source/files.ts";
import type { SourceModule, Span } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import { parseModule } from "../source/reader.ts";
import { endOf, findNamed } from "../wire/marks.ts";
import type { ScopedType } from "../wire/scope.ts";
import { parseRouteFile } from "./naming.ts";

/** A hook that a file other than `_hooks.ts` exports. */
export interface StrayHook {
  readonly file: string;
  readonly name: string;
  readonly location: Location;
  /** Where it is declared: it may have several names. */
  readonly origin: string;
  /** The one whose `_hooks.ts` was meant. */
  readonly folder: string;
}

/** The names of files and folders that say that hooks are in them. Without a `_`, anything else may be in them, too. */
const NAME_OF_HOOKS = /^_{0,2}(?:h[ok]{2,4}s?|guards?|middlewares?|auth)$/i;
const SOURCE_ENDING = /\.m?[jt]s$/;
/** With a `_` it is a slip for `_hooks.ts` in any ending. Without one it may be a page's, in a syntax that is not read here. */
const SLIPPED_ENDING = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** The hooks that can refuse a request: no file may export one in vain, whatever its name is. */
const REFUSING: readonly string[] = ["guard", "middleware"];
const ALL: readonly string[] = [...REFUSING, "error", "default"];

/** In a file of handlers. What a library returns is a hook, too: nothing else is exported from there by such a name. */
export function findStrayHooks(modules: Modules, module: SourceModule): readonly StrayHook[] {
  const folder = folderOfFile(module.file);
  return findExportedHooks(modules, module, REFUSING, folder, mayBeHook);
}

function findExportedHooks(
  modules: Modules,
  module: SourceModule,
  names: readonly string[],
  folder: string,
  isHook: (origin: Origin, name: string) => boolean,
): readonly StrayHook[] {
  const { file, exports, stars } = module;
  return names.flatMap((name) => {
    const found = exports.get(name) ?? (names === ALL ? stars.find(({ typeOnly }) => !typeOnly) : undefined);
    if (found === undefined || found.typeOnly) return [];
    const { location } = found;
    const origin = resolveExport(modules, module, name, location);
    if (!isHook(origin, name) || (origin.kind === "unresolved" && !exports.has(name))) return [];
    return [{ file, name, location, origin: declarationPlaceOf(origin), folder }];
  });
}

/** Of a default export only what certainly is a function. */
function mayBeHook({ kind }: Origin, name: string): boolean {
  return kind === "function" || (name !== "default" && (kind === "opaque" || kind === "unresolved"));
}

/** In the files of a folder whose names say so, but for route files: those are read with the handlers. */
export function findHooksByName(files: Files, modules: Modules, folder: string): readonly StrayHook[] {
  return files.list(folder).flatMap((entry) => {
    if (!NAME_OF_HOOKS.test(stemOf(entry))) return [];
    const isSlip = entry.name.startsWith("_");
    const names = isSlip ? ALL : REFUSING;
    const isHook = isSlip ? mayBeHook : (...found: Found) => isMeant(modules, folder, ...found);
    return listNamed(files, folder, entry).flatMap((file) => {
      const module = isRouteFile(file) ? undefined : modules.get(file);
      return module ? findExportedHooks(modules, module, names, folder, isHook) : [];
    });
  });
}

/** Without its ending; "" for what is no source file, and for `_hooks.ts` itself. */
function stemOf({ name, kind }: Entry): string {
  if (kind === "folder") return name;
  const stem = name.replace(name.startsWith("_") ? SLIPPED_ENDING : SOURCE_ENDING, "");
  return kind === "other" || name === HOOKS_FILE || stem === name ? "" : stem;
}

/** A file of such a name, or the files of such a folder that are for its hooks. */
function listNamed(files: Files, folder: string, { name, kind }: Entry): readonly string[] {
  const path = folder === "" ? name : `${folder}/${name}`;
  if (kind === "file") return [path];
  return files.list(path).flatMap((inner) => {
    const stem = inner.kind === "file" ? stemOf(inner) : "";
    const isNamed =
      stem === "index" || (name.startsWith("_") && (stem === "error" || NAME_OF_HOOKS.test(stem)));
    return isNamed ? [`${path}/${inner.name}`] : [];
  });
}

type Found = readonly [origin: Origin, name: string];

/** In a file that may be something else: what a library returns, or another framework calls, is no middleware of ours. */
function isMeant(modules: Modules, folder: string, origin: Origin, name: string): boolean {
  if (origin.kind !== "function") return origin.kind === "opaque" && name === "guard";
  return name === "guard" || canBeMiddleware(modules, origin, folder === "");
}

/** @param isPrescribed at the root, where Next.js calls a `middleware` with the request alone. */
function canBeMiddleware(
  modules: Modules,
  { module, value: { parameters, contextual } }: Extract<Origin, { readonly kind: "function" }>,
  isPrescribed: boolean,
): boolean {
  const types = [contextual, ...parameters.map((one) => (one.kind === "rest" ? null : one.type))];
  const given = types.map(
    (type) => type && typeGiven(modules, { type, scope: { module, parameters: new Map() } }),
  );
  if (given.includes("ours")) return true;
  const required = parameters.filter((one) => one.kind !== "rest" && !one.optional);
  const takesNext = parameters.length > 1 || parameters.some(({ kind }) => kind === "rest");
  return !given.includes("another") && required.length <= 2 && (takesNext || !isPrescribed);
}

/** Whose values a parameter has: the framework's, or others than a request and `next` are. Undefined where that is open. */
function typeGiven(modules: Modules, scoped: ScopedType): "ours" | "another" | undefined {
  const end = endOf(modules, scoped);
  const named = findNamed(modules, end);
  if (named && "kind" in named && named.kind === "framework") return "ours";
  if (named && "kind" in named && named.kind === "foreign") return "another";
  const { type } = end;
  const isValue =
    type.kind === "keyword" ? !OPEN_KEYWORDS.includes(type.name) : KINDS_OF_VALUES.includes(type.kind);
  return isValue ? "another" : undefined;
}

const OPEN_KEYWORDS: readonly string[] = ["any", "unknown", "object"];
const KINDS_OF_VALUES: readonly string[] = ["literal", "array", "tuple", "template", "keyof"];

function folderOfFile(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf("/")));
}

function isRouteFile(file: string): boolean {
  const path = toRoutePath(file);
  return path !== undefined && parseRouteFile(path) !== undefined;
}

/**
 * What nothing imports is in vain. `_hooks.ts` may export a guard of another file, and a handler may take it as a provider.
 *
 * @param seen the files that were read for the routes. An import from one that was only looked into for strays counts if that is imported.
 */
export function diagnoseStrayHooks(
  files: Files,
  modules: Modules,
  strays: readonly StrayHook[],
  seen: ReadonlySet<string>,
): readonly Diagnostic[] {
  if (strays.length === 0) return [];
  const unused = new Map(strays.map((stray) => [keyOfStray(stray), stray]));
  const parsed = new Map(modules.parsed.map((module) => [module.file, module]));
  // It grows while it is gone through, by files that nothing had to read for the routes.
  const reached = new Set([...parsed.keys()].filter((file) => seen.has(file)).concat(MAIN_FILE));
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
  return [...unused.values()].map(({ file, name, location, folder }) => {
    const shown = name === "default" ? "the default export" : `\`${name}\``;
    return diagnose("FW234", { file, shown, right: hooksFile(folder) }, location);
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
  { file: from, imports, exports, stars, sources, places }: SourceModule,
  text: string,
): readonly Pick<StrayHook, "file" | "name">[] {
  const named = [...imports.values(), ...exports.values()];
  const found: readonly (readonly [specifier: string | null, name: string])[] = [
    ...named.map((one) => [one.from, one.name] as const),
    ...sources.map((one) => [one.text, ""] as const),
    ...stars.map((one) => [one.from, "*"] as const),
    ...[...removeComments(text, places.comments).matchAll(IMPORT_CALL)].map(
      ([, specifier = ""]) => [specifier, "*"] as const,
    ),
  ];
  return found.flatMap(([specifier, name]) => {
    const file = specifier === null ? undefined : modules.resolve(from, specifier, true);
    return file === undefined ? [] : [{ file, name }];
  });
}

function removeComments(text: string, comments: readonly Span[]): string {
  const ends = [0, ...comments.map(({ end }) => end)];
  return ends.map((end, index) => text.slice(end, comments[index]?.start)).join("");
}
