/** For tests: a route as a project would have it, with its handler. */

import type { BoundRoute, Handler } from "./app.ts";
import type { Argument, ParamType, RouteMethod, Segment } from "./routing/route.ts";

/** @example bind("GET /items/<id:int>", (request: Request, id: number) => …, ["request", 0]) */
export function bind(text: string, handler: Handler, order: readonly Argument[] = ["request"]): BoundRoute {
  const space = text.indexOf(" ");
  const [method, pattern] = [text.slice(0, space), text.slice(space + 1)];
  const segments = pattern.split("/").filter(Boolean).map(toSegment);
  const location = { file: "routes/x.ts", line: 1, column: 1 };
  const rest = { handler: "get", module: "routes/x.ts", app: null, convention: "routes", location } as const;
  return { handler, route: { method: method as RouteMethod, pattern, segments, arguments: order, ...rest } };
}

function toSegment(text: string, index: number): Segment {
  const [, name = `p${index}`, type] = /^<(?:(\w+):)?(int|str(?:\[\])?)>$/.exec(text) ?? [];
  return type === undefined ? text : { name, type: type as ParamType };
}
