/** What has changed between two contracts, as data. */

import type { Location, RouteMethod } from "#runtime/routing/route";

/** Whether callers break, may break, or need not care. */
export const LEVELS = ["breaking", "risky", "other"] as const;
export type Level = (typeof LEVELS)[number];

export interface Difference {
  readonly level: Level;
  /** Permanent, as in `request-parameter-became-required`: oasdiff's where it has such a rule. */
  readonly id: string;
  readonly method: RouteMethod;
  /** As it is now; as it was, for a route that is gone. */
  readonly pattern: string;
  readonly where: Where;
  /** One sentence or two. */
  readonly message: string;
  /** Where it was and where it is; undefined where there is nothing of it. */
  readonly before?: Location | undefined;
  readonly after?: Location | undefined;
  /** If the change is inside a type with a name: routes that share the type share the difference. */
  readonly type?: TypePlace | undefined;
}

export interface TypePlace {
  readonly name: string;
  /** In the type. */
  readonly pointer: string;
}

export interface Where {
  readonly side: "route" | "request" | "response";
  /** What of the request. */
  readonly in?: "path" | "query" | "header" | "cookie" | "body" | "form" | "credentials";
  /** Of a parameter or a header. */
  readonly name?: string;
  readonly status?: number | "default";
  readonly media?: string;
  /** A JSON pointer in which `*` is any item or any key; "" for the whole. */
  readonly pointer: string;
}
