/** The functions of a project that a server calls, by module, in the order in which the modules run: from source and in a build. */

import type { App } from "#convention/config/config";
import { compareText } from "#convention/diagnostics/order";
import { appFiles, HOOKS_FILE, toRoutePath } from "#convention/layout";
import type { Project } from "#convention/project";
import { parseRouteFile } from "#convention/rule/file-naming";
import { isHandlerName, parseMethodExport } from "#convention/rule/naming";
import { isBadName } from "#convention/rule/segments";
import {
  type FolderHooks,
  isNarrow,
  type Shared,
  type TypedRoute,
  type TypedSegment,
} from "#convention/wire/typed-route";
import type { Location, Route, Segment } from "#runtime/routing/route";

/** Where a function is found once the modules are loaded. */
export type Export = Pick<Shared, "module" | "exported">;

/** An export that was read as a function. */
export interface ProjectFunction extends Export {
  readonly role: "handler" | "provider" | "guard" | "middleware" | "error hook";
  readonly location: Location;
}

export interface ProjectModule {
  readonly file: string;
  /** Each once, however many routes have it. */
  readonly functions: readonly ProjectFunction[];
  /** True for the name of a function that serves a route if the module exports it. */
  isHandlerName(name: string): boolean;
}

/**
 * Each `_hooks.ts` before what it is around, then what serves routes, then what only has providers. Files in which nothing was read are
 * among the first two: their exports must show that nothing was missed.
 */
export function projectModules(project: Project): ProjectModule[] {
  const { routes, unmatched } = project;
  const views = viewsOf(project);
  const serving = servingFiles(project);
  const byFile = new Map<string, Map<string, ProjectFunction>>();
  for (const file of [...hooksFiles(project), ...serving]) byFile.set(file, new Map());
  for (const one of [...routes.flatMap(functionsOf), ...(unmatched ? hooksOf(unmatched) : [])]) {
    const known = byFile.get(one.module) ?? new Map<string, ProjectFunction>();
    byFile.set(one.module, known);
    if (!known.has(one.exported)) known.set(one.exported, one);
  }
  return [...byFile].map(([file, functions]) => ({
    file,
    functions: [...functions.values()],
    isHandlerName: nameTest(file, views.has(file)),
  }));
}

/** By file. */
function viewsOf({ apps }: Project): ReadonlyMap<string, App> {
  return new Map(apps.map((app) => [appFiles(app.name).views, app]));
}

function servingFiles(project: Project): string[] {
  const views = viewsOf(project);
  return project.files.filter((file) => views.has(file) || servesAsRouteFile(file));
}

/**
 * Splits a project into parts that can be loaded apart from each other.
 *
 * @returns by file that serves routes: these routes, with the hooks around them. The order is that in which the files run.
 */
export function splitProject(project: Project): Map<string, Project> {
  const views = viewsOf(project);
  const hooks = hooksFiles(project);
  const routes = new Map(servingFiles(project).map((file): [string, TypedRoute[]] => [file, []]));
  for (const route of project.routes) routes.get(route.module)?.push(route);
  return new Map(
    [...routes].map(([file, served]) => {
      const app = views.get(file);
      const around = hooks.filter((hooksFile) => file.startsWith(toFolder(hooksFile)));
      return [file, { ...project, apps: app ? [app] : [], files: [...around, file], routes: served }];
    }),
  );
}

function nameTest(file: string, isViews: boolean): ProjectModule["isHandlerName"] {
  if (isViews) return isHandlerName;
  return servesAsRouteFile(file) ? (name) => parseMethodExport(name) !== undefined : () => false;
}

function servesAsRouteFile(file: string): boolean {
  const path = toRoutePath(file);
  const parsed = path === undefined ? undefined : parseRouteFile(path);
  return parsed !== undefined && !isBadName(parsed);
}

/** The handler of a route, and all that runs before and around it. */
export function functionsOf(route: TypedRoute): ProjectFunction[] {
  const { calls, handler, hooks, location, module } = route;
  return [
    { module, exported: handler, role: "handler", location },
    ...calls.map((call) => toFunction(call, call.kind)),
    ...hooks.flatMap(hooksOf),
  ];
}

export function hooksOf({ middleware, error }: FolderHooks): ProjectFunction[] {
  return [
    ...(middleware ? [toFunction(middleware, "middleware")] : []),
    ...(error ? [toFunction(error, "error hook")] : []),
  ];
}

function toFunction({ module, exported, location }: Shared, role: ProjectFunction["role"]): ProjectFunction {
  return { module, exported, role, location };
}

/** @returns each `_hooks.ts` that has routes to be around, the outer first; that of the root in any case. */
export function hooksFiles({ files, routes }: Project): string[] {
  return files
    .filter((file) => file === HOOKS_FILE || file.endsWith(`/${HOOKS_FILE}`))
    .filter((file) => file === HOOKS_FILE || routes.some((route) => isAround(file, route)))
    .sort((one, other) => compareText(toFolder(one), toFolder(other)));
}

/** @param file a `_hooks.ts`. */
export function isAround(file: string, { module }: Route): boolean {
  return module.startsWith(toFolder(file));
}

/** @returns the folder with a slash at its end; "" for the root. */
function toFolder(file: string): string {
  return file.slice(0, -HOOKS_FILE.length);
}

/** @returns what `request.route` shows. */
export function toRoute(typed: TypedRoute): Route {
  const { method, pattern, arguments: given, handler, module, app, convention, location } = typed;
  const segments = isNarrow(typed) ? typed.segments.map(withoutShape) : typed.segments;
  return { method, pattern, segments, arguments: given, handler, module, app, convention, location };
}

function withoutShape(segment: TypedSegment): Segment {
  return typeof segment === "string" ? segment : { name: segment.name, type: segment.type };
}
