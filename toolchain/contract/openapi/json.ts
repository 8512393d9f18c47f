/** JSON as plain data. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** @returns undefined for an object or an array with nothing in it. */
export function orNothing<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}
