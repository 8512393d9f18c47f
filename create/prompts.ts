/** The questions, each with a flag that makes it needless. Asked on a terminal only, and only for what is missing. */

import type { Flags } from "./flags.ts";
import { PACKAGE_MANAGERS, type PackageManager } from "./package-managers.ts";
import { isRefusal } from "./refusal.ts";
import { findTarget } from "./target.ts";
import { SAMPLE_APPS, type SampleApp } from "./template.ts";

export interface PromptInput {
  readonly flags: Flags;
  readonly cwd: string;
  readonly defaultDirectory: string;
  /** The package manager that runs us. */
  readonly runner: PackageManager;
  /** False where a repository can't be started, so that it is not asked for. */
  readonly canUseGit: (directory: string) => boolean;
}

/** @returns the flags with the answers added; undefined when the person cancelled */
export async function askMissing(input: PromptInput): Promise<Flags | undefined> {
  // Only here, because most runs by a program ask nothing, and loading it takes as long as making the project.
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
        message: "The sample routes, GET / and /items?",
        initial: true,
      },
      {
        type: flags.install === undefined ? "select" : null,
        name: "install",
        message: "Install packages now?",
        hint: "it runs without; tests, types and build need them",
        initial: 0,
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

/** On one line, because prompts leaves the rest of a longer one standing among the next question. */
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
  readonly install?: PackageManager | null;
  readonly git?: boolean;
}

function addAnswers(flags: Flags, answers: Answers): Flags {
  const { install, routes, ...plain } = answers;
  const given = { ...flags, ...plain, ...(routes === false ? { bare: true } : {}) };
  if (install === undefined) return given;
  return { ...given, ...(install === null ? {} : { pm: install }), install: install !== null };
}
