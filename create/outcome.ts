/** What a run has come to, and what follows from it: in plain words, which messages.ts lays out for a person and json.ts for a program. */

import { normalize } from "node:path";
import type { Choices } from "./choices.ts";
import type { GitOutcome } from "./git.ts";
import type { InstallFailure } from "./install.ts";
import { type PackageManager, toCreateCommand, toFirstCommands } from "./package-managers.ts";
import { type Advice, escapeControl } from "./refusal.ts";
import { SAMPLE_APPS } from "./template.ts";

export interface Outcome {
  readonly name: string;
  /** Absolute. */
  readonly directory: string;
  readonly files: number;
  readonly choices: Choices;
  /** Who runs us, for the replay line. */
  readonly runner: PackageManager;
  /** Undefined when no repository was asked for or there is one around. */
  readonly git: GitOutcome | undefined;
  /** Undefined when it was not asked for. */
  readonly installation: "done" | InstallFailure | undefined;
}

export const CANCELLED: Advice = { problem: "Cancelled", hint: "Nothing was written." };

/** npm had taken flags that were meant for us. */
export function toRecoveredAdvice(words: readonly string[]): Advice {
  const flags = escapeControl(words.map(quoteWord).join(" "));
  return {
    problem: `npm took ${flags} for its own; taken over here`,
    hint: "Put -- before options: npm create convention-app my-app -- --yes",
  };
}

export interface Command {
  readonly command: string;
  readonly comment: string;
}

/** From the folder that we were started in. */
export function toNextCommands({ choices, installation }: Outcome): Command[] {
  const { dev, routes, framework } = toFirstCommands(choices.pm, installation === "done");
  const directory = tidyPath(choices.directory);
  const step = { command: `cd ${quoteWord(directory)}`, comment: "" };
  return [
    ...(directory === "." ? [] : [step]),
    { command: dev, comment: "serves http://localhost:8000" },
    choices.bare
      ? { command: `${framework} generate route index get`, comment: "adds GET /" }
      : { command: routes, comment: "shows what it serves" },
  ];
}

/** What did not work, without harm to the project. */
export function toSetbacks(outcome: Outcome): Advice[] {
  return [toInstallSetback(outcome), toGitSetback(outcome)].filter((setback) => setback !== undefined);
}

export function toInstallSetback({ choices, installation }: Outcome): Advice | undefined {
  if (typeof installation !== "object") return undefined;
  return {
    problem: `Installing failed: ${escapeControl(installation.failure)}`,
    hint: `The project is whole and runs as it is. Try again in it: ${choices.pm} install`,
  };
}

const GIT_SETBACKS: Readonly<Partial<Record<GitOutcome, Advice>>> = {
  unidentified: {
    problem: "git made no commit, because it does not know your name",
    hint: "Set user.name and user.email with git config, then run git commit in the project.",
  },
  uncommitted: {
    problem: "git made no commit",
    hint: "Run git add --all and git commit in the project to see why.",
  },
  failed: { problem: "git could not start a repository", hint: "Run git init in the project to see why." },
};

export function toGitSetback({ git }: Outcome): Advice | undefined {
  return git === undefined ? undefined : GIT_SETBACKS[git];
}

/** The command that makes the same project without a question: every answer that is not the default, as a flag. */
export function toReplay(choices: Choices, runner: PackageManager): string {
  const flags = ["--yes"];
  if (choices.bare) flags.push("--bare");
  else if (choices.apps.length < SAMPLE_APPS.length) flags.push("--apps", choices.apps.join(",") || "none");
  if (choices.pm !== runner) flags.push("--pm", choices.pm);
  if (choices.install) flags.push("--install");
  if (!choices.git) flags.push("--no-git");
  for (const name of ["description", "author", "license"] as const) {
    const value = choices[name];
    if (value !== undefined) flags.push(`--${name}`, quoteWord(value));
  }
  return toCreateCommand(runner, quoteWord(tidyPath(choices.directory)), flags);
}

/** Without steps through folders that are not there: `cd two/../three` needs a `two`, and making `three` does not. */
function tidyPath(typed: string): string {
  const path = normalize(typed).replace(/(?<=.)[/\\]$/, "");
  // What begins with a hyphen is a flag to any command.
  return path.startsWith("-") ? `./${path}` : path;
}

/** A word as one argument of a POSIX shell, or of PowerShell and cmd on Windows. Control characters are shown, not sent. */
function quoteWord(word: string): string {
  const shown = escapeControl(word);
  if (/^[\w@%+=:,./-]+$/.test(shown)) return shown;
  return process.platform === "win32"
    ? `"${shown.replaceAll('"', '""')}"`
    : `'${shown.replaceAll("'", "'\\''")}'`;
}
