/** Other versions of Node, installed as packages when they are asked for. */

import { join } from "node:path";
import { installLocked } from "./package.ts";
import { REPOSITORY } from "./workspace.ts";

const FOLDER = join(REPOSITORY, "e2e/nodes");

/** 20.19.0 is the oldest that is promised. */
export const NODES = ["node20", "node22", "node24", "node26"] as const;

/** The oldest that a project with a database is promised to run on: it has SQLite, but less of it than the next ones. */
export const FIRST_WITH_SQLITE = "node22-first";

/** Installs them. @returns why they can't be had; undefined where they can. */
export async function whyNoNodes(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64") return "their packages are for Linux on x64";
  return (await installLocked(FOLDER)) ? undefined : "npm could not install them";
}

/** @returns the program, which is there once `whyNoNodes` has found no reason. */
export function nodePath(name: (typeof NODES)[number] | typeof FIRST_WITH_SQLITE): string {
  return join(FOLDER, "node_modules", name, "bin/node");
}
