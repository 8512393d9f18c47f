/** The versions of Node that a bench runs on: `--node` with a path, or with the name of one that the end-to-end tests install. */

import { existsSync } from "node:fs";
import { Problem } from "#runtime/problem";
import { runWell } from "../e2e/harness/command.ts";
import { isolatedEnvironment } from "../e2e/harness/environment.ts";
import { findNode, NODES } from "../e2e/harness/nodes.ts";
import { REPOSITORY } from "../e2e/harness/workspace.ts";

export interface ChosenNode {
  readonly path: string;
  /** As in `v24.1.0`. */
  readonly version: string;
}

/** @param words none means the Node that runs this. */
export async function chooseNodes(words: readonly string[]): Promise<ChosenNode[]> {
  const chosen: ChosenNode[] = [];
  for (const word of words.length === 0 ? [process.execPath] : words) {
    const path = await toPath(word);
    const { stdout } = await runWell([path, "--version"], { cwd: REPOSITORY, env: isolatedEnvironment() });
    chosen.push({ path, version: stdout.trim() });
  }
  return chosen;
}

async function toPath(word: string): Promise<string> {
  const name = NODES.find((known) => known === word);
  if (name === undefined) {
    if (existsSync(word)) return word;
    throw new Problem(`There is no Node at ${JSON.stringify(word)}.`, `Give a path, or ${NODES.join(", ")}.`);
  }
  const program = await findNode(name);
  if (program === undefined) throw new Problem(`${name} could not be installed.`);
  return program;
}
