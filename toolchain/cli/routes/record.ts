/** A route as `--json` gives it to programs. */

import { toJsonSchema } from "#convention/wire/json-schema";
import { paramsOf, type TypedRoute } from "#convention/wire/typed-route";
import type { Location } from "#runtime/routing/route";
import type { RouteLimits } from "#runtime/settings";
import type { DeclaredInput } from "#runtime/wire/inputs";
import type { Definitions } from "#runtime/wire/shape";
import type { Labels } from "../route-formats.ts";
import { type Step, stepsOf, takesOf } from "../route-steps.ts";

/** What `--json` and `--jsonl` give for a route, with its fields in this order. */
export function toRecord(route: TypedRoute, labels: Labels, definitions: Definitions): object {
  const { method, pattern, segments, handler, app, convention, location } = route;
  const params = paramsOf(segments).map(({ name, type, shape }) => {
    return { name, type, ...(shape && { schema: toJsonSchema(shape, definitions) }) };
  });
  const appName = app === null ? null : (labels.get(app) ?? app);
  const takes = takesOf(route).map((take) => toTakeRecord(take, definitions));
  const steps = stepsOf(route);
  const toSteps = (wanted: Step["kind"]): object[] =>
    steps.filter(({ kind }) => kind === wanted).map(({ name, location }) => ({ name, ...toPlace(location) }));
  const [middleware, guards, providers] = [toSteps("middleware"), toSteps("guard"), toSteps("provider")];
  const served = { handler, app, appName, convention, ...toPlace(location) };
  const limits = route.limits && { limits: nameLimits(route.limits) };
  return { method, pattern, params, takes, middleware, guards, providers, ...limits, ...served };
}

/** As a `_hooks.ts` calls them. */
function nameLimits({ bodyLimit: body, handlerTimeout: timeout }: RouteLimits): object {
  return { ...(body !== undefined && { body }), ...(timeout !== undefined && { timeout }) };
}

/** With just these fields, in this order. */
export function toPlace({ file, line, column }: Location): Location {
  return { file, line, column };
}

/** @returns with a schema that needs nothing around it. */
function toTakeRecord(take: DeclaredInput, definitions: Definitions): object {
  const { in: place, name, key, from, shape, optional, default: value } = take;
  return {
    in: place,
    name,
    ...(key !== undefined && { key }),
    ...(from !== undefined && { from }),
    required: !optional,
    ...(value !== undefined && { default: value }),
    schema: toJsonSchema(shape, definitions),
  };
}
