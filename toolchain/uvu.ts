/**
 * Runs the project's tests by its own uvu (`node --import ./vendor/framework/test.js vendor/framework/uvu.js tests [words]`), with the
 * options of uvu's own command. Unlike that one, it takes plain words that choose files, ignores files and folders that begin
 * with `_`, colours only what goes to a terminal, and shows the place in a test file or an imported module that can't be loaded.
 */

import { existsSync } from "node:fs";
import { resolve, sep } from "node:path";
import { parseArgs } from "node:util";
import { Problem } from "#runtime/problem";
import { chooseTests } from "./chosen-tests.ts";
import { placeLoadFailure } from "./load/load-failure.ts";
import { formatError } from "./load/project-error.ts";
import { toPath } from "./load/project-files.ts";

const HELPERS = "(^|[\\\\/])_";

/** uvu keeps the index of the current file here. */
const progress = globalThis as { UVU_INDEX?: number };

try {
  await runTests();
} catch (error) {
  const hasColors = process.stderr.isTTY === true && process.stderr.hasColors();
  console.error(formatError(error, hasColors));
  // Whatever the project has opened must not keep the process alive.
  process.exit(1);
}

async function runTests(): Promise<void> {
  const { values, positionals } = readWords();
  if (values.color !== undefined) process.env[values.color ? "FORCE_COLOR" : "NO_COLOR"] = "1";
  const [folder = ".", ...words] = positionals;
  const { parse, run } = await importRunner();
  const { suites: all } = existsSync(resolve(values.cwd, folder))
    ? await parse(folder, undefined, { ...values, ignore: [HELPERS, ...values.ignore] })
    : { suites: [] };
  const root = resolve(values.cwd);
  const chosen = chooseTests(
    root.split(sep).join("/"),
    all.map(({ file }) => toPath(root, file)),
    words,
  );
  const suites = all.filter(({ file }) => chosen.includes(toPath(root, file)));
  try {
    await run(suites, { bail: values.bail === true });
  } catch (error) {
    const file = suites[progress.UVU_INDEX ?? 0]?.file;
    throw file === undefined
      ? error
      : await placeLoadFailure(process.cwd(), toPath(process.cwd(), file), error);
  }
}

function readWords() {
  try {
    return parseArgs({
      allowPositionals: true,
      allowNegative: true,
      options: {
        bail: { type: "boolean", short: "b" },
        color: { type: "boolean", short: "c" },
        cwd: { type: "string", short: "C", default: "." },
        ignore: { type: "string", short: "i", multiple: true, default: [] },
        require: { type: "string", short: "r", multiple: true, default: [] },
      },
    });
  } catch (cause) {
    throw new Problem(cause instanceof Error ? cause.message : String(cause), undefined, { cause });
  }
}

/** uvu may be in a folder above the project, as in a workspace. */
async function importRunner() {
  try {
    return { ...(await import("uvu/parse")), ...(await import("uvu/run")) };
  } catch (cause) {
    throw new Problem("The tests need the project's devDependencies.", "Run `npm install` first.", { cause });
  }
}
