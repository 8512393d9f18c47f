/** What `framework` does where its words are no command: the help, the version, or the nearest command there is. */

import { closest } from "#runtime/convention/diagnostics/closest";
import { type Terminal, UsageError } from "./command.ts";
import { COMMANDS, commandFamily, loadCommands } from "./commands.ts";
import { formatHelp } from "./help.ts";
import { suggest } from "./suggest.ts";
import { frameworkVersion } from "./version.ts";

const HELP = ["--help", "-h", "help"];
const SEE_HELP = "framework --help shows what there is.";

/** @throws {UsageError} where the words ask for nothing that there is. */
export async function runWithoutCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  const [first = "--help", second] = words;
  const family = commandFamily(first);
  if (first === "--version" || first === "-v") {
    terminal.print(`framework ${frameworkVersion()}`);
    return 0;
  }
  const names = family.length > 0 ? family : Object.keys(COMMANDS);
  if (HELP.includes(first) || (family.length > 0 && second !== undefined && HELP.includes(second))) {
    terminal.print(formatHelp(await loadCommands(names), terminal));
    return 0;
  }
  if (first.startsWith("-")) throw new UsageError(`There is no option ${first}.`, SEE_HELP);
  if (family.length > 0 && second === undefined) {
    throw new UsageError(`"framework ${first}" needs one more word.`, suggest("", family, toTyped));
  }
  throw unknownCommand(words, family.length > 0 ? `${first} ${second}` : first, names);
}

function unknownCommand(words: readonly string[], typed: string, names: readonly string[]): UsageError {
  // `rotes list` is nearer to a command than `rotes` is, `dve --port 1` the other way round.
  const nearest = closest(words.slice(0, 2).join(" "), names) ?? closest(typed, names);
  const hint = nearest ? `Did you mean ${toTyped(nearest)}?` : SEE_HELP;
  return new UsageError(`There is no command "framework ${typed}".`, hint);
}

function toTyped(name: string): string {
  return `framework ${name}`;
}
