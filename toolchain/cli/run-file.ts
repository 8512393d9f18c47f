/** `framework run`: runs one file of the project. */

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { Problem } from "#runtime/problem";
import type { Command } from "./command.ts";
import { endFailed } from "./end-failed.ts";
import { requireProjectRoot } from "./project-root.ts";

/** What Node runs. It has no JSX. */
const RUNNABLE = /(?<!\.d)\.[cm]?[jt]s$/;

export const runFile: Command = {
  usage: "framework run <file> [word …]",
  summary: "Run a TypeScript file of the project, such as a script for its data.",
  details:
    "The file is found from the current folder. All words after it are its own, in process.argv.\n" +
    "It imports what the project's other files import: types are removed, and framework is vendor/framework.\n" +
    "It reads .env. NODE_ENV is development unless it is set. The exit status is the file's own.",
  options: {},
  examples: [
    "framework run database/seed.ts",
    "framework run scripts/import.ts --from prices.csv",
    "NODE_ENV=production framework run scripts/report.ts",
  ],
  passesWords: true,
  async run(input) {
    const { cwd, terminal } = input;
    const [word = "", ...words] = input.words;
    const root = requireProjectRoot(input);
    const file = resolve(cwd, word);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile() || !RUNNABLE.test(file))
      throw new Problem(`There is no TypeScript or JavaScript file ${JSON.stringify(word)} in ${cwd}.`);
    const { runScript } = await import("#toolchain/start/run-file");
    await runScript({ root, file, words, onUncaught: (error) => void endFailed(error, terminal) });
    return Number(process.exitCode ?? 0);
  },
};
