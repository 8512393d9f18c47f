/** Which project this process serves. */

import { findProjectRoot } from "#runtime/convention/config/root";
import { Problem } from "#runtime/core/problem";
import { frameworkPath } from "../framework-folder.ts";

/**
 * The project that this copy of the framework is vendored in; outside of one, the project around the current folder.
 *
 * @throws {Problem} when there is neither.
 */
export function currentProjectRoot(): string {
  const root = findProjectRoot(frameworkPath()) ?? findProjectRoot(process.cwd());
  if (root !== undefined) return root;
  throw new Problem(
    `There is no framework.toml in ${process.cwd()} or a folder above.`,
    "Run this in a project.",
  );
}
