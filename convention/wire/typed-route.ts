/** A route with all that its handler needs, as it was read from the signatures of a project. */

import type { Argument, Location, Param, Route } from "#runtime/routing/route";
import type { RouteLimits } from "#runtime/settings";
import type { BoundCall, DeclaredInput } from "#runtime/wire/inputs";
import type { Shape } from "#runtime/wire/shape";

/** What a function of the project is called with: a handler, a provider or a guard. */
export interface Inputs {
  /** In declared order. */
  readonly arguments: readonly Argument[];
  /** One for each "taken" among the arguments, in order. */
  readonly takes: readonly DeclaredInput[];
  /** One for each "provided" among the arguments, in order: the index of the call that gives it among the route's calls. */
  readonly provided: readonly number[];
}

/** A function of the project that shares in serving a route, besides its handler. */
export interface Shared {
  /** As messages call it: `requireUser`, `guard`. */
  readonly name: string;
  /** The file of the project that exports it, relative to the root, and its name there. */
  readonly module: string;
  readonly exported: string;
  readonly location: Location;
}

/** A provider or a guard, as one route calls it. */
export interface Call extends Shared, Inputs, Pick<BoundCall, "kind" | "isEarly"> {
  /** It is a guard, or it requires a value of the request, or it has a `throw`. */
  readonly canRefuse: boolean;
}

export interface TypedParam extends Param {
  /** If it takes less than its type, as `int & Max<9>` and `"asc" | "desc"` do. What does not fit does not match. */
  readonly shape?: Shape;
}

export type TypedSegment = string | TypedParam;

export function paramsOf(segments: readonly TypedSegment[]): TypedParam[] {
  return segments.filter((segment) => typeof segment !== "string");
}

/** True if one of the params has a constraint. */
export function isNarrow({ segments }: { readonly segments: readonly TypedSegment[] }): boolean {
  return paramsOf(segments).some(({ shape }) => shape !== undefined);
}

/** A route with all that its handler needs, and all that runs around it. */
export interface TypedRoute extends Route, Inputs {
  readonly segments: readonly TypedSegment[];
  /** In the order in which they run: each guard, outer before inner, and each provider, after what it needs itself. */
  readonly calls: readonly Call[];
  /** Of the folders around it that have one or the other, the outer first. */
  readonly hooks: readonly FolderHooks[];
  /** Missing where none of the folders around it has any. Of each limit, the one of the nearest folder. */
  readonly limits?: RouteLimits;
}

/** What `_hooks.ts` of a folder exports for every route of the folder and below, besides a guard. */
export interface FolderHooks {
  /** Relative to the root: "", "apps", "apps/users", "routes/admin". */
  readonly folder: string;
  readonly middleware?: Shared;
  readonly error?: Shared;
}

/** What a route has besides that of `request.route`, where its handler takes nothing and nothing else runs for it. */
export const NOTHING_TYPED: Omit<TypedRoute, keyof Route> = { takes: [], provided: [], calls: [], hooks: [] };
