/** `framework run`: a file of the project, loaded as the server loads the project's modules. */

import { readdirSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { closest } from "#runtime/convention/diagnostics/closest";
import { escapeControl } from "#runtime/core/escape";
import { type Command, UsageError } from "./command.ts";
import { requireProjectRoot } from "./project-root.ts";

export const runFile: Command = {
  usage: "framework run <file> [words …]",
  summary: "Run a file of the project, such as a script that fills the database.",
  details:
    "The file is TypeScript or JavaScript. It is loaded as the server loads the project: `framework` and the aliases of package.json\n" +
    "mean the same, and .env is read. NODE_ENV is development unless it is set. The words after the file are the file's own.",
  takesWords: true,
  passesWords: true,
  options: {},
  examples: ["framework run database/migrate.ts", "framework run scripts/report.ts --month 11"],
  async run(input) {
    const root = requireProjectRoot(input);
    const [file, ...words] = input.words;
    if (file === undefined)
      throw new UsageError("Which file should run?", "As in: framework run database/seed.ts");
    const path = requireFile(input.cwd, file);
    process.argv = [process.execPath, path, ...words];
    const { runProjectFile } = await import("#runtime/toolchain/load/run-file");
    await runProjectFile(root, path);
    // What the file has set.
    return Number(process.exitCode ?? 0);
  },
};

/** @throws {UsageError} for a file that is not there, with one that has nearly the same name. */
function requireFile(cwd: string, file: string): string {
  const path = resolve(cwd, file);
  const folder = dirname(path);
  const names = listNames(folder);
  if (names.includes(basename(path))) return path;
  const name = basename(path);
  const near =
    names.find((one) => one === `${name}.ts` || one === `${name}.js`) ?? closest(name, names.filter(extname));
  const hint =
    near === undefined
      ? "Give its path from this folder."
      : `Did you mean ${escapeControl(join(dirname(file), near))}?`;
  throw new UsageError(`There is no file ${escapeControl(file)}.`, hint);
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
