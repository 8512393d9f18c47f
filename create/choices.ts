/** All that is decided before a project is made: by a flag, by an answer, or by default. */

import { resolve } from "node:path";
import type { Flags } from "./flags.ts";
import { isInRepository } from "./git.ts";
import type { Interruption } from "./interruption.ts";
import type { PackageManager } from "./package-managers.ts";
import type { Target } from "./place.ts";
import { askMissing } from "./prompts.ts";
import { isRefusal, type Refusal } from "./refusal.ts";
import { findTarget } from "./target.ts";
import { type Database, SAMPLE_APPS, type SampleApp } from "./template.ts";

const DEFAULT_DIRECTORY = "my-app";

export interface Choices {
  readonly directory: string;
  readonly apps: readonly SampleApp[];
  readonly bare: boolean;
  readonly database: Database | undefined;
  readonly pm: PackageManager;
  readonly install: boolean;
  readonly git: boolean;
  readonly description: string | undefined;
  readonly author: string | undefined;
  readonly license: string | undefined;
}

/** What a run finds on the machine. */
export interface Surroundings {
  readonly cwd: string;
  /** The package manager that runs us. */
  readonly runner: PackageManager;
  /** The path of git, if there is one. */
  readonly git: string | undefined;
  readonly interruption: Interruption;
}

/** @returns undefined if the person cancelled */
export async function decide(
  flags: Flags,
  surroundings: Surroundings,
): Promise<{ choices: Choices; target: Target } | Refusal | undefined> {
  const { cwd, runner } = surroundings;
  const isAsking = isInteractive(flags);
  if (flags.directory !== undefined || !isAsking) {
    // Before the first question: the other answers would be lost.
    const early = findTarget(cwd, flags.directory ?? DEFAULT_DIRECTORY);
    if (isRefusal(early)) return early;
  }
  const answered = isAsking ? await ask(flags, surroundings) : flags;
  if (answered === undefined) return undefined;
  const choices = toChoices(answered, runner);
  const target = findTarget(cwd, choices.directory);
  return isRefusal(target) ? target : { choices, target };
}

function isInteractive(flags: Flags): boolean {
  const mayAsk = !flags.yes && !flags.json && !process.env.CI && process.env.TERM !== "dumb";
  // Last, because reading this property opens the standard input.
  return mayAsk && process.stdout.isTTY === true && process.stdin.isTTY === true;
}

async function ask(
  flags: Flags,
  { cwd, runner, git, interruption }: Surroundings,
): Promise<Flags | undefined> {
  const stopListening = interruption.onInterrupt(() => leaveQuestions(interruption));
  const canUseGit = (directory: string) => git !== undefined && !isInRepository(resolve(cwd, directory));
  const answered = await askMissing({ flags, cwd, defaultDirectory: DEFAULT_DIRECTORY, runner, canUseGit });
  stopListening();
  return answered;
}

/** A question holds the terminal until it has an answer. Nothing is written yet, so a signal ends the run here. */
function leaveQuestions(interruption: Interruption): void {
  const showCursor = "\u001b[?25h";
  process.stdout.write(`${showCursor}\n`);
  process.exit(interruption.status());
}

function toChoices(flags: Flags, runner: PackageManager): Choices {
  return {
    directory: flags.directory ?? DEFAULT_DIRECTORY,
    apps: flags.apps ?? (flags.bare ? [] : SAMPLE_APPS),
    bare: flags.bare ?? false,
    database: flags.database === "none" ? undefined : flags.database,
    pm: flags.pm ?? runner,
    install: flags.install ?? false,
    git: flags.git ?? true,
    description: flags.description,
    author: flags.author,
    license: flags.license,
  };
}
