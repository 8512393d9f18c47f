/** Takes a terminal session apart: `$ ` and a command, below it what that prints, `^C` where Ctrl-C is pressed. */

import type { Block } from "./blocks.ts";

export interface Exchange {
  /** Undefined for the lines above the first command: what a server that runs already has printed since. */
  readonly command: string | undefined;
  readonly shown: readonly string[];
  /** What it prints after Ctrl-C; undefined where none is pressed. */
  readonly shownAfterInterrupt: readonly string[] | undefined;
  /** Of the command in the page. */
  readonly line: number;
}

export function readSession({ lines, line }: Block): Exchange[] {
  const starts = lines.flatMap((text, index) => (text.startsWith("$ ") ? [index] : []));
  if (starts[0] !== 0) starts.unshift(0);
  return starts.map((start, index) => {
    const [first = "", ...rest] = lines.slice(start, starts[index + 1]);
    const command = first.startsWith("$ ") ? first.slice(2) : undefined;
    const shown = command === undefined ? [first, ...rest] : rest;
    const interrupt = shown.indexOf("^C");
    const isInterrupted = interrupt !== -1;
    return {
      command,
      shown: isInterrupted ? shown.slice(0, interrupt) : shown,
      shownAfterInterrupt: isInterrupted ? shown.slice(interrupt + 1) : undefined,
      line: line + start,
    };
  });
}
