/** What a process that serves a project has around it: its `.env`, and the mode in NODE_ENV. */

import { existsSync } from "node:fs";
import { join } from "node:path";

/** Reads the project's `.env`, if it has one; a variable that is already set outranks it. */
export function loadEnvironment(root: string, mode: "development" | "production"): void {
  const file = join(root, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  process.env.NODE_ENV ??= mode;
}
