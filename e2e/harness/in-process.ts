/** Commands of the framework in the test's own process, from the sources: a process of its own takes ten times as long. */

import { stripVTControlCharacters } from "node:util";
import type { Terminal } from "#toolchain/cli/command";
import type { Outcome } from "./command.ts";

/** They run the project, go on for ever, or are about the vendored files, as `--version` is. */
const SPAWNED = /^(?:dev|start|run|build|doctor|upgrade|-.*)$/;

export function runsInProcess([first = ""]: readonly string[]): boolean {
  return !SPAWNED.test(first);
}

/** What it printed on both streams, in the order of its coming. */
type Collected = Outcome & { readonly printed: string };

/** @param words what follows `framework`. */
export async function runInProcess(words: readonly string[], cwd: string): Promise<Collected> {
  const { execute } = await import("#toolchain/cli/run");
  return collect((terminal) => execute(words, { cwd, terminal }));
}

/** @param work what a command does at a terminal; it returns its exit status, or throws what is reported there. */
export async function collect(work: (terminal: Terminal) => Promise<number>): Promise<Collected> {
  const [out, err, both]: [string[], string[], string[]] = [[], [], []];
  const keep = (lines: string[]) => (text: string) => {
    for (const list of [lines, both]) list.push(`${stripVTControlCharacters(text)}\n`);
  };
  const terminal: Terminal = {
    columns: 10_000,
    color: false,
    interactive: false,
    print: keep(out),
    printError: keep(err),
  };
  const { report } = await import("#toolchain/cli/report");
  const status = await work(terminal).catch((error) => report(error, terminal));
  return { status, signal: null, stdout: out.join(""), stderr: err.join(""), printed: both.join("") };
}
