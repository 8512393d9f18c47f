/** Writes the one file that the published package runs: our code, create-create-app, prompts and kleur. Their licences go beside it. */

import { createRequire } from "node:module";
import { join } from "node:path";
import handlebars from "handlebars";
import { rolldown } from "rolldown";
import { formatRefusal, formatReport } from "../print.ts";
import type { Advice } from "../refusal.ts";
import { beginningOf, readRendered } from "../template.ts";
import { collectLicences } from "./licences.ts";

const create = join(import.meta.dirname, "..");
const template = join(create, "../template");
const require = createRequire(import.meta.url);
const OLDEST_NODE = [20, 19] as const;

/**
 * A program exports nothing. This tells publint the format: the templates' text is in the bundle, and words like
 * "imported from" in it are all that it would find otherwise, and take for an ES module.
 */
const NO_EXPORTS = "module.exports = {};";

/** Filled in where it runs. */
const THIS_NODE = "<this Node>";
const TOO_OLD: Advice = {
  problem: `convention-app needs Node ${OLDEST_NODE.join(".")} or newer, but this is ${THIS_NODE}`,
  hint: "Install a current one from https://nodejs.org, then run the same command again.",
};

/**
 * Stands before everything, in words that Node 4 can read: an old Node is told apart before it meets what it does not
 * know. A CommonJS file may return at its top, so nothing after it runs.
 */
const NODE_GATE = `var nodeVersion = process.versions.node.split(".").map(Number);
if (nodeVersion[0] < ${OLDEST_NODE[0]} || (nodeVersion[0] === ${OLDEST_NODE[0]} && nodeVersion[1] < ${OLDEST_NODE[1]})) {
  if (process.argv.indexOf("--json") > 0) console.log(${toExpression(formatReport({ error: TOO_OLD, warnings: [] }))});
  else console.error(${toExpression(formatRefusal(TOO_OLD, false))});
  process.exitCode = 1;
  return;
}`;

function toExpression(text: string): string {
  return `${JSON.stringify(text)}.replace(${JSON.stringify(THIS_NODE)}, process.versions.node)`;
}

/**
 * Writes the bundle, and `<name>.LICENSE.txt` beside it.
 *
 * @param outFile as in `dist/create.cjs`; at run time it expects `template/` beside it
 */
export async function bundleCreate(outFile: string): Promise<void> {
  const bundle = await rolldown({
    input: join(create, "main.ts"),
    platform: "node",
    // Old enough that Node 12 can parse the file, and so reaches the gate.
    transform: { target: "node12", define: { COMPILED_TEMPLATES: compileTemplates() } },
    resolve: { alias: { ...INSTEAD, ...findStandIns() } },
    plugins: [collectLicences()],
    onLog: (level, log, report) => {
      if (level === "warn") throw new Error(log.message);
      report(level, log);
    },
  });
  await bundle.write({
    file: outFile,
    format: "cjs",
    codeSplitting: false,
    banner: `#!/usr/bin/env node\n${NODE_GATE}`,
    postFooter: NO_EXPORTS,
    minify: true,
  });
  await bundle.close();
}

/** An expression: how each template begins, and what Handlebars makes of it with the options that the engine gives. */
function compileTemplates(): string {
  const texts = Object.values(readRendered(template));
  const beginnings = new Set(texts.map(beginningOf).filter((text) => text.includes("\n")));
  if (beginnings.size !== texts.length) throw new Error("Two templates begin alike.");
  const entries = texts.map(
    (text) => `${JSON.stringify(beginningOf(text))}: ${handlebars.precompile(text, { noEscape: true })}`,
  );
  return `({ ${entries.join(", ")} })`;
}

const WORKING = ["globby", "handlebars", "yargs-interactive"];
const IDLE = ["chalk", "cross-spawn", "epicfail", "execa", "gitconfig", "license.js", "slash", "uuid"];

/** Files of packages, in place of their main ones. */
const INSTEAD: Readonly<Record<string, string>> = {
  "handlebars/runtime.js": require.resolve("handlebars/runtime.js"),
  // The main file chooses between this and a copy of it for Node before 8.6.
  prompts: require.resolve("prompts/lib/index.js"),
  // prompts asks for version 3, which does not know NO_COLOR.
  kleur: require.resolve("kleur"),
};

/** The engine's dependencies that are replaced, by package: see engine/README.md. */
function findStandIns(): Record<string, string> {
  const folder = join(create, "engine", "stand-ins");
  const working = WORKING.map((name) => [name, join(folder, `${name}.ts`)]);
  const idle = IDLE.map((name) => [name, join(folder, "idle.ts")]);
  return Object.fromEntries([...working, ...idle]);
}
