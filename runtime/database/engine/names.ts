/** Names in SQL. */

/** @example quoteName('a "b"') // '"a ""b"""' */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
