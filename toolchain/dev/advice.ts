/** Reports under dev a result that may not be sent as its author meant it: `[array, status]` is a JSON array, and its status is 200. */

import type { BoundRoute } from "#runtime/app";
import type { Log } from "#runtime/log/log";

/** @returns the route with a handler that looks at its results, and reports the first such one. */
export function adviseOnPairs(bound: BoundRoute, log: Log): BoundRoute {
  const { route } = bound;
  const call = bound.handler as (...args: unknown[]) => unknown;
  let isKnown = false;
  const look = (result: unknown): void => {
    if (isKnown || !isArrayWithStatus(result)) return;
    isKnown = true;
    const { file, line, column } = route.location;
    const message = `\`${route.handler}\` returned [array, ${result[1]}]: that is a JSON array.`;
    const place = `(${file}:${line}:${column})`;
    log.info({ message: `${message} For a status write reply(array, ${result[1]}). ${place}` });
  };
  const handler = (...args: unknown[]): unknown => {
    const result = call(...args);
    // Not any thenable: a query, for example, would run twice.
    if (result instanceof Promise) result.then(look, () => undefined);
    else look(result);
    return result;
  };
  return { ...bound, handler };
}

function isArrayWithStatus(result: unknown): result is [unknown[], number] {
  if (!Array.isArray(result) || result.length !== 2 || !Array.isArray(result[0])) return false;
  const status: unknown = result[1];
  return Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599;
}
