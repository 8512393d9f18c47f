/** What the system says against something, by its code, as in `ENOENT`. */

/** @returns undefined for what was not said by the system. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/** There is no such file, or one of the folders on the way is none. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
}
