/** Open routes at or below the path of a folder with a guard. It holds for the folder's files, never for the text of a URL. */

import type { Segment } from "#runtime/routing/route";
import type { App } from "../config/config.ts";
import { formatEntry } from "../config/exposure.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { toRoutePath } from "../layout.ts";
import { formatPattern, parsePrefix } from "../pattern.ts";
import { isRefusal } from "../refusal.ts";
import type { Shared } from "../wire/typed-route.ts";
import { type Audited, auditRoutes } from "./audit.ts";
import { parseRouteFile } from "./file-naming.ts";
import { isBadName } from "./segments.ts";

/** What this needs of a project. */
export interface Guarded extends Audited {
  readonly apps: readonly Pick<App, "folder" | "prefix">[];
  /** Of the folders. */
  readonly guards: readonly Shared[];
}

/** Whoever lists a route under `[exposure]` has decided. */
export function diagnoseBesideGuards(project: Guarded): readonly Diagnostic[] {
  if (project.guards.length === 0) return [];
  const paths = listGuardedPaths(project);
  return auditRoutes(project).routes.flatMap(({ route, guardedBy, entry }) => {
    if (guardedBy.length > 0 || entry !== undefined) return [];
    const above = pathKeysOf(route.segments).flatMap((key) => paths.get(key) ?? []);
    const nearest = above.at(-1);
    if (nearest === undefined) return [];
    const { guard, path } = nearest;
    const details = { route: formatEntry(route), file: route.module, hooks: guard.module, path };
    return [diagnose("FW413", details, route.location, guard.location)];
  });
}

interface GuardedPath {
  readonly guard: Shared;
  /** As in `/admin`. */
  readonly path: string;
}

/** By their keys. The root has none: by rule, other folders have routes below it. */
function listGuardedPaths({ guards, apps }: Guarded): ReadonlyMap<string, GuardedPath> {
  const found = new Map<string, GuardedPath>();
  for (const guard of guards) {
    const folder = guard.module.slice(0, guard.module.lastIndexOf("/") + 1);
    const inside = apps.filter((app) => `${app.folder}/`.startsWith(folder));
    const prefixes = inside.flatMap(({ prefix }) => {
      const parsed = parsePrefix(prefix);
      return isRefusal(parsed) ? [] : [parsed];
    });
    for (const segments of [segmentsOf(folder), ...prefixes]) {
      const key = pathKeysOf(segments).at(-1);
      if (key !== undefined && !found.has(key))
        found.set(key, { guard, path: formatPattern(segments, false) });
    }
  }
  return found;
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
