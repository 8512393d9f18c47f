/** A route as `--json` gives it to programs. */

import { toJsonSchema } from "#runtime/convention/wire/json-schema";
import type { Definitions } from "#runtime/core/wire/shape";
import type { Take, TypedRoute } from "#runtime/core/wire/take";
import { type Labels, paramsOf } from "../route-formats.ts";

/** What `--json` and `--jsonl` give for a route, with its fields in this order. */
export function toRecord(route: TypedRoute, labels: Labels, definitions: Definitions): object {
  const { method, pattern, segments, handler, app, convention, location } = route;
  const { file, line, column } = location;
  const params = paramsOf(segments).map(({ name, type }) => ({ name, type }));
  const appName = app === null ? null : (labels.get(app) ?? app);
  const takes = route.takes.map((take) => toTakeRecord(take, definitions));
  return { method, pattern, params, takes, handler, app, appName, convention, file, line, column };
}

/** @returns with a schema that needs nothing around it. */
function toTakeRecord(take: Take, definitions: Definitions): object {
  const { in: place, name, key, shape, optional, default: value } = take;
  return {
    in: place,
    name,
    ...(key !== undefined && { key }),
    required: !optional,
    ...(value !== undefined && { default: value }),
    schema: toJsonSchema(shape, definitions),
  };
}
