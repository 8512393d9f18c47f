/** Picks the command and turns what comes of it into an exit status. */

import { findBrokenFile } from "#runtime/toolchain/load/broken-file";
import { toCommandInput } from "./arguments.ts";
import { findCommand } from "./commands.ts";
import { formatCommandHelp } from "./help.ts";
import { runWithoutCommand } from "./no-command.ts";
import { report } from "./report.ts";
import { createTerminal } from "./terminal.ts";

const terminal = createTerminal(process);
/** Runs the command that this process was started for. @throws what a broken file of the framework makes Node throw. */
export async function runCommand(): Promise<void> {
  process.stdout.on("error", onOutputError);
  // Nobody is left to read it.
  process.stderr.on("error", () => {});
  try {
    process.exitCode = await run(process.argv.slice(2));
  } catch (error) {
    if ((await findBrokenFile(error)) !== undefined) throw error;
    const { closeServers } = await import("#runtime/core/node/stop");
    process.exitCode = await report(error, terminal);
    await closeServers();
    await Promise.all([process.stdout, process.stderr].map(untilWritten));
    // What the project opened before it failed, a timer or a connection to a database, would keep the process alive.
    process.exit();
  }
}

/** A reader that has enough (`| head`) closes the pipe: that is no error. A full disk is one. */
function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") return;
  terminal.printError(`error The output could not be written: ${error.message}`);
  process.exitCode = 1;
}

/** What waits for a pipe's reader would be lost at the end of the process. */
function untilWritten(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}

async function run(words: readonly string[]): Promise<number> {
  const found = findCommand(words);
  if (!found) return runWithoutCommand(words, terminal);
  const command = await found.load();
  if (found.rest.includes("--help") || found.rest.includes("-h")) {
    terminal.print(formatCommandHelp(command, terminal));
    return 0;
  }
  return command.run(toCommandInput(command, found.rest, terminal));
}
