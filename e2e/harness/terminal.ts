/** A command at a terminal that a person types into, made by `script` of util-linux. */

import { spawnSync } from "node:child_process";
import { type CommandOptions, type RunningCommand, start } from "./command.ts";

/** Why there can be no terminal here; undefined where there can. */
export function whyNoTerminal(): string | undefined {
  const { status, stdout } = spawnSync("script", ["--version"], { encoding: "utf8" });
  return status === 0 && stdout.includes("util-linux")
    ? undefined
    : "there is no `script` of util-linux on this machine";
}

export const KEY = {
  enter: "\r",
  space: " ",
  down: "\u001b[B",
  left: "\u001b[D",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
  escape: "\u001b",
} as const;

/** @param line a line for the shell: the words of the tests, without anything to be quoted. */
export function startAtTerminal(line: string, options: CommandOptions): RunningCommand {
  return start(["script", "--quiet", "--return", "--command", line, "/dev/null"], options);
}
