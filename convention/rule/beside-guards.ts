/** Open routes at paths that a folder's guard seems to hold for. It holds for the folder's files, never for the text of a URL. */

import { int, type ParamValue } from "#runtime/routing/param";
import type { Segment } from "#runtime/routing/route";
import { createRouter } from "#runtime/routing/router";
import type { Definitions } from "#runtime/wire/shape";
import type { App } from "../config/config.ts";
import { formatEntry } from "../config/exposure.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { toRoutePath } from "../layout.ts";
import { formatPattern, parsePrefix } from "../pattern.ts";
import { isRefusal } from "../refusal.ts";
import { isNarrow, paramsOf, type Shared, type TypedRoute, type TypedSegment } from "../wire/typed-route.ts";
import { type Audited, type AuditedRoute, auditRoutes } from "./audit.ts";
import { parseRouteFile } from "./file-naming.ts";
import { createSamples, type Samples, spreadWhole } from "./path-shape.ts";
import { isBadName } from "./segments.ts";
import { holdsFor } from "./splice.ts";
import { findMisfits, type RouteTable } from "./table-router.ts";

/** What this needs of a project. */
export interface Guarded extends Audited {
  readonly apps: readonly Pick<App, "folder" | "prefix">[];
  /** Of the folders. */
  readonly guards: readonly Shared[];
}

/** An open route at a path that a guard seems to hold for. */
export interface Beside extends Pick<AuditedRoute, "route" | "entry"> {
  readonly guard: Shared;
  /** As in `/admin`, where the route is at or below the path of the guard's folder. */
  readonly path: string | undefined;
  /** As in `PUT /admin/reports`: guarded paths that a param of the route takes, where the guarded routes do not serve its method. */
  readonly requests: readonly string[];
}

/** @returns in the order of the table; those that `[exposure]` lists, too. */
export function findBesideGuards(project: Guarded): readonly Beside[] {
  if (project.guards.length === 0) return [];
  const paths = listGuardedPaths(project);
  const open = auditRoutes(project).routes.filter(({ guardedBy }) => guardedBy.length === 0);
  const find = createTakenFinder(project);
  return open.flatMap(({ route, entry }): Beside[] => {
    const above = pathKeysOf(route.segments).flatMap((key) => paths.get(key) ?? []);
    const taken = find(route);
    const guard = above.at(-1)?.guard ?? taken[0]?.guard;
    if (guard === undefined) return [];
    const requests = [...new Set(taken.map(({ pattern }) => `${route.method} ${pattern}`))];
    return [{ route, entry, guard, path: above.at(-1)?.path, requests }];
  });
}

/** Whoever lists a route under `[exposure]` has decided. */
export function diagnoseBesideGuards(project: Guarded): readonly Diagnostic[] {
  return findBesideGuards(project).flatMap(({ route, entry, guard, path, requests: [request] }) => {
    if (entry !== undefined) return [];
    const serves = path === undefined ? `, and it serves ${request}` : "";
    const only =
      path === undefined ? "only its own routes there" : `${path} only for the files of its folder`;
    const details = { route: formatEntry(route), file: route.module, serves, hooks: guard.module, only };
    return [diagnose("FW413", details, route.location, guard.location)];
  });
}

interface GuardedPath {
  readonly guard: Shared;
  readonly path: string;
}

/** By their text. The root has none: by rule, other folders have routes below it. */
function listGuardedPaths({ guards, apps }: Guarded): ReadonlyMap<string, GuardedPath> {
  const found = new Map<string, GuardedPath>();
  for (const guard of guards) {
    const folder = folderOf(guard);
    const inside = apps.filter((app) => `${app.folder}/`.startsWith(folder));
    const prefixes = inside.flatMap(({ prefix }) => {
      const parsed = parsePrefix(prefix);
      return isRefusal(parsed) ? [] : [parsed];
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

/** The path of a folder in `routes/`. A group has none: other folders have routes of the same path by intention. */
function segmentsOf(folder: string): readonly Segment[] {
  const path = toRoutePath(`${folder}index.ts`);
  const parsed = path === undefined ? undefined : parseRouteFile(path);
  if (parsed === undefined || isBadName(parsed)) return [];
  if (parsed.groups?.at(-1)?.at === parsed.segments.length) return [];
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

/** A guarded path that an open route serves, too. */
interface Taken {
  readonly guard: Shared;
  readonly pattern: string;
}

/** @returns what finds the guarded paths whose fixed text a param of an open route takes, and where that route is the match. */
function createTakenFinder({ routes, definitions }: RouteTable): (open: TypedRoute) => readonly Taken[] {
  const guarded = routes.flatMap(({ calls, segments, pattern }) => {
    const guard = calls.findLast(({ kind }) => kind === "guard");
    return guard === undefined ? [] : [{ guard, segments, pattern }];
  });
  const samples = createSamples(routes);
  let asked: readonly TypedSegment[] = [];
  const isTaken = (segments: readonly TypedSegment[], values: readonly ParamValue[]): boolean =>
    segments === asked ||
    paramsOf(segments).every((param, at) => {
      const other = spreadWhole(asked, segments.length)[segments.indexOf(param)];
      if (param.shape === undefined || (typeof other === "object" && holdsFor(param, other))) return true;
      const isSample = [values[at]].flat().some((one) => one === Number(samples.int) || one === samples.str);
      return !isSample && findMisfits([param], values.slice(at, at + 1), definitions).length === 0;
    });
  const router = createRouter(
    routes.map((route) => ({
      route,
      fits: isNarrow(route) ? isTaken.bind(null, route.segments) : undefined,
    })),
  );
  return (open) => {
    if (open.segments.every((segment) => typeof segment === "string")) return [];
    asked = open.segments;
    return guarded.filter(({ segments }) => {
      const path = findTakenPath(open.segments, segments, samples, definitions);
      const found = path === undefined ? undefined : router.find(open.method, path);
      return found?.kind === "match" && found.item.route === open;
    });
  };
}

/**
 * A path of both: the fixed texts of both, and a sample where both have a param. A sample for a string is no number, and fits no constraint
 * but those that both have, so that a guarded route leaves to the other what it does not take.
 *
 * @returns undefined where there is none, or no param of the open route takes a fixed text of the guarded one.
 */
function findTakenPath(
  own: readonly TypedSegment[],
  others: readonly TypedSegment[],
  samples: Samples,
  definitions: Definitions,
): string | undefined {
  const open = spreadWhole(own, others.length);
  const guarded = spreadWhole(others, own.length);
  if (open.length !== guarded.length) return undefined;
  let path = "";
  let isTaken = false;
  for (const [index, one] of open.entries()) {
    const other = guarded[index] ?? "";
    if (!takes(one, other, definitions) || !takes(other, one, definitions)) return undefined;
    isTaken ||= typeof one !== "string" && typeof other === "string";
    const texts = [one, other].filter((segment) => typeof segment === "string");
    path += `/${encodeURIComponent(texts[0] ?? (typeof one === "string" ? one : samples[one.type]))}`;
  }
  return isTaken ? path : undefined;
}

/** A param takes the param of another route: what a number leaves, a string takes. */
function takes(segment: TypedSegment, other: TypedSegment, definitions: Definitions): boolean {
  if (typeof other !== "string") return true;
  if (typeof segment === "string") return segment === other;
  const value = segment.type === "int" ? int(other) : segment.type === "str" ? other : [other];
  return value !== undefined && findMisfits([segment], [value], definitions).length === 0;
}
