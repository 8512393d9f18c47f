/** What `npm create convention-app` runs: from the command line to a project, step by step. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, explainSystemError } from "../convention/diagnostics/system-error.ts";
import { findGit, startRepository } from "./git.ts";
import { install } from "./install.ts";
import { type Interruption, watchInterruption } from "./interruption.ts";
import { formatHelp, parseFlags, recoverFlags } from "./options.ts";
import { detectPackageManager } from "./package-managers.ts";
import { createJsonOutput, createTextOutput, type Output, toRecoveredAdvice } from "./print.ts";
import { decide } from "./prompts.ts";
import { escapeControl, isRefusal, type Refusal, refuse } from "./refusal.ts";
import { isUpgrade, upgrade } from "./upgrade.ts";
import { scaffold } from "./write.ts";

const CANCELLED_STATUS = 130;

/** The bundle's folder: the build puts the template and the framework there. */
const source = import.meta.dirname;
const { env, stdout } = process;

async function main(interruption: Interruption): Promise<number> {
  const recovered = recoverFlags(env);
  const words = [...recovered, ...process.argv.slice(2)];
  const output = words.includes("--json") ? createJsonOutput(process) : createTextOutput(process);
  if (recovered.some((word) => word !== "--yes" && word !== "--json"))
    output.notice(toRecoveredAdvice(recovered));
  try {
    if (!isUpgrade(words)) return await create(words, output, interruption);
    const outcome = await upgrade({ source, cwd: process.cwd(), words, interruption });
    return typeof outcome === "number" ? outcome : refused(output, outcome);
  } catch (error) {
    return refused(output, toFault(error));
  }
}

async function create(words: readonly string[], output: Output, interruption: Interruption): Promise<number> {
  // 1. Read the command line.
  const flags = parseFlags(words, env);
  if (isRefusal(flags)) return refused(output, flags);
  if (flags.help) return print(formatHelp());
  if (flags.version) return print(readVersion());

  // 2. Decide what to make, and where.
  const [cwd, runner, git] = [process.cwd(), detectPackageManager(env.npm_config_user_agent), findGit(env)];
  const decision = await decide(flags, { cwd, runner, git, interruption });
  if (decision === undefined) return cancelled(output, interruption);
  if (isRefusal(decision)) return refused(output, decision);

  // 3. Make the project, whole or not at all.
  const { choices, target } = decision;
  const { directory, name } = target;
  const values = { ...choices, project: name };
  const made = await scaffold({ source, target, values, isInterrupted: interruption.hasCome });
  if (made === undefined) return cancelled(output, interruption);
  if (isRefusal(made)) return refused(output, made);

  // 4. Install packages and start a repository. If that fails, the project stays.
  const progress = flags.json ? "stderr" : "stdout";
  const installing = { manager: choices.pm, directory, environment: env, interruption, progress } as const;
  const failure = choices.install ? await install(installing) : undefined;
  const isStopped = await interruption.hasCome();
  const message = `Create ${name} with convention-app`;
  const committed =
    choices.git && !isStopped ? startRepository({ git, directory, message, environment: env }) : undefined;

  // 5. Print what there is now, and what to type next.
  const { files, met } = made;
  output.made({ name, directory, files, met, choices, runner, committed: await committed, failure });
  return interruption.status() ?? (failure === undefined ? 0 : 1);
}

function readVersion(): string {
  return JSON.parse(readFileSync(join(source, "..", "package.json"), "utf8")).version;
}

function print(text: string): 0 {
  stdout.write(`${text}\n`);
  return 0;
}

function refused(output: Output, refusal: Refusal): number {
  output.refused(refusal);
  return refusal.status;
}

function cancelled(output: Output, interruption: Interruption): number {
  output.cancelled();
  return interruption.status() ?? CANCELLED_STATUS;
}

/** Node alone would print the bundle's one long line. An error that is not the system's is a bug of ours. */
function toFault(error: unknown): Refusal {
  if (error instanceof Error && "syscall" in error && error.syscall === "uv_cwd")
    return refuse(1, "the current folder has been deleted", "Go to another one, and run the command again.");
  if (codeOf(error) !== undefined)
    return refuse(1, escapeControl(explainSystemError(error)), "Fix that, and run the command again.");
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const [what = "", ...where] = stack.split("\n").map((line) => escapeControl(line.trim()));
  const hint = `This is a bug in convention-app. Please report it. ${where.slice(0, 3).join(" ")}`;
  return refuse(1, `the project could not be created: ${what}`, hint);
}

/** A reader that has enough (`| head`) closes the pipe, which is fine. A full disk is an error. */
function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") return;
  process.stderr.write(`error The output could not be written: ${error.message}\n`);
  process.exitCode = 1;
}

stdout.on("error", onOutputError);
// No `await` here: the bundle is CommonJS.
main(watchInterruption()).then((status) => {
  process.exitCode ||= status;
});
