/** Which routes are the same on both sides because all texts behind them are: nobody has to read what they answer. */

import type { Sources } from "#runtime/convention/project";
import type { TypedRoute } from "#runtime/core/wire/take";
import { createTextsBehind, type TextsBehind } from "./texts.ts";

/** @returns the routes of each side that may differ. */
export function findDiffering(
  before: Sources,
  after: Sources,
): readonly [before: readonly TypedRoute[], after: readonly TypedRoute[]] {
  const numbers = new Map<string | undefined, number>();
  const [known, found] = [before, after].map((sources) =>
    keysOf(sources, createTextsBehind(sources, numbers)),
  );
  const isIn = (keys: ReadonlyMap<string, TypedRoute> | undefined, key: string): boolean =>
    keys?.has(key) === true;
  const left = (own: typeof known, other: typeof known): readonly TypedRoute[] =>
    [...(own ?? [])].flatMap(([key, route]) => (isIn(other, key) ? [] : [route]));
  return [left(known, found), left(found, known)];
}

function keysOf({ project }: Sources, textsBehind: TextsBehind): ReadonlyMap<string, TypedRoute> {
  const labels = new Map(project.apps.map(({ name, label }) => [name, label]));
  // The aliases of package.json are in where the specifiers lead.
  const everywhere = [project.settings, project.cors];
  return new Map(
    project.routes.map((route) => {
      const { method, pattern, handler, module, app } = route;
      const texts = filesOf(route).map(textsBehind);
      return [
        JSON.stringify([method, pattern, handler, module, app && labels.get(app), everywhere, texts]),
        route,
      ];
    }),
  );
}

function filesOf({ module, location, calls, hooks }: TypedRoute): readonly string[] {
  const around = hooks.flatMap(({ middleware, error }) => [middleware, error]);
  const functions = [...calls, ...around.filter((hook) => hook !== undefined)];
  return [module, location.file, ...functions.flatMap((one) => [one.module, one.location.file])];
}
