/** `npm install` in the projects of the pages: npm runs for the first page with such a project, the others get a copy of what it brought. */

import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createFolder } from "../harness/workspace.ts";
import type { Typed } from "./desk.ts";

const MODULES = "node_modules";
const LOCK = "package-lock.json";

interface Installed {
  readonly typed: Typed;
  /** Where what npm wrote is kept: pages go on to change theirs. */
  readonly folder: string;
}

const all = new Map<string, Promise<Installed>>();

/**
 * @param folder of the project
 * @param node the program that npm runs on
 * @param type runs npm there
 */
export async function installOnce(folder: string, node: string, type: () => Promise<Typed>): Promise<Typed> {
  // What npm finds there decides what it does.
  if ([MODULES, LOCK].some((name) => existsSync(join(folder, name)))) return type();
  const key = createHash("sha256")
    .update(`${node}\n${readFileSync(join(folder, "package.json"), "utf8")}`)
    .digest("hex");
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
  for (const name of [MODULES, LOCK])
    if (existsSync(join(from, name)))
      cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
}
