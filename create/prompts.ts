/** The questions: only on a terminal, only for what is missing. Each has a flag that answers it. */

import type { Flags } from "./flags.ts";
import { PACKAGE_MANAGERS, type PackageManager } from "./package-managers.ts";
import { isRefusal } from "./refusal.ts";
import { findTarget } from "./target.ts";
import { type Database, SAMPLE_APPS, type SampleApp } from "./template.ts";

export interface PromptInput {
  readonly flags: Flags;
  readonly cwd: string;
  readonly defaultDirectory: string;
  /** The package manager that runs us. */
  readonly runner: PackageManager;
  /** If false, we do not ask for a repository. */
  readonly canUseGit: (directory: string) => boolean;
}

/** @returns the flags with the answers added; undefined if the person cancelled */
export async function askMissing(input: PromptInput): Promise<Flags | undefined> {
  // Not at the top: loading it takes time, and a run by a program asks nothing.
  const { default: prompts } = await import("prompts");
  const { flags } = input;
  let isCancelled = false;
  const answers = await prompts(
    [
      {
        type: flags.directory === undefined ? "text" : null,
        name: "directory",
        message: "Where should the project go?",
        initial: input.defaultDirectory,
        validate: (typed: string) => toComplaint(input.cwd, typed),
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
          description: SAMPLES[app],
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
        choices: [{ title: "not now", value: null }, ...toChoices(flags.pm, input.runner)],
      },
      {
        type: (_: unknown, answered: { directory?: string }) => {
          const directory = flags.directory ?? answered.directory ?? input.defaultDirectory;
          return flags.git === undefined && input.canUseGit(directory) ? "confirm" : null;
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
  return isCancelled ? undefined : addAnswers(flags, answers);
}

function hasDatabase(database: Database | "none" | undefined): boolean {
  return database !== undefined && database !== "none";
}

const SAMPLES: Readonly<Record<SampleApp, string>> = {
  products: "five routes under /products",
  users: "two routes under /users",
};

function toChoices(
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
  const both = `${target.problem}. ${target.hint}`;
  const width = (process.stdout.columns || 80) - 4;
  if (both.length <= width) return both;
  return target.hint.slice(0, width);
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
