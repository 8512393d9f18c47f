/** Picks the command and turns what comes of it into an exit status. */

import { closest } from "#convention/diagnostics/closest";
import { findBrokenFile } from "#toolchain/load/broken-file";
import { type Shell, type Terminal, UsageError } from "./command.ts";
import { COMMANDS, commandFamily, findCommand, loadCommands } from "./commands.ts";
import { endFailed } from "./end-failed.ts";
import { formatCommandHelp, formatHelp } from "./help.ts";
import { splitTyped, toCommandInput } from "./parse.ts";
import { suggest } from "./suggest.ts";
import { frameworkVersion } from "./version.ts";

/** Width where the output is no terminal: wide enough that a program reading it gets whole lines. */
const PIPE_COLUMNS = 10_000;
const HELP = ["--help", "-h", "help"];

/** What people type that is not a command here, and what they mean. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["migrate", "npm run migrate"],
  ["seed", "npm run seed"],
  ["test", "npm test"],
  ["typecheck", "npm run typecheck"],
  ["new", "npm create convention-app"],
  ["create", "npm create convention-app"],
]);
const DESTROYED =
  "`framework destroy` was removed in 0.2: delete the files that `generate` printed, or `git restore`.";

const terminal = createTerminal(process);

/** Runs the command that this process was started for. @throws what a broken file of the framework makes Node throw. */
export async function runCommand(): Promise<void> {
  process.stdout.on("error", onOutputError);
  // Nobody is left to read it.
  process.stderr.on("error", () => {});
  try {
    process.exitCode = await execute(process.argv.slice(2), { cwd: process.cwd(), terminal });
  } catch (error) {
    if ((await findBrokenFile(error)) !== undefined) throw error;
    await endFailed(error, terminal);
  }
}

/** A reader that has enough (`| head`) closes the pipe: that is no error. A full disk is one. */
function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") return;
  terminal.printError(`error The output could not be written: ${error.message}`);
  process.exitCode = 1;
}

/** @returns the exit status. @throws what the command does, which `report` tells. */
export async function execute(words: readonly string[], shell: Shell): Promise<number> {
  const [first, ...others] = words;
  if (first === "help" && others.length > 0) return execute([...others, "--help"], shell);
  const found = findCommand(words);
  if (!found) return runWithoutCommand(words, shell.terminal);
  const command = await found.load();
  const { own } = splitTyped(command, found.rest);
  if (own.includes("--help") || own.includes("-h")) {
    shell.terminal.print(formatCommandHelp(command, shell.terminal));
    return 0;
  }
  return command.run(toCommandInput(command, found.rest, shell));
}

/** The help or the version. @throws {UsageError} where the words ask for nothing that there is. */
async function runWithoutCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  const [first = "--help", second] = words;
  const family = commandFamily(first);
  if (first === "--version" || first === "-v") {
    terminal.print(`framework ${frameworkVersion()}`);
    return 0;
  }
  if (first === "destroy") throw new UsageError(DESTROYED);
  const names = family.length > 0 ? family : Object.keys(COMMANDS);
  if (HELP.includes(first) || (family.length > 0 && second !== undefined && HELP.includes(second))) {
    terminal.print(formatHelp(await loadCommands(names), terminal));
    return 0;
  }
  if (first.startsWith("-"))
    throw new UsageError(`There is no option ${first}.`, suggest(first, ["--help", "--version"]));
  if (family.length > 0 && second === undefined) {
    throw new UsageError(`"framework ${first}" needs one more word.`, suggest("", family, toTyped));
  }
  throw unknownCommand(words, family.length > 0 ? `${first} ${second}` : first, names);
}

function unknownCommand(words: readonly string[], typed: string, names: readonly string[]): UsageError {
  const [first = ""] = words;
  // `rotes list` is nearer to a command than `rotes` is, `dve --port 1` the other way round.
  const nearest = closest(words.slice(0, 2).join(" "), names) ?? closest(typed, names);
  const meant = ELSEWHERE.get(first) ?? (nearest && toTyped(nearest));
  const hint = meant === undefined ? "framework --help shows what there is." : `Did you mean ${meant}?`;
  return new UsageError(`There is no command "framework ${typed}".`, hint);
}

function toTyped(name: string): string {
  return `framework ${name}`;
}

function createTerminal({ stdin, stdout, stderr, env }: NodeJS.Process): Terminal {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0";
  return {
    columns: stdout.isTTY ? stdout.columns || 80 : PIPE_COLUMNS,
    color: !env.NO_COLOR && env.TERM !== "dumb" && (forced || stdout.isTTY === true),
    interactive: stdin.isTTY === true && stdout.isTTY === true && !env.CI,
    print: (text) => void stdout.write(`${text}\n`),
    printError: (text) => void stderr.write(`${text}\n`),
  };
}
