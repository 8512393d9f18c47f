/** Open routes at paths that a folder's guard seems to hold for. It holds for the folder's files, never for the text of a URL. */

import { int } from "#runtime/routing/param";
import type { ParamType, Segment } from "#runtime/routing/route";
import { createRouter } from "#runtime/routing/router";
import type { App } from "../config/config.ts";
import { formatEntry } from "../config/exposure.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { toRoutePath } from "../layout.ts";
import { formatPattern, isBadPrefix, parsePrefix } from "../pattern.ts";
import type { Shared, TypedRoute } from "../wire/typed-route.ts";
import { type Audited, type AuditedRoute, auditRoutes } from "./audit.ts";
import { isBadName, parseRouteFile } from "./naming.ts";

/** What these checks need of a project. */
export interface Guarded extends Audited {
  readonly apps: readonly Pick<App, "folder" | "prefix">[];
  /** Of the folders. */
  readonly guards: readonly Shared[];
}

/** An open route at a path that a guard seems to hold for. */
export interface Beside extends Pick<AuditedRoute, "route" | "entry"> {
  readonly guard: Shared;
  /** As in `/admin`, where the route is at or below the path of the guard's folder. */
  readonly path?: string;
  /** As in `PUT /admin/reports`: what the route serves at guarded paths, besides what the guarded routes serve there. */
  readonly requests: readonly string[];
}

/** @returns in the order of the table; those that `[exposure]` lists, too. */
export function findBesideGuards(project: Guarded): readonly Beside[] {
  if (project.guards.length === 0) return [];
  const open = auditRoutes(project).routes.filter(({ guardedBy }) => guardedBy.length === 0);
  const paths = listGuardedPaths(project);
  const wider = findWider(
    project.routes,
    open.map(({ route }) => route),
  );
  return open.flatMap(({ route, entry }): Beside[] => {
    const above = findAbove(paths, route.segments);
    const wide = wider.get(route);
    const guard = above?.guard ?? wide?.guard;
    if (guard === undefined) return [];
    return [
      { route, entry, guard, ...(above && { path: above.path }), requests: [...(wide?.requests ?? [])] },
    ];
  });
}

/** Whoever lists a route as open has decided. */
export function diagnoseBesideGuards(project: Guarded): readonly Diagnostic[] {
  return findBesideGuards(project).flatMap(({ route, entry, guard, path, requests }) => {
    if (entry !== undefined) return [];
    const own = { route: formatEntry(route), file: route.module };
    const details = { ...own, hooks: guard.module, path, request: requests[0] };
    return [diagnose("FW413", details, route.location, guard.location)];
  });
}

interface GuardedPath {
  readonly guard: Shared;
  readonly path: string;
}

interface Wider {
  readonly guard: Shared;
  readonly requests: Set<string>;
}

/** By their text. The root has none: by rule, other folders have routes below it. */
function listGuardedPaths({ guards, apps }: Guarded): ReadonlyMap<string, GuardedPath> {
  const found = new Map<string, GuardedPath>();
  for (const guard of guards) {
    const folder = folderOf(guard);
    const inside = apps.filter((app) => `${app.folder}/`.startsWith(folder));
    const prefixes = inside.flatMap(({ prefix }) => {
      const parsed = parsePrefix(prefix);
      return isBadPrefix(parsed) ? [] : [parsed];
    });
    for (const segments of [segmentsOf(folder), ...prefixes]) {
      if (segments.length === 0) continue;
      const key = pathKeysOf(segments).at(-1) ?? "";
      if (!found.has(key)) found.set(key, { guard, path: formatPattern(segments, false) });
    }
  }
  return found;
}

/** @returns as in "routes/admin/" */
function folderOf({ module }: Shared): string {
  return module.slice(0, module.lastIndexOf("/") + 1);
}

/** The path of a folder in `routes/`. */
function segmentsOf(folder: string): readonly Segment[] {
  const path = toRoutePath(`${folder}index.ts`);
  const parsed = path === undefined ? undefined : parseRouteFile(path);
  if (parsed === undefined || isBadName(parsed)) return [];
  return parsed.segments.map((one) => (typeof one === "string" ? one : { name: one.param, type: "str" }));
}

/** A text for each path above the one with these segments, and for that one. The name and the type of a param do not count. */
function pathKeysOf(segments: readonly Segment[]): readonly string[] {
  let key = "";
  return segments.map((segment) => {
    key += typeof segment === "string" ? `/=${segment}` : "/";
    return key;
  });
}

/** The innermost. */
function findAbove(
  paths: ReadonlyMap<string, GuardedPath>,
  segments: readonly Segment[],
): GuardedPath | undefined {
  return pathKeysOf(segments)
    .flatMap((key) => paths.get(key) ?? [])
    .at(-1);
}

/** Routes whose param takes the fixed text of a guarded path, where the guarded routes have other methods or take digits only. */
function findWider(
  routes: readonly TypedRoute[],
  open: readonly TypedRoute[],
): ReadonlyMap<TypedRoute, Wider> {
  const found = new Map<TypedRoute, Wider>();
  const wide = open.filter(({ segments }) => segments.some((one) => typeof one !== "string"));
  if (wide.length === 0) return found;
  const router = createRouter(routes.map((route) => ({ route })));
  const texts = createTexts(routes);
  for (const { calls, segments, pattern } of routes) {
    const guard = calls.findLast(({ kind }) => kind === "guard");
    if (guard === undefined) continue;
    for (const route of wide) {
      const path = findSharedPath(segments, route.segments, texts);
      const served = path === undefined ? undefined : router.find(route.method, path);
      if (served?.kind !== "match" || served.item.route !== route) continue;
      const known = found.get(route) ?? { guard, requests: new Set() };
      found.set(route, known);
      known.requests.add(`${route.method} ${pattern}`);
    }
  }
  return found;
}

/** For params of each type: texts that no route has as a fixed one. */
type Texts = Readonly<Record<ParamType, string>>;

function createTexts(routes: readonly TypedRoute[]): Texts {
  const fixed = new Set<Segment>(routes.flatMap(({ segments }) => segments));
  let number = 1;
  while (fixed.has(`${number}`) || fixed.has(`x${number}`)) number++;
  return { int: `${number}`, str: `x${number}` };
}

/**
 * A path of the wide route at the guarded one: with each fixed text of both, where one has a param that takes it.
 * Where both have a param, the text is one that as few other routes as possible take: no digits, if the wide route takes more.
 *
 * @returns undefined where there is none, or no param of the wide route takes a fixed text of the guarded one.
 */
function findSharedPath(
  guarded: readonly Segment[],
  wide: readonly Segment[],
  texts: Texts,
): string | undefined {
  if (guarded.length !== wide.length) return undefined;
  const isShared = wide.every((one, index) => {
    const other = guarded[index] ?? "";
    return fitsSegment(one, other) && fitsSegment(other, one);
  });
  if (!isShared) return undefined;
  const isWider = wide.some((one, index) => typeof one !== "string" && typeof guarded[index] === "string");
  if (!isWider) return undefined;
  const shared = wide.map((one, index) => (typeof guarded[index] === "string" ? guarded[index] : one));
  return shared
    .map((one) => `/${typeof one === "string" ? encodeURIComponent(one) : texts[one.type]}`)
    .join("");
}

/** A param takes the param of another route in any case: of a number it leaves the other texts to the other. */
function fitsSegment(segment: Segment, other: Segment): boolean {
  if (typeof other !== "string") return true;
  if (typeof segment === "string") return segment === other;
  return segment.type === "str" || int(other) !== undefined;
}
