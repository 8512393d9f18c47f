/** Whether a project is in order: what a page has written into it is right by the compiler and by `routes check`. */

import { existsSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "../harness/command.ts";
import { isolatedEnvironment } from "../harness/environment.ts";
import { runInProcess } from "../harness/in-process.ts";
import { REPOSITORY } from "../harness/workspace.ts";

const COMPILER = ["node_modules/typescript/bin/tsc", "--pretty", "false"];

/** @returns what they complain about. Before `npm install` the compiler and its types are those of this repository. */
export async function checkProject(folder: string): Promise<string[]> {
  const root = findRoot(folder);
  if (root === undefined) return [];
  const modules = join(root, "node_modules");
  const isLent = !existsSync(modules);
  if (isLent) symlinkSync(join(REPOSITORY, "node_modules"), modules);
  const outcomes = await Promise.all([
    runInProcess(["routes", "check"], root),
    run([process.execPath, ...COMPILER], { cwd: root, env: isolatedEnvironment() }),
  ]);
  if (isLent) rmSync(modules);
  return outcomes.filter(({ status }) => status !== 0).map(({ stdout, stderr }) => stdout + stderr);
}

function findRoot(folder: string): string | undefined {
  if (existsSync(join(folder, "framework.toml"))) return folder;
  return dirname(folder) === folder ? undefined : findRoot(dirname(folder));
}
