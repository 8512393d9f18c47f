/** What `npm create convention-app` runs: from the words of the command line to a project, step by step. */

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Flags, parseFlags } from "./flags.ts";
import { findGit, isInRepository, startRepository } from "./git.ts";
import { formatHelp } from "./help.ts";
import { install } from "./install.ts";
import { type Interruption, watchInterruption } from "./interruption.ts";
import { type Choices, toRecoveredAdvice } from "./outcome.ts";
import { detectPackageManager } from "./package-managers.ts";
import { askMissing } from "./prompts.ts";
import { escapeControl, isRefusal, type Refusal, refuse } from "./refusal.ts";
import { scaffold } from "./scaffold.ts";
import { recoverFlags } from "./swallowed.ts";
import { findTarget } from "./target.ts";
import { createJsonTeller, createTextTeller, type Teller } from "./teller.ts";
import { SAMPLE_APPS } from "./template.ts";
import { isUpgrade, upgrade } from "./upgrade.ts";

const DEFAULT_DIRECTORY = "my-app";
const CANCELLED_STATUS = 130;

/** The bundle's folder, where the build puts the template and the framework beside it. */
const source = import.meta.dirname;
const { env, stdout } = process;

async function main(interruption: Interruption): Promise<number> {
  const recovered = recoverFlags(process.argv.slice(2), env);
  const words = [...recovered.words, ...recovered.rest];
  const teller = words.includes("--json") ? createJsonTeller(process) : createTextTeller(process);
  if (recovered.words.some((word) => word !== "--yes" && word !== "--json")) {
    teller.notice(toRecoveredAdvice(recovered.words));
  }
  try {
    if (!isUpgrade(words)) return await create(words, teller, interruption);
    const outcome = await upgrade({ source, cwd: process.cwd(), words, interruption });
    return typeof outcome === "number" ? outcome : refused(teller, outcome);
  } catch (error) {
    return refused(teller, toFault(error));
  }
}

async function create(words: readonly string[], teller: Teller, interruption: Interruption): Promise<number> {
  // 1. What the command line says.
  const flags = parseFlags(words);
  if (isRefusal(flags)) return refused(teller, flags);
  if (flags.help) return print(formatHelp());
  if (flags.version) return print(readVersion());

  // 2. A directory that can't be used is refused before anything is asked.
  const cwd = process.cwd();
  const runner = detectPackageManager(env.npm_config_user_agent);
  const git = findGit(env);
  const canUseGit = (directory: string) => git !== undefined && !isInRepository(resolve(cwd, directory));
  if (flags.directory !== undefined || !isInteractive(flags)) {
    const early = findTarget(cwd, flags.directory ?? DEFAULT_DIRECTORY);
    if (isRefusal(early)) return refused(teller, early);
  }

  // 3. What is missing is asked, or takes its default.
  const stopAsking = interruption.onInterrupt(() => leaveQuestions(interruption));
  const question = { flags, cwd, defaultDirectory: DEFAULT_DIRECTORY, manager: runner, canUseGit };
  const answered = isInteractive(flags) ? await askMissing(question) : flags;
  stopAsking();
  if (answered === undefined) return cancelled(teller, interruption);
  const choices = toChoices(answered, runner);
  const target = findTarget(cwd, choices.directory);
  if (isRefusal(target)) return refused(teller, target);

  // 4. The project, whole or not at all.
  const values = { ...choices, project: target.name };
  const made = await scaffold({ source, target, values, isInterrupted: interruption.hasCome });
  if (isRefusal(made)) return refused(teller, made);
  if (made === undefined) return cancelled(teller, interruption);

  // 5. What may fail without harm to it.
  const { directory, name } = target;
  const output = flags.json ? "stderr" : "stdout";
  const installation = choices.install
    ? await install({ manager: choices.pm, directory, environment: env, interruption, output })
    : undefined;
  const isStopped = await interruption.hasCome();
  const repository =
    choices.git && !isStopped && git !== undefined && canUseGit(directory)
      ? await startRepository({
          git,
          directory,
          message: `Create ${name} with convention-app`,
          environment: env,
        })
      : undefined;

  // 6. What there is now, and what to type next.
  teller.made({ name, directory, files: made.files, choices, runner, git: repository, installation });
  return interruption.status() ?? (typeof installation === "object" ? 1 : 0);
}

function isInteractive(flags: Flags): boolean {
  const mayAsk = !flags.yes && !flags.json && !env.CI && env.TERM !== "dumb";
  // Last, because the standard input is opened when it is asked for.
  return mayAsk && stdout.isTTY === true && process.stdin.isTTY === true;
}

function toChoices(flags: Flags, runner: Choices["pm"]): Choices {
  return {
    directory: flags.directory ?? DEFAULT_DIRECTORY,
    apps: flags.apps ?? (flags.bare ? [] : SAMPLE_APPS),
    bare: flags.bare ?? false,
    pm: flags.pm ?? runner,
    install: flags.install ?? false,
    git: flags.git ?? true,
    description: flags.description,
    author: flags.author,
    license: flags.license,
  };
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(source, "..", "package.json"), "utf8")) as {
    version: string;
  };
  return version;
}

/** A question holds the terminal until it is answered: nothing is written yet, so a signal ends the run here. */
function leaveQuestions(interruption: Interruption): void {
  const showCursor = "\u001b[?25h";
  stdout.write(`${showCursor}\n`);
  process.exit(interruption.status());
}

function print(text: string): 0 {
  stdout.write(`${text}\n`);
  return 0;
}

function refused(teller: Teller, refusal: Refusal): number {
  teller.refused(refusal);
  return refusal.status;
}

function cancelled(teller: Teller, interruption: Interruption): number {
  teller.cancelled();
  return interruption.status() ?? CANCELLED_STATUS;
}

/** What no one foresaw: without this, Node would print the bundle's one long line. */
function toFault(error: unknown): Refusal {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const [what = "", ...where] = stack.split("\n").map((line) => escapeControl(line.trim()));
  const hint = `This is a fault of convention-app: please report it. ${where.slice(0, 3).join(" ")}`;
  return refuse(1, `the project could not be made: ${what}`, hint);
}

/** A reader that has enough (`| head`) closes the pipe: that is no error. A full disk is one. */
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
