/** For tests: a route as a project would have it, with its handler. */

import type { BoundRoute, Handler } from "./app.ts";
import type { Argument, Method } from "./routing/route.ts";

/** @example bind("GET /items", () => []) */
export function bind(text: string, handler: Handler, order: readonly Argument[] = ["request"]): BoundRoute {
  const [method = "", pattern = ""] = text.split(" ");
  const segments = pattern.split("/").filter(Boolean);
  const location = { file: "routes/x.ts", line: 1, column: 1 };
  const rest = { handler: "get", module: "routes/x.ts", app: null, convention: "routes", location } as const;
  return { handler, route: { method: method as Method, pattern, segments, arguments: order, ...rest } };
}
