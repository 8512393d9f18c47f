/** Finds the hooks of folders: what each `_hooks.ts` exports for every route of its folder and below. */

import type { RouteLimits } from "#runtime/settings";
import type { App } from "../config/config.ts";
import { LIMITS_EXAMPLE, readLimits } from "../config/limits.ts";
import { diagnose, startOf } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { APPS_FOLDER, HOOKS_FILE, hooksFile, ROUTES_FOLDER } from "../layout.ts";
import { readBody } from "../source/bodies.ts";
import { type ExportedName, listExports, type Origin, resolveExport } from "../source/exports.ts";
import type { Entry, Files } from "../source/files.ts";
import type { SourceModule } from "../source/module.ts";
import type { FolderHooks, Shared } from "../wire/typed-route.ts";
import { diagnoseExport, diagnoseInerasable, diagnoseMainImport, diagnoseUnresolved } from "./loaded-file.ts";
import {
  diagnoseNearHooks,
  diagnoseNotExported,
  findInHooksFile,
  HOOK_NAMES,
  isHookName,
  type NearHook,
} from "./near-hooks.ts";
import { type CallReader, readFunction } from "./providers.ts";
import type { FoundCall } from "./signature.ts";

/** What one file exports. */
export interface FoundHooks {
  /** "" is the project's root. */
  readonly folder: string;
  readonly guard?: FoundCall;
  readonly middleware?: Shared;
  readonly error?: Shared;
  readonly limits?: RouteLimits;
}

export interface HooksDiscovery {
  readonly hooks: Hooks;
  readonly diagnostics: readonly Diagnostic[];
}

/** By folder. */
export type Hooks = ReadonlyMap<string, FoundHooks>;

/**
 * After the handlers: what they import tells whether hooks in another file are something else.
 *
 * @param routeFolders the folders of the route files, `routes` first.
 * @param ofHandlers the hooks that are in files of handlers.
 */
export function discoverHooks(
  files: Files,
  types: CallReader,
  apps: readonly App[],
  routeFolders: readonly string[],
  ofHandlers: readonly NearHook[],
): HooksDiscovery {
  const hooks = new Map<string, FoundHooks>();
  const near = [...ofHandlers];
  const diagnostics: Diagnostic[] = [];
  const folders = new Set(["", APPS_FOLDER, ...apps.map((app) => app.folder), ...routeFolders]);
  for (const folder of folders) {
    diagnostics.push(...diagnoseIdleFiles(files, folder, folders));
    const entry = files.list(folder).find(({ name }) => name === HOOKS_FILE);
    if (entry === undefined) continue;
    const read = readHooks(types, folder, entry);
    diagnostics.push(...read.diagnostics);
    hooks.set(folder, read.hooks);
    near.push(...read.near);
  }
  diagnostics.push(...diagnoseNearHooks(files, types.modules, folders, near));
  return { hooks, diagnostics };
}

/** The hooks that run around the routes of a file, the outer first. */
export function hooksAround(hooks: Hooks, file: string): FoundHooks[] {
  if (hooks.size === 0) return [];
  const steps = file.split("/").slice(0, -1);
  const folders = ["", ...steps.map((_, index) => steps.slice(0, index + 1).join("/"))];
  return folders.flatMap((folder) => hooks.get(folder) ?? []);
}

/** The guards of folders. */
export function listGuards(hooks: Hooks): readonly Shared[] {
  return [...hooks.values()].flatMap(({ guard }) => {
    if (guard === undefined) return [];
    const { name, module, exported, location } = guard;
    return [{ name, module, exported, location }];
  });
}

/** @returns undefined for a folder that has neither middleware nor an error hook. */
export function toFolderHooks(found: FoundHooks | undefined): FolderHooks | undefined {
  if (!found?.middleware && !found?.error) return undefined;
  const { guard: _, limits: __, ...hooks } = found;
  return hooks;
}

/** @param around the outer first. @returns of each limit the nearest; undefined where there is none. */
export function nearestLimits(around: readonly FoundHooks[]): RouteLimits | undefined {
  const limits: RouteLimits = Object.assign({}, ...around.map((found) => found.limits));
  return Object.keys(limits).length === 0 ? undefined : limits;
}

/** Hooks in folders whose files serve nothing. */
function diagnoseIdleFiles(files: Files, folder: string, folders: ReadonlySet<string>): Diagnostic[] {
  return files.list(folder).flatMap(({ name, kind, link }) => {
    const path = toPath(folder, name);
    const file = hooksFile(path);
    if (kind !== "folder" || link || folders.has(path) || SKIPPED.test(name) || !files.has(file)) return [];
    const right = folder.includes("/") ? folder : ROUTES_FOLDER;
    const hint = `Move the file to a folder with routes, such as ${right}/, or delete it.`;
    return [diagnose("FW221", { file, why: "no route is in its folder", hint }, startOf(file))];
  });
}

/** Hidden folders, and those of what others have written. */
const SKIPPED = /^(?:\.|node_modules$|vendor$)/;

function toPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

interface ReadHooks {
  readonly hooks: FoundHooks;
  /** What is there beside the hooks, and may be meant as one. */
  readonly near: readonly NearHook[];
  readonly diagnostics: readonly Diagnostic[];
}

function readHooks(types: CallReader, folder: string, { kind }: Entry): ReadHooks {
  const { modules } = types;
  const file = hooksFile(folder);
  if (kind !== "file") {
    const why = "it is not a file, or it is a link to nothing";
    return { hooks: { folder }, near: [], diagnostics: [diagnose("FW113", { file, why }, startOf(file))] };
  }
  const module = modules.get(file);
  if (module === undefined) return { hooks: { folder }, near: [], diagnostics: [] };
  const diagnostics = [...diagnoseInerasable(module), ...diagnoseMainImport(modules, module)];
  const names = listExports(modules, module, (problem) =>
    diagnostics.push(diagnoseUnresolved("export *", problem)),
  );
  const read = names.flatMap((exported) => readHook(types, file, exported) ?? []);
  const near = findInHooksFile(modules, module, names);
  diagnostics.push(
    ...read.flatMap((one) => one.diagnostics),
    ...diagnoseErased(module),
    ...diagnoseNotExported(module),
  );
  const hooks: FoundHooks = Object.assign({ folder }, ...read.map(({ hook }) => hook));
  const isIdle = [read, near, diagnostics, module.problems].every((found) => found.length === 0);
  const hint = "Export one of them, or delete the file.";
  const idle = (): Diagnostic =>
    diagnose("FW221", { file, why: "it exports no guard, middleware, error or limits", hint }, startOf(file));
  return { hooks, near, diagnostics: isIdle ? [idle()] : diagnostics };
}

/** `export type { guard }` exports a function to the type checker alone. */
function diagnoseErased({ exports }: SourceModule): Diagnostic[] {
  return HOOK_NAMES.flatMap((name) => {
    const found = exports.get(name);
    return found?.typeOnly ? [diagnose("FW312", { name, what: "only a type" }, found.location)] : [];
  });
}

interface ReadHook {
  readonly hook: Partial<FoundHooks>;
  readonly diagnostics: readonly Diagnostic[];
}

function reject(...diagnostics: readonly Diagnostic[]): ReadHook {
  return { hook: {}, diagnostics };
}

/** @returns undefined for an export that is not a hook. */
function readHook(types: CallReader, file: string, exported: ExportedName): ReadHook | undefined {
  const { name, location } = exported;
  if (!isHookName(name)) return undefined;
  const origin = resolveExport(types.modules, exported.module, name, location);
  if (origin.kind === "nothing") return undefined;
  if (name === "limits") return readOwnLimits(exported, origin);
  // A bundler drops it without a word, and what it guards would be open.
  if (origin.kind === "type") return reject(diagnose("FW312", { name, what: "only a type" }, location));
  // Middleware and an error hook are only called, so what a function returns will do.
  if (origin.kind === "opaque" && name !== "guard" && !exported.ambiguous)
    return {
      hook: { [name]: { name, module: file, exported: name, location: origin.location } },
      diagnostics: [],
    };
  const bad = diagnoseExport(exported, origin);
  if (bad) return reject(bad);
  if (origin.kind !== "function") return undefined;
  return name === "guard" ? readGuard(types, file, origin) : readAround(name, file, origin);
}

function readOwnLimits(exported: ExportedName, origin: Origin): ReadHook {
  if (exported.ambiguous || origin.kind === "unresolved")
    return reject(...[diagnoseExport(exported, origin) ?? []].flat());
  const diagnostics: Diagnostic[] = [];
  if (origin.kind === "other" && origin.entries !== undefined)
    return { hook: { limits: readLimits(origin.entries, diagnostics) }, diagnostics };
  const why = "`limits` must be an object that is written out, because nothing is run to read it";
  const hint = `Write it like this: ${LIMITS_EXAMPLE}`;
  return reject(diagnose("FW104", { why, hint }, exported.location));
}

type FunctionOrigin = Extract<Origin, { readonly kind: "function" }>;

function readGuard(types: CallReader, file: string, { module, value }: FunctionOrigin): ReadHook {
  const { parameters, diagnostics } = readFunction(types, { handler: "guard", module, value });
  if (parameters === null) return { hook: {}, diagnostics };
  const { location } = value;
  const guard: FoundCall = {
    kind: "guard",
    name: "guard",
    module: file,
    exported: "guard",
    location,
    parameters,
    source: { module, value },
  };
  const { refusal } = readBody(value);
  const returned = refusal ? [diagnose("FW230", { what: refusal.what }, refusal.location)] : [];
  return { hook: { guard }, diagnostics: [...diagnostics, ...returned] };
}

function readAround(name: keyof typeof GIVEN, file: string, { value }: FunctionOrigin): ReadHook {
  const { location } = value;
  const hook: Shared = { name, module: file, exported: name, location };
  if (!value.body) return reject(diagnose("FW312", { name, what: "declared without a body" }, location));
  const given = GIVEN[name];
  const required = value.parameters.filter((one) => one.kind !== "rest" && !one.optional);
  const isUnrun = name === "middleware" && readBody(value).isGenerator;
  const why = isUnrun ? "as a generator it runs none of it" : "it needs more";
  const isWrong = isUnrun || required.length > 2;
  const diagnostics = isWrong ? [diagnose("FW224", { name, given, why }, location)] : [];
  return { hook: { [name]: hook }, diagnostics };
}

/** What each is called with. */
const GIVEN = { middleware: "request, next", error: "error, request" } as const;
