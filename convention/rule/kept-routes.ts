/** Keeps the routes of a file the same objects from one reading to the next, so that little has to be sent to those who know them. */

import type { TypedRoute } from "#runtime/wire/take";
import { keepSame } from "../wire/kept-shapes.ts";

/** Of the reading before, by file. */
export type KeptRoutes = Map<string, readonly TypedRoute[]>;

export function keepRoutes(
  kept: KeptRoutes,
  file: string,
  routes: readonly TypedRoute[],
): readonly TypedRoute[] {
  const before = kept.get(file) ?? [];
  const after = routes.map((route, index) => keepSame(before[index], route));
  if (after.length === before.length && after.every((route, index) => route === before[index])) return before;
  kept.set(file, after);
  return after;
}
