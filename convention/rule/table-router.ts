/** The router of the server, for what reads a project without its code, and why the values of a path do not fit. */

import type { ParamValue } from "#runtime/routing/param";
import { createRouter, type Router } from "#runtime/routing/router";
import { findIssuesOf } from "#runtime/wire/issues";
import type { Definitions } from "#runtime/wire/shape";
import { paramsOf, type TypedParam, type TypedRoute } from "../wire/typed-route.ts";

/** A value that does not fit its param. */
interface Misfit {
  readonly text: string;
  /** As in "at most 9". */
  readonly wanted: string;
}

/** @param values of the params of a path, which it fits but for their constraints. */
export function findMisfits(
  params: readonly TypedParam[],
  values: readonly ParamValue[],
  definitions: Definitions,
): Misfit[] {
  return params.flatMap((param, at): Misfit[] => {
    const value = values[at] ?? "";
    const [issue] = param.shape ? findIssuesOf(value, param.shape, definitions) : [];
    if (issue === undefined) return [];
    const index = Number(issue.pointer.slice(1));
    const text = Array.isArray(value) ? (issue.pointer ? value[index] : value.join("/")) : String(value);
    return [{ text, wanted: issue.message }];
  });
}

/** What this needs of a project. */
export interface RouteTable {
  readonly routes: readonly TypedRoute[];
  readonly definitions: Definitions;
}

export function createTableRouter({
  routes,
  definitions,
}: RouteTable): Router<{ readonly route: TypedRoute }> {
  return createRouter(
    routes.map((route) => {
      const params = paramsOf(route.segments);
      if (params.every(({ shape }) => shape === undefined)) return { route };
      return {
        route,
        fits: (values: readonly ParamValue[]) => findMisfits(params, values, definitions).length === 0,
      };
    }),
  );
}
