/** What a handler takes off the wire, as data: which part of the request, and the shape that it must have. */

import type { Route } from "../routing/route.ts";
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

/** A route with what its handler takes off the wire, in declared order. */
export interface TypedRoute extends Route {
  readonly takes: readonly Take[];
}
