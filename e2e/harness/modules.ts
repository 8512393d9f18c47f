/** What `npm install` would bring into a project, linked from the repository. */

import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "./project.ts";
import { REPOSITORY } from "./workspace.ts";

const MODULES = join(REPOSITORY, "node_modules");

export function linkModules({ folder }: Project): void {
  symlinkSync(MODULES, join(folder, "node_modules"));
}

/** Only these are there. */
export function linkPackages({ folder }: Project, ...names: readonly string[]): void {
  const modules = join(folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  for (const name of names) symlinkSync(join(MODULES, name), join(modules, name));
}
