/** Finds the folder whose hooks a command names, and the provider that a guard asks for. */

import { closest } from "#convention/diagnostics/closest";
import { listed } from "#convention/diagnostics/entry";
import { APPS_FOLDER, appFiles, ROUTES_FOLDER, toRouteModule, VENDORED_FOLDER } from "#convention/layout";
import type { Project } from "#convention/project";
import { listRouteFiles } from "#convention/rule/route-files";
import { createFiles, type Files } from "#convention/source/files";
import { createModules, type Modules } from "#convention/source/modules";
import type { Location } from "#runtime/routing/route";
import { refuse } from "../refused.ts";

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
 * @returns the folder relative to the root, which is "".
 * @example findHooksFolder(project, "routes/admin")
 */
export function findHooksFolder(project: Project, word: string): string {
  const name = toPath(word).replace(/^\.$|\/$/g, "");
  const apps = project.apps.map((app) => app.name);
  const routes = listRouteFiles(createFiles(project.root)).folders;
  const folders = ["", APPS_FOLDER, ...project.apps.map(({ folder }) => folder), ...routes];
  const folder = [name, appFiles(name).folder, toRouteModule(name)].find((one) => folders.includes(one));
  if (folder !== undefined) return folder;
  const short = routes.flatMap((one) => one.slice(ROUTES_FOLDER.length + 1) || []);
  const nearest = closest(name, [...apps, ...short, ...folders]);
  const what = `\`${word}\` is neither an app nor a folder of routes`;
  const instead = `Hooks can be in ${listed([".", ...folders.slice(1)])}.`;
  return refuse("FW602", { what, nearest, instead });
}

/** As a shell may complete it. */
function toPath(word: string): string {
  return word.replaceAll("\\", "/").replace(/^\.\//, "");
}

/** A function of the project that a guard may ask for. */
export interface FoundProvider {
  readonly name: string;
  readonly file: string;
  readonly location: Location;
}

/**
 * @param word the function's name, or the file and the name: `auth.ts#current_user`.
 * @throws {Refused} where no file exports it, or several do.
 */
export function findNamedProvider(project: Project, word: string): FoundProvider {
  const hash = word.lastIndexOf("#");
  const name = word.slice(hash + 1);
  const given = hash < 1 ? undefined : toPath(word.slice(0, hash));
  const all = listFunctions(project, given);
  const named = all.filter((one) => one.name === name);
  const [first, second] = named;
  if (first === undefined) {
    const nearest = closest(
      name,
      all.map((one) => one.name),
    );
    const what = given === undefined ? "No file of the project exports" : `${given} does not export`;
    const instead = `Make it with: npx framework generate provider ${name}`;
    return refuse("FW602", { what: `${what} a function \`${name}\``, nearest, instead });
  }
  if (second === undefined) return first;
  const words = named.map(({ file }) => `${file}#${name}`);
  const what = `Several files export a function \`${name}\``;
  const instead = `Choose one: --guard ${words.join(" or ")}`;
  return refuse("FW602", { what, nearest: undefined, instead }, ...named.map(({ location }) => location));
}

/** The functions that source files of the project export themselves. @param only the file to look in. */
function listFunctions({ root }: Project, only: string | undefined): readonly FoundProvider[] {
  const files = createFiles(root);
  const modules = createModules(files);
  return listSources(files, "")
    .filter((file) => only === undefined || file === only)
    .flatMap((file) => functionsIn(modules, file));
}

/** Folders without a provider of the project. */
const LEFT_OUT: readonly string[] = ["dist", "tests", VENDORED_FOLDER];

/** Also those that nothing uses yet. */
function listSources(files: Files, folder: string): readonly string[] {
  return files.list(folder).flatMap(({ name, kind, link }) => {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (name.startsWith(".") || name === "node_modules" || LEFT_OUT.includes(path)) return [];
    if (kind === "folder") return link ? [] : listSources(files, path);
    return kind === "file" && /(?<!\.(?:d|test|spec))\.ts$/.test(name) ? [path] : [];
  });
}

function functionsIn(modules: Modules, file: string): readonly FoundProvider[] {
  const module = modules.get(file);
  if (module === undefined) return [];
  return [...module.exports].flatMap(([name, exported]) => {
    const value = exported.from === null ? module.values.get(exported.name) : undefined;
    return name !== "default" && value?.kind === "function" ? [{ name, file, location: value.location }] : [];
  });
}
