/** Errors of the operating system, as in `ENOENT`, and what they say in words. */

/** @returns undefined for an error that the system did not raise. */
export function codeOf(error: unknown): string | undefined {
  // Not `instanceof`: in a vm, as Jest's, the errors of Node have another Error.
  return typeof error === "object" && error && "code" in error ? String(error.code) : undefined;
}

/** There is no such file, or a part of its path is not a folder. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
}

const WORDS: ReadonlyMap<string | undefined, string> = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "the file system is read-only"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["EIO", "the disk reports an error"],
  ["EISDIR", "it is a folder"],
  ["ENOTDIR", "a file is where a folder should be"],
  ["EEXIST", "a file is where a folder should be"],
  ["ELOOP", "a symbolic link leads in a circle"],
  ["ENAMETOOLONG", "its name is too long"],
  ["ERR_FS_FILE_TOO_LARGE", "it is larger than 2 GiB"],
]);

/** @returns the end of a sentence; the system's own message where the code is not a common one. */
export function explainSystemError(error: unknown): string {
  return WORDS.get(codeOf(error)) ?? (error instanceof Error ? error.message : String(error));
}
