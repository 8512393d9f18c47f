/** Which project this process serves, and the file that it starts with. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findProjectRoot } from "../convention/config.ts";

/** The file that creates the app and listens, in the project's root. */
const MAIN_FILE = "app.ts";

/**
 * The project that this copy of the framework is vendored in; outside of one, the project around the current folder.
 *
 * @throws {Error} when there is neither.
 */
export function currentProjectRoot(): string {
  const root = findProjectRoot(dirname(fileURLToPath(import.meta.url))) ?? findProjectRoot(process.cwd());
  if (root !== undefined) return root;
  throw new Error(`No framework.toml in ${process.cwd()} or a folder above: run this in a project.`);
}

/** @throws {Error} when the project has no main file. */
export function requireMainFile(root: string): string {
  const file = join(root, MAIN_FILE);
  if (existsSync(file)) return file;
  throw new Error(
    `${MAIN_FILE} is missing from ${root}. It creates the app and listens:\n\n` +
      `  import { createApp } from "framework";\n\n  export const app = await createApp();\n\n  await app.listen();`,
  );
}
