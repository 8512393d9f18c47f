/** Keys: of objects that a client fills, where `__proto__` has to be a name like any other, and as steps of a JSON pointer. */

/** Nobody sends deeper values on purpose, and code that walks them, such as `JSON.stringify`, would run out of stack. */
export const MAX_DEPTH = 1000;

export function withoutPrototype<T>(pairs: readonly (readonly [string, T])[]): Record<string, T> {
  const record: Record<string, T> = Object.create(null);
  for (const [name, value] of pairs) record[name] = value;
  return record;
}

/** A key as a step of a JSON pointer (RFC 6901 section 3). */
export function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function unescapeKey(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}
