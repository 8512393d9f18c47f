/** Where what a command makes of the contract goes: to stdout, into a file, or beside one to compare. */

import { formatProblem } from "#convention/diagnostics/format";
import { type Command, type CommandInput, UsageError, value } from "../command.ts";
import { count } from "../count.ts";
import { compareText, writeText } from "./text-file.ts";

export interface Target {
  readonly file: string;
  /** It is compared, not written. */
  readonly isChecked: boolean;
}

/** @param what goes there, as in "the document". */
export function targetOptions(what: string): Command["options"] {
  return {
    output: value("<file>", `Write ${what} to a file, whole or not at all.`, { short: "o" }),
    check: value("<file>", `Compare a file with ${what}, and exit with 1 if it differs: for CI.`),
  };
}

export function chooseTarget({ values: { output, check } }: CommandInput): Target | undefined {
  if (output !== undefined && check !== undefined)
    throw new UsageError("--output writes a file, and --check compares one.", "Choose one of them.");
  if (output !== undefined) return { file: output, isChecked: false };
  return check === undefined ? undefined : { file: check, isChecked: true };
}

/** What was made of the contract. */
export interface Made {
  readonly text: string;
  /** How many it has. */
  readonly routes: number;
}

/** Prints the text, writes it or compares it. @param command as in "framework openapi". @returns the exit status. */
export function deliver(
  { text, routes }: Made,
  target: Target | undefined,
  command: string,
  input: CommandInput,
): number {
  if (target?.isChecked) return checkFile(input, target.file, text, command);
  input.terminal.print(target ? writeTarget(input, target.file, text, routes) : text.trimEnd());
  return 0;
}

/** @returns what was done. */
export function writeTarget({ cwd }: CommandInput, file: string, text: string, routes: number): string {
  return `${file}: ${count(routes, "route")}${writeText(cwd, file, text) ? "" : ", unchanged"}`;
}

function checkFile({ cwd, terminal }: CommandInput, file: string, text: string, command: string): number {
  const line = compareText(cwd, file, text);
  if (line === undefined) return 0;
  const message =
    line === "missing" ? `There is no ${file}.` : `${file} is not what the routes say: line ${line} differs.`;
  terminal.printError(
    formatProblem(message, `Write it with: npx ${command} --output ${file}`, terminal.color),
  );
  return 1;
}
