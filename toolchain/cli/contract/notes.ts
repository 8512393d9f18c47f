/** Notes on what the sources leave open: their number, or each with its place. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Project } from "#convention/project";
import { ProjectError } from "#toolchain/load/project-error";
import { type Command, type CommandInput, flag } from "../command.ts";
import { count } from "../count.ts";

/** How much is known, and whether the rest is shown. */
export const NOTE_OPTIONS: Command["options"] = {
  "no-infer": flag("Leave out the results that only tsc knows. It is faster."),
  notes: flag("Show on stderr what is not known, and where."),
};

export const SCHEMA_OPTIONS: Command["options"] = {
  "load-schemas": flag(
    "Run the files that export Standard Schemas, such as zod's, and ask these for their JSON Schemas.",
  ),
};

/** As typed, or by `[contract] load_schemas`. */
export function asksSchemas({ flags }: Pick<CommandInput, "flags">, { contract }: Project): boolean {
  return flags["load-schemas"] || contract?.loadSchemas === true;
}

/** To stderr, so that what is on stdout stays a file. @param what leaves something open, as in "the document". */
export function printNotes(
  root: string,
  notes: readonly Diagnostic[],
  what: string,
  { flags, terminal }: Pick<CommandInput, "flags" | "terminal">,
): void {
  if (notes.length === 0) return;
  const { color, printError } = terminal;
  if (flags.notes) printError(`${new ProjectError(root, notes).format(color)}\n`);
  else printError(`${count(notes.length, "note")} on what ${what} leaves open. --notes shows them.`);
}
