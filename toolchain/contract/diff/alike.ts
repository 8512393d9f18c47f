/** Which routes are the same on both sides because all texts behind them are: nobody has to read what they answer. */

import type { Sources } from "#convention/project";
import type { TypedRoute } from "#convention/wire/typed-route";
import { functionsOf } from "../../load/project-functions.ts";
import { createTextsBehind, type TextsBehind } from "./texts.ts";

/** @returns the routes of each side that may differ. */
export function findDiffering(
  before: Sources,
  after: Sources,
): readonly [before: readonly TypedRoute[], after: readonly TypedRoute[]] {
  const numbers = new Map<string | undefined, number>();
  const known = keysOf(before, createTextsBehind(before, numbers));
  const found = keysOf(after, createTextsBehind(after, numbers));
  const left = (own: Keys, other: Keys): readonly TypedRoute[] =>
    [...own].flatMap(([key, route]) => (other.has(key) ? [] : [route]));
  return [left(known, found), left(found, known)];
}

/** The routes by all that they depend on. */
type Keys = ReadonlyMap<string, TypedRoute>;

function keysOf({ project }: Sources, textsBehind: TextsBehind): Keys {
  const labels = new Map(project.apps.map(({ name, label }) => [name, label]));
  // The aliases of package.json are in where the specifiers lead.
  const everywhere = [project.settings, project.cors];
  return new Map(
    project.routes.map((route) => {
      const { method, pattern, handler, module, app } = route;
      const files = functionsOf(route).flatMap((one) => [one.module, one.location.file]);
      const texts = files.map(textsBehind);
      return [
        JSON.stringify([method, pattern, handler, module, app && labels.get(app), everywhere, texts]),
        route,
      ];
    }),
  );
}
