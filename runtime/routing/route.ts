/** The data types of a route, shared by discovery, the table, the router and the app. */

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
/** The HTTP methods that a route can have. */
export type Method = (typeof METHODS)[number];

/** A route's method. `ALL` serves every method, also unknown ones, that no other route of its path serves. */
export type RouteMethod = Method | "ALL";

/**
 * The type of a param. `int` matches ASCII digits and is passed as a number; `str` matches any one non-empty segment; `str[]` (a whole
 * path) matches all remaining segments, one or more.
 */
export type ParamType = "int" | "str" | "str[]";

/** A dynamic segment of a path. */
export interface Param {
  readonly name: string;
  readonly type: ParamType;
}

/** The part of a path between two slashes: static text (decoded) or a param. A `str[]` is always the last segment. */
export type Segment = string | Param;

/**
 * A handler's argument at one position: the request, the param with that index in the path, a validated input of the request, or a
 * provider's value.
 */
export type Argument = "request" | "taken" | "provided" | number;

/** A location in the user's project. `file` is relative to the project root, with forward slashes; lines and columns count from 1. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A route, as `app.routes` and `request.route` show it. */
export interface Route {
  readonly method: RouteMethod;
  /** The printed path, such as `/users/by/id/<user_id>` or `/files/*path`; an app's root keeps its slash: `/products/`. */
  readonly pattern: string;
  readonly segments: readonly Segment[];
  /** The handler's arguments, in declared order. */
  readonly arguments: readonly Argument[];
  /** The name of the export that serves the route, such as `get_by_id`, `post` or `delete`. */
  readonly handler: string;
  /** The file that exports the handler, relative to the project root, with forward slashes. */
  readonly module: string;
  /** The app's name; null for a file under `routes/`. */
  readonly app: string | null;
  readonly convention: "views" | "routes";
  /** The declaration of the handler: for a re-export, in the original file. */
  readonly location: Location;
}
