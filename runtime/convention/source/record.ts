/** What JSON of unknown origin is asked first. */

/** An object with members: no array, no null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
