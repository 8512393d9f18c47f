/** Functions that were probably meant as hooks, and that nothing uses: what such a guard should guard is open, so each is an error. */

import type { Location } from "#runtime/routing/route";
import { hasLimits } from "../config/limits.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import { closest } from "../diagnostics/closest.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { HOOKS_FILE, hooksFile, MAIN_FILE, toRoutePath } from "../layout.ts";
import { type ExportedName, listUnexported, resolveExport } from "../source/exports.ts";
import type { Files } from "../source/files.ts";
import type { SourceModule } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import { toFramework } from "../source/names.ts";
import { parseModule } from "../source/reader.ts";
import { parseRouteFile } from "./file-naming.ts";

export const HOOK_NAMES = ["guard", "middleware", "error", "limits"] as const;
export type HookName = (typeof HOOK_NAMES)[number];

export function isHookName(name: string): name is HookName {
  return HOOK_NAMES.some((known) => known === name);
}

/** What else people call hooks, in lower case, and which one they mean. */
const MEANT: ReadonlyMap<string, HookName> = new Map([
  ["guards", "guard"],
  ["auth", "guard"],
  ["authorize", "guard"],
  ["before", "guard"],
  ["beforeeach", "guard"],
  ["middlewares", "middleware"],
  ["use", "middleware"],
  ["handle", "middleware"],
  ["errors", "error"],
  ["onerror", "error"],
  ["handleerror", "error"],
  ["errorhandler", "error"],
  ["catch", "error"],
]);

/** What people call files and folders of hooks, with or without underscores before it. */
const FILE_NAME = /^_*(hooks?|guards?|middlewares?|auth)$/i;
const SOURCE = /^(?:([a-z]+)\.m?[jt]s|(_+[a-z]+)\.(?:[cm]?[jt]s|[jt]sx))$/i;

/** The exports that nothing calls in a file of such a name, and in a file of handlers. */
const REFUSING: readonly string[] = ["guard", "middleware", "limits"];
/** And in one that begins with `_`, which no other tool reads. */
const ALL: readonly string[] = [...REFUSING, "error", "default"];

export interface NearHook {
  readonly module: SourceModule;
  readonly name: string;
  readonly diagnostic: Diagnostic;
}

function toNear(module: SourceModule, name: string, location: Location, why: string, hint: string): NearHook {
  const what = `${name === "default" ? "the default export" : `\`${name}\``} of ${module.file}`;
  return { module, name, diagnostic: diagnose("FW225", { what, why, hint }, location) };
}

/** An object with the names of limits, and not one about something else. */
function areLimits({ exports, values }: SourceModule, name: string): boolean {
  const value = values.get(exports.get(name)?.name ?? name);
  return value?.kind === "other" && hasLimits(value.entries);
}

/** In a `_hooks.ts`. A provider may be there, too, but then some file imports it. @param exported all that it exports. */
export function findInHooksFile(
  modules: Modules,
  module: SourceModule,
  exported: readonly ExportedName[],
): readonly NearHook[] {
  const names = new Set(exported.map(({ name }) => name));
  return exported.flatMap(({ name, module: exporter, location }) => {
    if (isHookName(name)) return [];
    const hasOwn = areLimits(module, name);
    const meant = hasOwn ? "limits" : (MEANT.get(name.toLowerCase()) ?? closest(name, HOOK_NAMES));
    if (meant === undefined || names.has(meant)) return [];
    const origin = resolveExport(modules, exporter, name, location);
    // `guards = [requireUser]`
    const isList = origin.kind === "other" && origin.what === "an array";
    const isLikely = meant === "limits" ? hasOwn : isCallable(origin.kind) || isList;
    const hint = `Did you mean \`${meant}\`? If not, move it to another file.`;
    return isLikely ? [toNear(module, name, location, `\`${name}\` is not the name of a hook`, hint)] : [];
  });
}

/** A library may have made it. */
function isCallable(kind: string): boolean {
  return kind === "function" || kind === "opaque";
}

/** What a `_hooks.ts` has but does not export by its name. */
export function diagnoseNotExported(module: SourceModule): readonly Diagnostic[] {
  const { exports, values } = module;
  const unexported = [...listUnexported(module)].filter(([name]) => isHookName(name) && !exports.has(name));
  const limits = values.get("limits");
  if (limits && !exports.has("limits") && areLimits(module, "limits"))
    unexported.push(["limits", limits.location]);
  const ofDefault = exports.get("default");
  if (ofDefault && !ofDefault.typeOnly) unexported.push(["default", ofDefault.location]);
  const hint = `Export it by its name, ${HOOK_NAMES.join(", ")}, or give it another one.`;
  return unexported.map(
    ([name, location]) => toNear(module, name, location, "a hook is exported by its name", hint).diagnostic,
  );
}

/** In another file than a `_hooks.ts`: one of handlers, or one of nearly its name. @param folder whose `_hooks.ts` was meant. */
export function findElsewhere(
  modules: Modules,
  module: SourceModule,
  folder: string = module.file.slice(0, Math.max(0, module.file.lastIndexOf("/"))),
  names: readonly string[] = REFUSING,
): readonly NearHook[] {
  return names.flatMap((name) => {
    const own = module.exports.get(name);
    if (own === undefined) return [];
    const { kind } = resolveExport(modules, module, name, own.location);
    // Of default exports only a function is a hook, and what a package exports may be one.
    const isHook =
      name === "limits"
        ? areLimits(module, name)
        : kind === "function" || (name !== "default" && (isCallable(kind) || kind === "unresolved"));
    const why = `hooks are read from ${HOOKS_FILE} alone`;
    const hint = `Move it to ${hooksFile(folder)}, or export it from there. If it is not a hook, give it another name.`;
    return isHook ? [toNear(module, name, own.location, why, hint)] : [];
  });
}

/** In the files that have nearly the name of a `_hooks.ts` in this folder. Route files are read with the handlers. */
function findByName(files: Files, modules: Modules, folder: string): readonly NearHook[] {
  const prefix = folder === "" ? "" : `${folder}/`;
  return files.list(folder).flatMap(({ name, kind }) => {
    const isHidden = name.startsWith("_");
    const word = wordOf(kind === "folder" ? `${name}.ts` : name);
    const isNear = FILE_NAME.test(word) || (isHidden && closest(word, ["_hooks"]) !== undefined);
    if (!isNear || name === HOOKS_FILE) return [];
    const inside = kind === "folder" ? files.list(prefix + name) : [];
    const meant = inside.map((one) => one.name).filter((file) => isMeantInside(wordOf(file), isHidden));
    const paths = kind === "folder" ? meant.map((file) => `${name}/${file}`) : [name];
    return paths.flatMap((path) => {
      const module = isRouteFile(prefix + path) ? undefined : modules.get(prefix + path);
      if (module === undefined) return [];
      // Next.js calls a `middleware` of the root.
      const isOurs = isHidden || folder !== "" || importsFramework(module);
      return findElsewhere(modules, module, folder, isHidden ? ALL : isOurs ? REFUSING : ["guard"]);
    });
  });
}

/** The name of a source file without its ending; "" for another file. */
function wordOf(file: string): string {
  const [, plain, hidden] = SOURCE.exec(file) ?? [];
  return plain ?? hidden ?? "";
}

/** In a folder of such a name. */
function isMeantInside(word: string, isHidden: boolean): boolean {
  return word === "index" || (isHidden && FILE_NAME.test(word));
}

function importsFramework({ imports }: SourceModule): boolean {
  return [...imports.values()].some(({ from }) => toFramework(from) === "framework");
}

function isRouteFile(file: string): boolean {
  const path = toRoutePath(file);
  return path !== undefined && parseRouteFile(path) !== undefined;
}

/**
 * Reports what the server's code does not import: `_hooks.ts` may export a guard of another file, and a handler may take it as a provider.
 *
 * @param folders that may have a `_hooks.ts`.
 * @param read those that were found while files were read.
 */
export function diagnoseNearHooks(
  files: Files,
  modules: Modules,
  folders: Iterable<string>,
  read: readonly NearHook[],
): readonly Diagnostic[] {
  const parsed = new Map(modules.parsed.map((module) => [module.file, module]));
  const near = [...read, ...[...folders].flatMap((folder) => findByName(files, modules, folder))];
  if (near.length === 0) return [];
  const used = new Set<string>();
  // It grows while it is gone through, by files that nothing had to read for the routes.
  const reached = new Set([...parsed.keys(), MAIN_FILE]);
  for (const from of reached) {
    const text = files.read(from);
    if (text === undefined) continue;
    for (const [file, name] of importsOf(modules, parsed.get(from) ?? parseModule(text, from), text)) {
      reached.add(file);
      used.add(`${file} ${name}`);
    }
  }
  return near
    .filter((hook) => !namesOf(hook).some((name) => used.has(`${hook.module.file} ${name}`)))
    .map(({ diagnostic }) => diagnostic);
}

/** The names under which a file can import a hook: one function may be exported twice. */
function namesOf({ module: { exports }, name }: NearHook): readonly string[] {
  const own = exports.get(name);
  const twins = [...exports].filter(([, { name: local, from }]) => local === own?.name && from === own?.from);
  return ["*", ...twins.map(([exported]) => exported)];
}

/** `await import("./guard.ts")`, `typeof import("./guard.ts").guard` */
const IMPORT_CALL = /\bimport\((?:\s|\/\*.*?\*\/)*["'`]([^"'`]+)["'`]/gs;

/** What a file imports of others, by name; "*" is all of it. */
function importsOf(
  modules: Modules,
  { file, imports, exports, stars, sources }: SourceModule,
  text: string,
): readonly (readonly [file: string, name: string])[] {
  const found = [
    ...[...imports.values(), ...exports.values()],
    ...sources.map(({ text: from }) => ({ from, name: "" })),
    ...stars.map(({ from }) => ({ from, name: "*" })),
    ...[...text.matchAll(IMPORT_CALL)].map(([, from]) => ({ from, name: "*" })),
  ];
  return found.flatMap(({ from, name }) => {
    const target = from && modules.resolve(file, from, true);
    return target ? [[target, name] as const] : [];
  });
}
