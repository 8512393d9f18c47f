/** Objects whose keys a client chooses: `__proto__` has to be a name like any other. */

export function withoutPrototype<T>(pairs: readonly (readonly [string, T])[]): Record<string, T> {
  const record: Record<string, T> = Object.create(null);
  for (const [name, value] of pairs) record[name] = value;
  return record;
}
