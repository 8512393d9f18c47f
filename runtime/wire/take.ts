/** What a handler takes off the wire, as data: which part of the request, and the shape that it must have. */

import type { Argument, Location, Route } from "../routing/route.ts";
import type { Shape } from "./shape.ts";

export type Place = "body" | "form" | "query" | "header" | "cookie" | "bearer" | "basic" | "api-key";

/** One parameter with a mark. */
export interface Take {
  readonly in: Place;
  /** The parameter's name; "" for one that is destructured. */
  readonly name: string;
  /**
   * What the request calls the value: the query's or the form's key, the cookie's name, the header's name in lower case. Missing where
   * the shape is an object whose keys are the names, and for a body.
   */
  readonly key?: string;
  readonly shape: Shape;
  /** The handler is given `undefined` where the request has none. */
  readonly optional: boolean;
  /** The parameter's default, if it is a literal. For who reads the contract: the handler has it anyway. */
  readonly default?: string | number | boolean | null;
}

/** What a function of the project is called with: a handler, a provider or a guard. */
export interface Inputs {
  /** In declared order. */
  readonly arguments: readonly Argument[];
  /** One for each "taken" among the arguments, in order. */
  readonly takes: readonly Take[];
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
export interface Call extends Shared, Inputs {
  readonly kind: "provider" | "guard";
  /** It runs before the request's body is read: it is a guard, or a guard needs it. */
  readonly isEarly: boolean;
  /** It is a guard, or it requires a value of the request, or it has a `throw`. */
  readonly canRefuse: boolean;
}

/** A route with all that its handler needs, and all that runs around it. */
export interface TypedRoute extends Route, Inputs {
  /** In the order in which they run: each guard, outer before inner, and each provider, after what it needs itself. */
  readonly calls: readonly Call[];
  /** Of the folders around it that have one or the other, the outer first. */
  readonly hooks: readonly FolderHooks[];
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
