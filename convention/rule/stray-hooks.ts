/** Hooks in files that are not `_hooks.ts`: nothing calls them, so what such a guard should guard is open. */

import type { Location } from "#runtime/routing/route";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { HOOKS_FILE, hooksFile, MAIN_FILE, toRoutePath } from "../layout.ts";
import { resolveExport } from "../source/exports.ts";
import type { Files } from "../source/files.ts";
import type { SourceModule } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import { toFramework } from "../source/names.ts";
import { parseModule } from "../source/reader.ts";
import { parseRouteFile } from "./naming.ts";

/** A hook that a file other than `_hooks.ts` exports. */
export interface StrayHook {
  readonly module: SourceModule;
  readonly name: string;
  readonly location: Location;
  /** The one whose `_hooks.ts` was meant. */
  readonly folder: string;
}

/** What people call files and folders of hooks. */
const NAME = "(?:h[ok]{2,4}s?|guards?|middlewares?|auth)";
const FOLDER = new RegExp(`^_{0,2}${NAME}$`, "i");

const REFUSING: readonly string[] = ["guard", "middleware"];
const ALL: readonly string[] = [...REFUSING, "error", "default"];

/** Paths from a folder that has routes, and the exports that nothing calls there. Other tools have files of the second kind, too. */
const TABLE: readonly (readonly [path: RegExp, names: readonly string[]])[] = [
  [new RegExp(`^__?${NAME}(?:/(?:index|error|_{0,2}${NAME}))?\\.(?:[cm]?[jt]s|[jt]sx)$`, "i"), ALL],
  [new RegExp(`^${NAME}(?:/index)?\\.m?[jt]s$`, "i"), REFUSING],
];

/** In a file of handlers. */
export function findStrayHooks(modules: Modules, module: SourceModule): readonly StrayHook[] {
  const folder = module.file.slice(0, Math.max(0, module.file.lastIndexOf("/")));
  return findExported(modules, module, folder, REFUSING);
}

function findExported(
  modules: Modules,
  module: SourceModule,
  folder: string,
  names: readonly string[],
): readonly StrayHook[] {
  return names.flatMap((name) => {
    const own = module.exports.get(name);
    // What `views.ts` exports of another file, `_hooks.ts` may have from there.
    const found = own ?? (names === ALL ? module.stars.find(({ typeOnly }) => !typeOnly) : undefined);
    if (found === undefined) return [];
    const { kind } = resolveExport(modules, module, name, found.location);
    // A library may have made it, or export it. Of default exports only a function is a hook.
    const isHook =
      kind === "function" || (name !== "default" && (kind === "opaque" || (own && kind === "unresolved")));
    return isHook ? [{ module, name, location: found.location, folder }] : [];
  });
}

/** In the files that {@link TABLE} names. Route files are read with the handlers. */
function findByName(files: Files, modules: Modules, folder: string): readonly StrayHook[] {
  const toPath = (name: string): string => (folder === "" ? name : `${folder}/${name}`);
  const paths = files.list(folder).flatMap(({ name, kind }) => {
    if (kind !== "folder") return kind === "file" ? [name] : [];
    if (!FOLDER.test(name)) return [];
    return files.list(toPath(name)).flatMap((one) => (one.kind === "file" ? [`${name}/${one.name}`] : []));
  });
  return paths.flatMap((path) => {
    const [, names] = TABLE.find(([pattern]) => path !== HOOKS_FILE && pattern.test(path)) ?? [];
    const module = names && !isRouteFile(toPath(path)) ? modules.get(toPath(path)) : undefined;
    if (!names || !module) return [];
    // Next.js calls a `middleware` of the root.
    const isOurs = path.startsWith("_") || folder !== "" || importsFramework(module);
    return findExported(modules, module, folder, isOurs ? names : ["guard"]);
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
 * @param ofHandlers the hooks that are in files of handlers.
 */
export function diagnoseStrayHooks(
  files: Files,
  modules: Modules,
  folders: Iterable<string>,
  ofHandlers: readonly StrayHook[],
): readonly Diagnostic[] {
  const parsed = new Map(modules.parsed.map((module) => [module.file, module]));
  const named = [...folders].flatMap((folder) => findByName(files, modules, folder));
  const unused = new Set([...ofHandlers, ...named]);
  // It grows while it is gone through, by files that nothing had to read for the routes.
  const reached = new Set([...parsed.keys(), MAIN_FILE]);
  for (const from of reached) {
    const text = unused.size === 0 ? undefined : files.read(from);
    if (text === undefined) continue;
    for (const [file, name] of importsOf(modules, parsed.get(from) ?? parseModule(text, from), text)) {
      reached.add(file);
      for (const stray of unused) if (stray.module.file === file && isSame(stray, name)) unused.delete(stray);
    }
  }
  return [...unused].map(({ module: { file }, name, location, folder }) => {
    const shown = name === "default" ? "the default export" : `\`${name}\``;
    return diagnose("FW234", { file, shown, right: hooksFile(folder) }, location);
  });
}

/** One function may have two names. */
function isSame({ module: { exports }, name }: StrayHook, imported: string): boolean {
  if (imported === name || imported === "*") return true;
  const [one, other] = [exports.get(name), exports.get(imported)];
  return one !== undefined && one.name === other?.name && one.from === other.from;
}

/** `await import("./guard.ts")`, `typeof import("./guard.ts").guard` */
const IMPORT_CALL = /\bimport\(\s*["'`]([^"'`]+)["'`]/g;

/** What a file imports of others, by name; "*" is all of it. */
function importsOf(
  modules: Modules,
  { file, imports, exports, stars, sources, places }: SourceModule,
  text: string,
): readonly (readonly [file: string, name: string])[] {
  const ends = [0, ...places.comments.map(({ end }) => end)];
  const code = ends.map((end, index) => text.slice(end, places.comments[index]?.start)).join("");
  const all = [...stars.map(({ from }) => from), ...[...code.matchAll(IMPORT_CALL)].map(([, from]) => from)];
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
