/** `npm install` in the projects of the pages: npm runs for the first page with such a project and such a line, the others get a copy. */

import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createFolder } from "../harness/workspace.ts";
import type { Typed } from "./desk.ts";

const PACKAGE = "package.json";
/** What npm makes besides. */
const MADE = ["node_modules", "package-lock.json"];

interface Installed {
  readonly typed: Typed;
  /** Where what npm wrote is kept: pages go on to change theirs. */
  readonly folder: string;
}

const all = new Map<string, Promise<Installed>>();

/**
 * @param folder of the project
 * @param node the program that npm runs on
 * @param line as in `npm install zod`
 * @param type runs the line there
 */
export async function installOnce(
  folder: string,
  node: string,
  line: string,
  type: () => Promise<Typed>,
): Promise<Typed> {
  // What npm finds there decides what it does.
  if (MADE.some((name) => existsSync(join(folder, name)))) return type();
  const key = JSON.stringify([node, line, readFileSync(join(folder, PACKAGE), "utf8")]);
  const before = all.get(key);
  if (before === undefined) {
    const first = type().then((typed) => keep(folder, typed));
    all.set(key, first);
    return (await first).typed;
  }
  const installed = await before;
  copy(installed.folder, folder);
  return installed.typed;
}

function keep(folder: string, typed: Typed): Installed {
  const kept = createFolder("installed");
  copy(folder, kept);
  return { typed, folder: kept };
}

function copy(from: string, to: string): void {
  for (const name of [PACKAGE, ...MADE]) {
    const made = join(from, name);
    if (existsSync(made)) cpSync(made, join(to, name), { recursive: true, verbatimSymlinks: true });
  }
}
