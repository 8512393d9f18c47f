/** Other versions of Node, each installed as a package when it is asked for. */

import { join } from "node:path";
import { IS_LONG, sample } from "../../runtime/random.fixture.ts";
import { installLocked } from "./package.ts";
import { REPOSITORY } from "./workspace.ts";

const FOLDER = join(REPOSITORY, "e2e/nodes");

/** 20.19.0 is the oldest that is promised. */
export const NODES = ["node20", "node22", "node24", "node26"] as const;

/** The oldest that a project with a database is promised to run on: it has SQLite, but less of it than the next ones. */
export const FIRST_WITH_SQLITE = "node22-first";

export type NodeName = (typeof NODES)[number] | typeof FIRST_WITH_SQLITE;

/** All test files of a commit take the same one: to install one costs as much as to try it. */
export const tried: readonly NodeName[] = sample("Nodes", NODES, 1);

/** Of these, what a project with a database is tried on. */
export const triedWithSqlite: readonly NodeName[] = IS_LONG
  ? NODES.slice(1)
  : tried.map((name) => (name === "node20" ? "node24" : name));

/** Installs it. @returns its program; undefined where it can't be had, which it prints. */
export async function findNode(name: NodeName): Promise<string | undefined> {
  const isForThis = process.platform === "linux" && process.arch === "x64";
  if (isForThis && (await installLocked(FOLDER, name)))
    return join(FOLDER, name, "node_modules", name, "bin/node");
  const why = isForThis ? "npm could not install it" : "its package is for Linux on x64";
  console.log(`Skipped, ${name}: ${why}.`);
  return undefined;
}
