/** The types of a route with the inputs of its handler, guards and providers, as read from their signatures. */

import type { Argument, Location, Param, Route } from "#runtime/routing/route";
import type { RouteLimits } from "#runtime/settings";
import type { BoundCall, DeclaredInput } from "#runtime/wire/inputs";
import type { Shape } from "#runtime/wire/shape";

/** The arguments of a handler, a provider or a guard. */
export interface Inputs {
  /** In declared order. */
  readonly arguments: readonly Argument[];
  /** The value from the request for each "taken" argument, in order. */
  readonly takes: readonly DeclaredInput[];
  /** For each "provided" argument, in order, the index of the provider in the route's calls. */
  readonly provided: readonly number[];
}

/** A project function that runs for a route besides its handler. */
export interface Shared {
  /** The name for messages: `requireUser`, `guard`. */
  readonly name: string;
  /** The exporting file, relative to the project root, and the exported name. */
  readonly module: string;
  readonly exported: string;
  readonly location: Location;
}

/** A call of a provider or a guard for one route. */
export interface Call extends Shared, Inputs, Pick<BoundCall, "kind" | "isEarly"> {
  /** True if it is a guard, requires a value of the request, or has a `throw`. */
  readonly canRefuse: boolean;
}

export interface TypedParam extends Param {
  /** The shape of a constrained param, as `int & Max<9>` or `"asc" | "desc"`. A path with another value doesn't match. */
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

/** A route with its handler's inputs, and the hooks around it. */
export interface TypedRoute extends Route, Inputs {
  readonly segments: readonly TypedSegment[];
  /** In execution order: guards from the outer folder to the inner one, and each provider after the providers that it depends on. */
  readonly calls: readonly Call[];
  /** The middleware and error hooks of the enclosing folders, the outer first. */
  readonly hooks: readonly FolderHooks[];
  /** Each limit is that of the nearest enclosing folder. Missing if no folder sets one. */
  readonly limits?: RouteLimits;
}

/** The middleware and the error hook that `_hooks.ts` exports for the routes in its folder and below. */
export interface FolderHooks {
  /** The path relative to the root: "", "apps", "apps/users", "routes/admin". */
  readonly folder: string;
  readonly middleware?: Shared;
  readonly error?: Shared;
}

/** The additional fields of a route whose handler takes nothing, and which has no hooks. */
export const NOTHING_TYPED: Omit<TypedRoute, keyof Route> = { takes: [], provided: [], calls: [], hooks: [] };
