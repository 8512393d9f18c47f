/** Finds the folder whose hooks a command names, and the provider that a guard asks for. */

import { posix } from "node:path";
import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import { closest } from "#runtime/convention/diagnostics/closest";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import {
  APPS_FOLDER,
  appFiles,
  PROVIDERS_FILE,
  PROVIDERS_FOLDER,
  ROUTES_FOLDER,
  toRouteModule,
} from "#runtime/convention/layout";
import type { Project } from "#runtime/convention/project";
import { listRouteFiles } from "#runtime/convention/rule/route-files";
import { createFiles, type Files } from "#runtime/convention/source/files";
import { createModules, type Modules } from "#runtime/convention/source/modules";
import type { Location } from "#runtime/core/routing/route";
import { importedTypes, type ProjectFunction } from "../source/imports.ts";
import type { Outline } from "../source/outline.ts";

export interface HooksInput {
  /** As a person types it: `.`, `routes/admin`, or an app's name. */
  readonly folder: string;
  /** The provider that the guard asks for; undefined for no guard. */
  readonly guard: string | undefined;
  readonly middleware: boolean;
  readonly error: boolean;
}

/**
 * @param word `.` for the root, a folder from there, or only the name of an app or of a folder under `routes/`.
 * @returns the folder relative to the root, "" for the root itself.
 */
export function findHooksFolder(project: Project, word: string): string | Diagnostic {
  if (word === "." || word === "./") return "";
  const name = word.replace(/^\.\//, "").replace(/\/$/, "");
  const apps = project.apps.map((app) => app.name);
  const routes = listRouteFiles(createFiles(project.root)).folders;
  const folders = [APPS_FOLDER, ...project.apps.map(({ folder }) => folder), ...routes];
  const found = [name, appFiles(name).folder, toRouteModule(name)].find((folder) => folders.includes(folder));
  if (found !== undefined) return found;
  const short = routes.flatMap((folder) => folder.slice(ROUTES_FOLDER.length + 1) || []);
  const nearest = closest(name, [...apps, ...short, ...folders]);
  return diagnose("FW629", { folder: word, nearest, folders: [".", ...folders] });
}

/** A function of the project that a guard may ask for. */
export interface FoundProvider {
  readonly name: string;
  readonly file: string;
  readonly location: Location;
}

/**
 * @param word the function's name, or the file and the name: `auth.ts#current_user`.
 * @returns why not, where no file exports it, or several do.
 */
export function findNamedProvider(project: Project, word: string): FoundProvider | Diagnostic {
  const hash = word.lastIndexOf("#");
  const name = word.slice(hash + 1);
  const given = hash < 0 ? undefined : word.slice(0, hash).replace(/^\.\//, "");
  const all = listFunctions(project, given);
  const named = all.filter((one) => one.name === name);
  const [first, second] = named;
  if (first === undefined) {
    const nearest = closest(
      name,
      all.map((one) => one.name),
    );
    return diagnose("FW630", { name, nearest, file: given });
  }
  if (second === undefined) return first;
  const words = named.map(({ file }) => `${file}#${name}`);
  return diagnose("FW631", { name, words }, ...named.map(({ location }) => location));
}

/** The functions that source files of the project export themselves. @param only the file to look in. */
function listFunctions(project: Project, only: string | undefined): readonly FoundProvider[] {
  const files = createFiles(project.root);
  const modules = createModules(files);
  const paths = only === undefined ? [...project.files, ...listProviderFiles(project, files)] : [only];
  return [...new Set(paths)]
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts") && isInside(file))
    .flatMap((file) => functionsIn(modules, file));
}

function isInside(file: string): boolean {
  return !posix.isAbsolute(file) && !posix.normalize(file).startsWith("../");
}

/** Where generators write providers, which nothing may use yet. */
function listProviderFiles({ apps }: Project, files: Files): readonly string[] {
  const own = files.list(PROVIDERS_FOLDER).map(({ name }) => `${PROVIDERS_FOLDER}/${name}`);
  const ofApps = apps.map(({ folder }) => `${folder}/${PROVIDERS_FILE}`);
  return [...own, ...ofApps.filter((file) => files.has(file))];
}

function functionsIn(modules: Modules, file: string): readonly FoundProvider[] {
  const module = modules.get(file);
  if (module === undefined) return [];
  return [...module.exports].flatMap(([name, exported]) => {
    const value = exported.from === null ? module.values.get(exported.name) : undefined;
    return name !== "default" && value?.kind === "function" ? [{ name, file, location: value.location }] : [];
  });
}

/** The functions that the guard asks for, by `From<typeof f>`. */
export function readAsked(outline: Outline): readonly ProjectFunction[] {
  const from = importedTypes(outline).get("From");
  const types = outline.functions.get("guard")?.parameters.map((one) => one?.type) ?? [];
  return types.flatMap((type) => {
    const isFrom = type?.kind === "name" && type.path.join(".") === from;
    const [inner] = isFrom ? type.arguments : [];
    const [local] = inner?.kind === "typeof" && inner.from === undefined ? inner.path : [];
    return local === undefined ? [] : [toFunction(outline, local)];
  });
}

function toFunction({ imports }: Outline, local: string): ProjectFunction {
  for (const { names, source } of imports) {
    const found = names.find((name) => name.local === local);
    if (found !== undefined) return { name: found.imported, source };
  }
  return { name: local, source: undefined };
}
