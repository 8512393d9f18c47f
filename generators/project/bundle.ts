/** Makes the one file that the published package runs: our code, create-create-app, prompts and kleur, with their licences beside it. */

import { readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { type OutputChunk, rolldown } from "rolldown";
import { collectLicences } from "./licences.ts";

const here = import.meta.dirname;
const require = createRequire(import.meta.url);
const OLDEST_NODE = [20, 19] as const;

/**
 * Stands before everything, in words that Node 4 can read: an old Node is told apart before it meets what it does not
 * know. A CommonJS file may return at its top, so nothing after it runs.
 */
const NODE_GATE = `var nodeVersion = process.versions.node.split(".").map(Number);
if (nodeVersion[0] < ${OLDEST_NODE[0]} || (nodeVersion[0] === ${OLDEST_NODE[0]} && nodeVersion[1] < ${OLDEST_NODE[1]})) {
  console.error("error convention-app needs Node ${OLDEST_NODE.join(".")} or newer, but this is " + process.versions.node + ".\\n      Install a current one from https://nodejs.org, then run the same command again.");
  process.exitCode = 1;
  return;
}`;

/**
 * Writes the bundle, and `<name>.LICENSE.txt` beside it.
 *
 * @param outFile as in `dist/create.cjs`; at run time it expects `template/`, `rendered/` and `framework/` beside it
 */
export async function bundleCreate(outFile: string): Promise<void> {
  const bundle = await rolldown({
    input: join(here, "main.ts"),
    platform: "node",
    // Old enough that Node 12 can parse the file, and so reaches the gate.
    transform: { target: "node12" },
    resolve: { alias: { ...findStandIns(), ...INSTEAD } },
    onLog: (level, log, report) => {
      if (level === "warn") throw new Error(log.message);
      report(level, log);
    },
  });
  const { output } = await bundle.write({
    file: outFile,
    format: "cjs",
    codeSplitting: false,
    banner: `#!/usr/bin/env node\n${NODE_GATE}`,
    minify: true,
  });
  await bundle.close();
  const chunks = output.filter((part): part is OutputChunk => part.type === "chunk");
  const licences = collectLicences(chunks.flatMap((chunk) => chunk.moduleIds));
  writeFileSync(join(dirname(outFile), `${basename(outFile, ".cjs")}.LICENSE.txt`), licences);
}

/** Files of packages, in place of their main ones. */
const INSTEAD: Readonly<Record<string, string>> = {
  // The main file also registers itself with `require.extensions` and loads a printer.
  handlebars: require.resolve("handlebars/dist/cjs/handlebars.js"),
  // The main file chooses between this and a copy of it for Node before 8.6.
  prompts: require.resolve("prompts/lib/index.js"),
  // prompts asks for version 3, which does not know NO_COLOR.
  kleur: require.resolve("kleur"),
};

/** The engine's dependencies that are replaced: each file there is called after the package it stands for. */
function findStandIns(): Record<string, string> {
  const folder = join(here, "engine", "stand-ins");
  return Object.fromEntries(
    readdirSync(folder).map((file) => [file.replace(/\.ts$/, ""), join(folder, file)]),
  );
}
