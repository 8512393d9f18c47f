/** The data of a route: discovery makes it, the table orders it, the router and the app read it. No verbs here. */

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
/** The HTTP methods that a route can have. */
export type Method = (typeof METHODS)[number];

/** `ALL` is a route for every method, other ones than those of HTTP included, that no other route of its path has. */
export type RouteMethod = Method | "ALL";

/**
 * `int` takes ASCII digits and is passed as a number; `str` takes any one non-empty segment; `str[]` is a whole path: all segments that
 * are left, one or more.
 */
export type ParamType = "int" | "str" | "str[]";

/** A dynamic segment of a path. */
export interface Param {
  readonly name: string;
  readonly type: ParamType;
}

/** The part between two slashes of a path: static text (decoded), or a param. A whole path is the last one. */
export type Segment = string | Param;

/**
 * What a handler gets at one position: the request, the value of the param with that index in the path, what it takes off the wire, or
 * what a provider returned.
 */
export type Argument = "request" | "taken" | "provided" | number;

/** A place in the user's project; `file` is relative to the project root, with forward slashes. Lines and columns count from 1. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A route, as `app.routes` and `request.route` show it. */
export interface Route {
  readonly method: RouteMethod;
  /** The printed path, as in `/users/by/id/<user_id>` and `/files/*path`; an app's root keeps its slash: `/products/`. */
  readonly pattern: string;
  readonly segments: readonly Segment[];
  /** What to call the handler with, in its declared order. */
  readonly arguments: readonly Argument[];
  /** The export that serves the route, as in `get_by_id`, `post`, `delete`. */
  readonly handler: string;
  /** The file that exports it, relative to the project root, with forward slashes. */
  readonly module: string;
  /** The app's name, or null for a file under `routes/`. */
  readonly app: string | null;
  readonly convention: "views" | "routes";
  /** Where the handler is declared: for a re-export, in the original file. */
  readonly location: Location;
}
