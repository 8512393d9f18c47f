#!/usr/bin/env node
/** The `framework` command. It imports nothing of ours before it is sure that all files are of one version. */

import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const COMMAND = "vendor/framework/tools/cli.js";

const own = import.meta.url;
const root = new URL("../../../", own);
const session = new URL(".framework/upgrade/framework/generators/changes.js", root);

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
  // An upgrade was killed while it renamed its files into place: the newer framework, which is complete beside them, finishes it.
  if (own.endsWith(`/${COMMAND}`) && isHalfMade() && existsSync(session)) {
    try {
      const { withProjectLock } = await import(session.href);
      await withProjectLock(fileURLToPath(root), console.error, () => undefined);
    } catch (error) {
      // The upgrade was not killed. It has ended meanwhile, and removed the files that this would read.
      if (isHalfMade()) throw error;
    }
  }
  try {
    await (await import("./run.ts")).runCommand();
  } catch (error) {
    await (await import("#toolchain/load/broken-file")).reportBrokenFile(error);
  }
}

function isHalfMade(): boolean {
  return ["committed", "withdrawn"].some((state) => existsSync(new URL(`.framework/${state}.json`, root)));
}
