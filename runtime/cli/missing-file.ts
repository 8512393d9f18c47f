/** A file of the framework that is not there: told by itself, because whatever tells other errors may need that file, too. */

import { fileURLToPath } from "node:url";

const framework = fileURLToPath(new URL("..", import.meta.url));

/** @returns its path from the project's root; undefined for any other error. */
export function findMissingFile(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) return undefined;
  const [, path = ""] = /^Cannot find module '([^']+)'/.exec(error.message) ?? [];
  if (!path.startsWith(framework)) return undefined;
  return `vendor/framework/${path.slice(framework.length).replaceAll("\\", "/")}`;
}

/** @throws the error, if it is another one. */
export function reportMissingFile(error: unknown): void {
  const file = findMissingFile(error);
  if (file === undefined) throw error;
  const hint = `Bring it back: git checkout HEAD -- ${file}`;
  process.stderr.write(`error A file of the vendored framework is missing: ${file}\n  hint: ${hint}\n`);
  process.exitCode = 1;
}
