/** A number and its noun. */

/** @example count(1, "route") // "1 route"; count(2, "route") is "2 routes" */
export function count(number: number, noun: string): string {
  return `${number} ${number === 1 ? noun : `${noun}s`}`;
}
