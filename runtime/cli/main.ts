#!/usr/bin/env node
/** The `framework` command: picks the command and turns what comes of it into an exit status. */

import { closest } from "../convention/closest.ts";
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
  throw unknownCommand(words, family);
}

function unknownCommand(words: readonly string[], family: readonly string[]): UsageError {
  const [first = "", second] = words;
  if (first.startsWith("-"))
    return new UsageError(`There is no option ${first}.`, "framework --help shows what there is.");
  if (family.length > 0 && second === undefined) {
    return new UsageError(`"framework ${first}" needs one more word.`, suggest("", family, toTyped));
  }
  const typed = family.length > 0 ? `${first} ${second}` : first;
  const names = family.length > 0 ? family : Object.keys(COMMANDS);
  // `rotes list` is nearer to a command than `rotes` is, `dve --port 1` the other way round.
  const nearest = closest(words.slice(0, 2).join(" "), names) ?? closest(typed, names);
  const hint = nearest ? `Did you mean ${toTyped(nearest)}?` : "framework --help shows what there is.";
  return new UsageError(`There is no command "framework ${typed}".`, hint);
}

function toTyped(name: string): string {
  return `framework ${name}`;
}
