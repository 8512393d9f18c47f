/** Functions that were probably meant as hooks, and that nothing calls: what such a guard should guard is open, so each is an error. */

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
const FUNCTIONS = HOOK_NAMES.slice(0, -1);

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
const FILE_NAMES: readonly string[] = [
  "hook",
  "hooks",
  "guard",
  "guards",
  "middleware",
  "middlewares",
  "auth",
];

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
  const effect = areLimits(module, name)
    ? { uses: "reads", acts: "limits" }
    : { uses: "calls", acts: "guards" };
  return { module, name, diagnostic: diagnose("FW225", { what, ...effect, why, hint }, location) };
}

/** An object with the names of limits, and not one about something else. */
function areLimits({ exports, values }: SourceModule, name: string): boolean {
  const value = values.get(exports.get(name)?.name ?? name);
  return value?.kind === "other" && hasLimits(value.entries);
}

/** In a file of handlers. */
export function findInHandlers(modules: Modules, module: SourceModule): readonly NearHook[] {
  return findElsewhere(modules, module, folderOf(module.file), REFUSING);
}

/** In a `_hooks.ts`. A provider may be there, too, but then some file imports it. @param exported all that it exports. */
export function findInHooksFile(
  modules: Modules,
  module: SourceModule,
  exported: readonly ExportedName[],
): readonly NearHook[] {
  const names = new Set(exported.map(({ name }) => name));
  return exported.flatMap(({ name, module: exporter, location }) => {
    const origin = resolveExport(modules, exporter, name, location);
    // `guards = [requireUser]`
    const isList = origin.kind === "other" && origin.what === "an array";
    if (isHookName(name)) return [];
    if (origin.kind === "other" && hasLimits(origin.entries) && !names.has("limits"))
      return [toNear(module, name, location, notHook(name), "Did you mean `limits`?")];
    if (!(origin.kind === "function" || origin.kind === "opaque" || isList)) return [];
    const meant = MEANT.get(name.toLowerCase()) ?? closest(name, FUNCTIONS);
    if (meant === undefined || names.has(meant)) return [];
    const hint = `Did you mean \`${meant}\`? If not, move it to another file.`;
    return [toNear(module, name, location, notHook(name), hint)];
  });
}

function notHook(name: string): string {
  return `\`${name}\` is not the name of a hook`;
}

/** What a `_hooks.ts` has but does not export by its name. */
export function diagnoseNotExported(module: SourceModule): readonly Diagnostic[] {
  const { exports } = module;
  const unexported = [...listUnexported(module)].filter(([name]) => isHookName(name) && !exports.has(name));
  const limits = module.values.get("limits");
  if (limits && !exports.has("limits") && areLimits(module, "limits"))
    unexported.push(["limits", limits.location]);
  const ofDefault = exports.get("default");
  if (ofDefault && !ofDefault.typeOnly) unexported.push(["default", ofDefault.location]);
  const hint = `Export it by its name, ${HOOK_NAMES.join(", ")}, or give it another one.`;
  return unexported.map(
    ([name, location]) => toNear(module, name, location, "a hook is exported by its name", hint).diagnostic,
  );
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf("/")));
}

/** @param folder whose `_hooks.ts` was meant. */
function findElsewhere(
  modules: Modules,
  module: SourceModule,
  folder: string,
  names: readonly string[],
): readonly NearHook[] {
  return names.flatMap((name) => {
    const own = module.exports.get(name);
    // What `views.ts` exports of another file, `_hooks.ts` may have from there.
    const found = own ?? (names === ALL ? module.stars.find(({ typeOnly }) => !typeOnly) : undefined);
    if (found === undefined) return [];
    const { kind } = resolveExport(modules, module, name, found.location);
    // A library may have made it, or export it. Of default exports only a function is a hook.
    const isHook =
      name === "limits"
        ? areLimits(module, name)
        : kind === "function" ||
          (name !== "default" && (kind === "opaque" || (own && kind === "unresolved")));
    const why = `hooks are read from ${HOOKS_FILE} alone`;
    const hint = `Move it to ${hooksFile(folder)}, or export it from there. If it is not a hook, give it another name.`;
    return isHook ? [toNear(module, name, found.location, why, hint)] : [];
  });
}

const SOURCE = /^(?:__?([a-z]+)\.(?:[cm]?[jt]s|[jt]sx)|([a-z]+)\.m?[jt]s)$/i;

function isFileName(word: string): boolean {
  return FILE_NAMES.includes(word.toLowerCase());
}

/** The exports of a file that nothing calls. @param path from the folder whose `_hooks.ts` was meant. */
function hooksIn(path: string): readonly string[] {
  const steps = path.split("/");
  const [, low, plain] = SOURCE.exec(steps.at(-1) ?? "") ?? [];
  const word = low ?? plain;
  if (path === HOOKS_FILE || word === undefined) return [];
  const names = path.startsWith("_") ? ALL : REFUSING;
  const isInside = steps.length > 1;
  if (isInside && /^(?:index|error)$/.test(word)) return names;
  const isNear = isFileName(word) || (low !== undefined && closest(word, ["hooks"]) !== undefined);
  return isNear && (!isInside || names === ALL) ? names : [];
}

/** In the files beside a `_hooks.ts`, or in its place, that have nearly its name. Route files are read with the handlers. */
function findByName(files: Files, modules: Modules, folder: string): readonly NearHook[] {
  const toPath = (name: string): string => (folder === "" ? name : `${folder}/${name}`);
  const paths = files.list(folder).flatMap(({ name, kind }) => {
    if (kind === "file") return [name];
    if (kind !== "folder" || !isFileName(name.replace(/^__?/, ""))) return [];
    return files.list(toPath(name)).flatMap((one) => (one.kind === "file" ? [`${name}/${one.name}`] : []));
  });
  return paths.flatMap((path) => {
    const names = isRouteFile(toPath(path)) ? [] : hooksIn(path);
    const module = names.length > 0 ? modules.get(toPath(path)) : undefined;
    if (module === undefined) return [];
    // Next.js calls a `middleware` of the root.
    const isOurs = path.startsWith("_") || folder !== "" || importsFramework(module);
    return findElsewhere(modules, module, folder, isOurs ? names : ["guard"]);
  });
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
  const named = [...folders].flatMap((folder) => findByName(files, modules, folder));
  const unused = new Set([...read, ...named]);
  // It grows while it is gone through, by files that nothing had to read for the routes.
  const reached = new Set([...parsed.keys(), MAIN_FILE]);
  for (const from of reached) {
    const text = unused.size === 0 ? undefined : files.read(from);
    if (text === undefined) continue;
    for (const [file, name] of importsOf(modules, parsed.get(from) ?? parseModule(text, from), text)) {
      reached.add(file);
      for (const near of unused) if (near.module.file === file && isSame(near, name)) unused.delete(near);
    }
  }
  return [...unused].map(({ diagnostic }) => diagnostic);
}

/** One function may have two names. */
function isSame({ module: { exports }, name }: NearHook, imported: string): boolean {
  if (imported === name || imported === "*") return true;
  const [one, other] = [exports.get(name), exports.get(imported)];
  return one !== undefined && one.name === other?.name && one.from === other.from;
}

/** `await import("./guard.ts")`, `typeof import("./guard.ts").guard` */
const IMPORT_CALL = /\bimport\((?:\s|\/\*.*?\*\/)*["'`]([^"'`]+)["'`]/gs;

/** What a file imports of others, by name; "*" is all of it. */
function importsOf(
  modules: Modules,
  { file, imports, exports, stars, sources }: SourceModule,
  text: string,
): readonly (readonly [file: string, name: string])[] {
  const all = [...stars.map(({ from }) => from), ...[...text.matchAll(IMPORT_CALL)].map(([, from]) => from)];
  const found = [
    ...[...imports.values(), ...exports.values()],
    ...sources.map(({ text: from }) => ({ from, name: "" })),
    ...all.map((from) => ({ from, name: "*" })),
  ];
  return found.flatMap(({ from, name }) => {
    const target = from && modules.resolve(file, from, true);
    return target ? [[target, name] as const] : [];
  });
}
