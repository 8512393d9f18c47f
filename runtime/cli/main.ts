#!/usr/bin/env node
/** The `framework` command: picks the command and turns what comes of it into an exit status. */

import { toCommandInput } from "./arguments.ts";
import { UsageError } from "./command.ts";
import { COMMANDS, commandFamily, findCommand, loadCommands } from "./commands.ts";
import { formatCommandHelp, formatHelp } from "./help.ts";
import { report } from "./report.ts";
import { suggest } from "./suggest.ts";
import { createTerminal } from "./terminal.ts";
import { frameworkVersion } from "./version.ts";

const HELP = new Set(["--help", "-h"]);
const terminal = createTerminal(process);

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = await report(error, terminal);
}

async function run(words: readonly string[]): Promise<number> {
  const found = findCommand(words);
  if (!found) return runWithoutCommand(words);
  const command = await found.load();
  if (found.rest.some((word) => HELP.has(word))) {
    terminal.print(formatCommandHelp(command, terminal));
    return 0;
  }
  return command.run(toCommandInput(command, found.rest, terminal));
}

async function runWithoutCommand(words: readonly string[]): Promise<number> {
  const [first = "--help", second] = words;
  const family = commandFamily(first);
  if (first === "--version" || first === "-v") {
    terminal.print(`framework ${frameworkVersion()}`);
    return 0;
  }
  if (
    HELP.has(first) ||
    first === "help" ||
    (family.length > 0 && second !== undefined && HELP.has(second))
  ) {
    terminal.print(
      formatHelp(await loadCommands(family.length > 0 ? family : Object.keys(COMMANDS)), terminal),
    );
    return 0;
  }
  const wanted = family.length > 0 && second !== undefined ? `${first} ${second}` : first;
  const what = first.startsWith("-")
    ? `There is no option ${first}`
    : `There is no command "framework ${wanted}"`;
  throw new UsageError(
    family.length > 0 && second === undefined ? `"framework ${first}" needs one more word.` : `${what}.`,
    suggest(wanted, family.length > 0 ? family : Object.keys(COMMANDS), (name) => `framework ${name}`),
  );
}
