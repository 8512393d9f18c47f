/** A created project's own tests, as its `npm test` runs them. */

import { type Outcome, run } from "./command.ts";
import { isolatedEnvironment } from "./environment.ts";
import type { Project } from "./project.ts";

export const RUNNER: readonly string[] = [
  "--import",
  "./vendor/framework/test.js",
  "vendor/framework/uvu.js",
  "tests",
];

/** Of a project whose packages are there. @param words choose tests, or are options. */
export function runTests({ folder }: Project, words: readonly string[] = []): Promise<Outcome> {
  return run([process.execPath, ...RUNNER, ...words], { cwd: folder, env: isolatedEnvironment() });
}
