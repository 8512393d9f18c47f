/** The project that a command is about: the one that it was typed in. */

import { resolve } from "node:path";
import { findProjectRoot } from "#runtime/project-root";
import { type CommandInput, UsageError } from "./command.ts";

/** @throws {UsageError} when no folder from here upwards holds a `framework.toml`. */
export function requireProjectRoot({ cwd }: Pick<CommandInput, "cwd">): string {
  const root = findProjectRoot(resolve(cwd));
  if (root !== undefined) return root;
  throw new UsageError(
    "This folder is not in a project: there is no framework.toml here or in a folder above.",
    "Go to a project's folder, or make one with: npm create convention-app",
  );
}
