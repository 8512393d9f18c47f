/** Decides what to make: by a flag, by an answer, or by default. It asks only on a terminal, and only for what is missing. */

import { resolve } from "node:path";
import { isInRepository } from "./git.ts";
import type { Interruption } from "./interruption.ts";
import type { Choices, Flags } from "./options.ts";
import { PACKAGE_MANAGERS, type PackageManager } from "./package-managers.ts";
import type { Target } from "./place.ts";
import { isRefusal, type Refusal } from "./refusal.ts";
import { findTarget } from "./target.ts";
import { type Database, SAMPLE_APPS, type SampleApp } from "./template.ts";

const DEFAULT_DIRECTORY = "my-app";

/** What a run finds on the machine. */
export interface Environment {
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
  environment: Environment,
): Promise<{ choices: Choices; target: Target } | Refusal | undefined> {
  const { cwd, runner } = environment;
  const isAsking = isInteractive(flags);
  if (flags.directory !== undefined || !isAsking) {
    // Before the first question: the other answers would be lost.
    const early = findTarget(cwd, flags.directory ?? DEFAULT_DIRECTORY);
    if (isRefusal(early)) return early;
  }
  const answered = isAsking ? await ask(flags, environment) : flags;
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

/** A question holds the terminal until it has an answer. Nothing is written yet, so a signal ends the run here. */
function leaveQuestions(interruption: Interruption): void {
  const showCursor = "\u001b[?25h";
  process.stdout.write(`${showCursor}\n`);
  process.exit(interruption.status());
}

/** @returns the flags with the answers added; undefined if the person cancelled */
async function ask(flags: Flags, environment: Environment): Promise<Flags | undefined> {
  const { cwd, runner, git, interruption } = environment;
  const stopListening = interruption.onInterrupt(() => leaveQuestions(interruption));
  // Not at the top: loading it takes time, and a run by a program asks nothing.
  const { default: prompts } = await import("prompts");
  let isCancelled = false;
  const answers = await prompts(
    [
      {
        type: flags.directory === undefined ? "text" : null,
        name: "directory",
        message: "Where should the project go?",
        initial: DEFAULT_DIRECTORY,
        validate: (typed: string) => toComplaint(cwd, typed),
      },
      {
        type: flags.apps === undefined && !flags.bare ? "multiselect" : null,
        name: "apps",
        message: "Which sample apps?",
        instructions: false,
        hint: "space changes, enter accepts",
        choices: SAMPLE_APPS.map((app) => ({
          title: app,
          value: app,
          selected: true,
        })),
      },
      {
        type: (_: unknown, answered: Answers) => {
          return flags.bare === undefined && answered.apps?.length === 0 ? "confirm" : null;
        },
        name: "routes",
        message: "Add the sample routes, GET / and /items?",
        initial: true,
      },
      {
        type: flags.database === undefined ? "select" : null,
        name: "database",
        message: "Which database?",
        hint: "the code is the same for both engines",
        initial: 0,
        choices: [
          { title: "none", value: "none" },
          { title: "SQLite", value: "sqlite", description: "a file, nothing to start" },
          { title: "Postgres", value: "postgres", description: "a server; compose.yaml has one" },
        ],
      },
      {
        type: flags.install === undefined ? "select" : null,
        name: "install",
        message: "Install packages now?",
        hint: (_: unknown, { database = flags.database }: Answers) =>
          hasDatabase(database)
            ? "the database needs them"
            : "it runs without them; tests, types and build need them",
        initial: (_: unknown, { database = flags.database }: Answers) => (hasDatabase(database) ? 1 : 0),
        choices: [{ title: "not now", value: null }, ...toInstallers(flags.pm, runner)],
      },
      {
        type: (_: unknown, answered: { directory?: string }) => {
          const directory = flags.directory ?? answered.directory ?? DEFAULT_DIRECTORY;
          const canUseGit = git !== undefined && !isInRepository(resolve(cwd, directory));
          return flags.git === undefined && canUseGit ? "confirm" : null;
        },
        name: "git",
        message: "Start a git repository, with a first commit?",
        initial: true,
      },
    ],
    {
      onCancel: () => {
        isCancelled = true;
        return false;
      },
    },
  );
  stopListening();
  return isCancelled ? undefined : addAnswers(flags, answers);
}

function hasDatabase(database: Database | "none" | undefined): boolean {
  return database !== undefined && database !== "none";
}

function toInstallers(
  asked: PackageManager | undefined,
  running: PackageManager,
): { title: string; value: string }[] {
  const first = asked ?? running;
  const others = asked === undefined ? PACKAGE_MANAGERS.filter((manager) => manager !== first) : [];
  return [first, ...others].map((manager) => ({ title: `with ${manager}`, value: manager }));
}

/** Fits on one line: prompts does not clear the rest of a longer one. */
function toComplaint(cwd: string, typed: string): string | true {
  const target = findTarget(cwd, typed);
  if (!isRefusal(target)) return true;
  return `${target.hint} – ${target.problem}`.slice(0, (process.stdout.columns || 80) - 4);
}

interface Answers {
  readonly directory?: string;
  readonly apps?: readonly SampleApp[];
  readonly routes?: boolean;
  readonly database?: Database | "none";
  readonly install?: PackageManager | null;
  readonly git?: boolean;
}

function addAnswers(flags: Flags, answers: Answers): Flags {
  const { install, routes, ...plain } = answers;
  const given = { ...flags, ...plain, ...(routes === false ? { bare: true } : {}) };
  if (install === undefined) return given;
  return { ...given, ...(install === null ? {} : { pm: install }), install: install !== null };
}
