/** Which project this process serves, and the file that it starts with. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findProjectRoot } from "../convention/config.ts";
import { Problem } from "../core/problem.ts";

/** The file that creates the app and listens, in the project's root. */
const MAIN_FILE = "app.ts";

/**
 * The project that this copy of the framework is vendored in; outside of one, the project around the current folder.
 *
 * @throws {Problem} when there is neither.
 */
export function currentProjectRoot(): string {
  const root = findProjectRoot(dirname(fileURLToPath(import.meta.url))) ?? findProjectRoot(process.cwd());
  if (root !== undefined) return root;
  throw new Problem(
    `There is no framework.toml in ${process.cwd()} or a folder above.`,
    "Run this in a project.",
  );
}

/** @throws {Problem} when the project has no main file. */
export function requireMainFile(root: string): string {
  const file = join(root, MAIN_FILE);
  if (existsSync(file)) return file;
  throw new Problem(
    `${MAIN_FILE} is missing: the file that creates the app and listens.`,
    `Write it in ${root}:\n\n` +
      `  import { createApp } from "framework";\n\n  export const app = await createApp();\n\n  await app.listen();`,
  );
}
