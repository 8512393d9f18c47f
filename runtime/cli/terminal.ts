/** The terminal of a process: how wide it is, whether colours may be written, and whether a person is there. */

import type { Terminal } from "./command.ts";

/** Width where the output is no terminal: wide enough that a program reading it gets whole lines. */
const PIPE_COLUMNS = 10_000;

export function createTerminal({ stdin, stdout, stderr, env }: NodeJS.Process): Terminal {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0";
  return {
    columns: stdout.isTTY ? stdout.columns || 80 : PIPE_COLUMNS,
    color: !env.NO_COLOR && env.TERM !== "dumb" && (forced || stdout.isTTY === true),
    interactive: stdin.isTTY === true && stdout.isTTY === true && !env.CI,
    print: (text) => void stdout.write(`${text}\n`),
    printError: (text) => void stderr.write(`${text}\n`),
  };
}
