/** What a command makes of the contract: printed, written into a file, or compared with one; and notes on what it leaves open. */

import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { formatProblem } from "#convention/diagnostics/format";
import { explainSystemError, isMissing } from "#convention/diagnostics/system-error";
import type { Project } from "#convention/project";
import { Problem } from "#runtime/problem";
import { ProjectError } from "#toolchain/load/project-error";
import { type Command, type CommandInput, flag, UsageError, value } from "../command.ts";
import { count } from "../count.ts";

/** @param what the command makes, as in "the document". */
export function outputOptions(what: string): Command["options"] {
  return {
    output: value("<file>", `Write ${what} to a file, whole or not at all.`, { short: "o" }),
    check: value("<file>", `Compare a file with ${what}, and exit with 1 if it differs: for CI.`),
    "load-schemas": flag(
      "Run the files that export Standard Schemas, such as zod's, and ask these for their JSON Schemas.",
    ),
    "no-infer": flag("Leave out the results that only tsc knows. It is faster."),
    notes: flag("Show on stderr what is not known, and where."),
  };
}

/** As typed, or by `[contract] load_schemas`. */
export function asksSchemas({ flags }: CommandInput, { contract }: Project): boolean {
  return flags["load-schemas"] || contract?.loadSchemas === true;
}

/** @returns the file that is written or compared; undefined for stdout. */
export function chooseFile({ values: { output, check } }: CommandInput): string | undefined {
  if (output !== undefined && check !== undefined)
    throw new UsageError("--output writes a file, and --check compares one.", "Choose one of them.");
  return output ?? check;
}

/** What was made of the contract. */
export interface Made {
  readonly text: string;
  /** How many it has. */
  readonly routes: number;
  readonly notes: readonly Diagnostic[];
}

/** @param what as in "the document". @param command as in "framework openapi". @returns the exit status. */
export function deliver(
  root: string,
  { text, routes, notes }: Made,
  { what, command }: { readonly what: string; readonly command: string },
  { values: { output, check }, flags, terminal, cwd }: CommandInput,
): number {
  const { color, print, printError } = terminal;
  // To stderr, so that what is on stdout stays a file.
  if (notes.length > 0 && flags.notes) printError(`${new ProjectError(root, notes).format(color)}\n`);
  else if (notes.length > 0)
    printError(`${count(notes.length, "note")} on what ${what} leaves open. --notes shows them.`);
  const message = check === undefined ? undefined : compare(cwd, check, text);
  if (message !== undefined)
    printError(formatProblem(message, `Write it with: npx ${command} --output ${check}`, color));
  else if (output !== undefined)
    print(`${output}: ${count(routes, "route")}${writeText(cwd, output, text) ? "" : ", unchanged"}`);
  else if (check === undefined) print(text.trimEnd());
  return message === undefined ? 0 : 1;
}

/** Git may have changed the line ends. @returns what differs. */
function compare(folder: string, file: string, text: string): string | undefined {
  const found = readText(folder, file);
  if (found === undefined) return `There is no ${file}.`;
  const [lines, wanted] = [found.replaceAll("\r\n", "\n").split("\n"), text.split("\n")];
  const at = wanted.findIndex((line, index) => line !== lines[index]);
  if (at === -1 && lines.length === wanted.length) return undefined;
  return `${file} is not what the routes say: line ${at === -1 ? wanted.length : at + 1} differs.`;
}

/**
 * Writes the file whole or not at all. One that has the text already is not touched, so that nobody who watches it wakes up.
 *
 * @param folder what the path is relative to. @returns whether it was written.
 */
export function writeText(folder: string, file: string, text: string): boolean {
  const path = resolve(folder, file);
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    // A pipe or a device can't be replaced.
    if (found && !found.isFile()) writeFileSync(path, text);
    else if (found && readFileSync(path, "utf8") === text) return false;
    else replaceFile(found ? realpathSync(path) : path, text);
    return true;
  } catch (error) {
    if (isMissing(error)) throw new Problem(`${file} can't be written: there is no such folder.`);
    throw new Problem(`${file} can't be written: ${explainSystemError(error)}.`);
  }
}

function replaceFile(path: string, text: string): void {
  const fresh = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(fresh, text, { flag: "wx" });
    renameSync(fresh, path);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** @returns undefined where there is no such file. */
export function readText(folder: string, file: string): string | undefined {
  try {
    return readFileSync(resolve(folder, file), "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new Problem(`${file} can't be read: ${explainSystemError(error)}.`);
  }
}
