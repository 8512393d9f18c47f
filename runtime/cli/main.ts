#!/usr/bin/env node
/** The `framework` command. It imports nothing of ours before it is sure that all files are of one version. */

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const own = import.meta.url;
const root = new URL("../../../", own);
const session = new URL(".framework/upgrade/framework/generators/changes.js", root);

// An upgrade was killed while it renamed its files into place: the newer framework, which is complete beside them, finishes it.
if (own.endsWith("/vendor/framework/cli/main.js") && isHalfMade() && existsSync(session)) {
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
  await (await import("#runtime/toolchain/load/broken-file")).reportBrokenFile(error);
}

function isHalfMade(): boolean {
  return ["committed", "withdrawn"].some((state) => existsSync(new URL(`.framework/${state}.json`, root)));
}
