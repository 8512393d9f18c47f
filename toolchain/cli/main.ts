#!/usr/bin/env node
/** The `framework` command. It imports nothing of ours statically, so that it can report a broken file. */

import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const COMMAND = "vendor/framework/tools/cli.js";

const own = import.meta.url;
const command = findCommand();
if (command === own) await runOwn();
else await import(command);

/**
 * The command of the project that it is typed in. A package manager may have copied that, or have linked another project's.
 *
 * @returns the URL of its file; our own outside of a project, and for a framework that upgrades one.
 */
function findCommand(): string {
  if (!/\/(?:vendor|node_modules)\/framework\/tools\/cli\.js$/.test(own)) return own;
  let folder = process.cwd();
  while (!existsSync(join(folder, "framework.toml")) && folder !== dirname(folder)) folder = dirname(folder);
  const file = join(folder, COMMAND);
  return existsSync(file) ? pathToFileURL(realpathSync(file)).href : own;
}

async function runOwn(): Promise<void> {
  try {
    await (await import("./run.ts")).runCommand();
  } catch (error) {
    await (await import("#toolchain/load/broken-file")).reportBrokenFile(error);
  }
}
