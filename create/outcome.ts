/** How a run ended, and what follows from it. print.ts formats it. */

import { normalize } from "node:path";
import type { Choices } from "./choices.ts";
import { isTooOldForDatabase } from "./database.ts";
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
  /** The package manager that runs us, for the replay line. */
  readonly runner: PackageManager;
  /** Undefined if no repository was wanted, or the project is in one already. */
  readonly git: GitOutcome | undefined;
  /** Undefined if nothing should be installed. */
  readonly installation: "done" | InstallFailure | undefined;
}

export const CANCELLED: Advice = { problem: "Cancelled", hint: "Nothing was written." };

/** For flags that npm took although they were meant for us. */
export function toRecoveredAdvice(words: readonly string[]): Advice {
  const flags = escapeControl(words.map(quoteWord).join(" "));
  return {
    problem: `npm took ${flags} for itself; they are used here, too`,
    hint: "Put -- before options: npm create convention-app my-app -- --yes",
  };
}

export interface Command {
  readonly command: string;
  readonly comment: string;
}

/** Seen from the folder where we were started. */
export function toNextCommands({ choices, installation }: Outcome): Command[] {
  const { dev, routes, framework } = toFirstCommands(choices.pm, installation === "done");
  const directory = tidyPath(choices.directory);
  const step = { command: `cd ${quoteWord(directory)}`, comment: "" };
  const needsPackages = choices.database !== undefined && installation !== "done";
  const install = { command: `${choices.pm} install`, comment: "brings what the database needs" };
  return [
    ...(directory === "." ? [] : [step]),
    ...(needsPackages ? [install] : []),
    ...(choices.database === "postgres" ? [START_POSTGRES] : []),
    { command: dev, comment: "serves http://localhost:8000" },
    choices.bare
      ? { command: `${framework} generate route index get`, comment: "adds GET /" }
      : { command: routes, comment: "shows what it serves" },
  ];
}

/** The server of the project's compose.yaml. */
const START_POSTGRES: Command = { command: "docker compose up -d postgres", comment: "starts the database" };

/** What failed without harm to the project, or will. */
export function toSetbacks(outcome: Outcome): Advice[] {
  return [toInstallSetback(outcome), toGitSetback(outcome), toNodeSetback(outcome)].filter(
    (setback) => setback !== undefined,
  );
}

export function toNodeSetback({ choices }: Outcome): Advice | undefined {
  if (choices.database === undefined || !isTooOldForDatabase(process.versions.node)) return undefined;
  return {
    problem: `The database needs Node.js 22.13 or newer, and this is ${process.versions.node}`,
    hint: "Install a newer Node.js before you start the project.",
  };
}

export function toInstallSetback({ choices, installation }: Outcome): Advice | undefined {
  if (typeof installation !== "object") return undefined;
  return {
    problem: `Installing failed: ${escapeControl(installation.failure)}`,
    hint: `The project is complete${choices.database === undefined ? " and runs as it is" : ""}. Try again there: ${choices.pm} install`,
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

/** The command that creates the same project without a question. Each answer that is not the default becomes a flag. */
export function toReplay(choices: Choices, runner: PackageManager): string {
  const flags = ["--yes"];
  if (choices.bare) flags.push("--bare");
  else if (choices.apps.length < SAMPLE_APPS.length) flags.push("--apps", choices.apps.join(",") || "none");
  if (choices.database !== undefined) flags.push("--database", choices.database);
  if (choices.pm !== runner) flags.push("--pm", choices.pm);
  if (choices.install) flags.push("--install");
  if (!choices.git) flags.push("--no-git");
  for (const name of ["description", "author", "license"] as const) {
    const value = choices[name];
    if (value !== undefined) flags.push(`--${name}`, quoteWord(value));
  }
  return toCreateCommand(runner, quoteWord(tidyPath(choices.directory)), flags);
}

/** Removes `..` where it can: `cd two/../three` needs a folder `two`, but creating `three` does not. */
function tidyPath(typed: string): string {
  const path = normalize(typed).replace(/(?<=.)[/\\]$/, "");
  // A command would take a leading hyphen for a flag.
  return path.startsWith("-") ? `./${path}` : path;
}

/** Quotes a word for a POSIX shell, or for PowerShell and cmd on Windows. Control characters are escaped, so that the terminal shows them. */
function quoteWord(word: string): string {
  const shown = escapeControl(word);
  if (/^[\w@%+=:,./-]+$/.test(shown)) return shown;
  return process.platform === "win32"
    ? `"${shown.replaceAll('"', '""')}"`
    : `'${shown.replaceAll("'", "'\\''")}'`;
}
