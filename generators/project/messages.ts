/** Everything that is printed, but the questions. */

import { normalize } from "node:path";
import kleur from "kleur";
import { FLAGS } from "./flags.ts";
import type { GitOutcome } from "./git.ts";
import type { InstallFailure } from "./install.ts";
import { type PackageManager, toCreateCommand, toFirstCommands } from "./package-managers.ts";
import { escapeControl, type Refusal } from "./refusal.ts";
import { SAMPLE_APPS, type SampleApp } from "./template.ts";

/** All that was decided, by flag, answer or default. */
export interface Choices {
  readonly directory: string;
  readonly apps: readonly SampleApp[];
  readonly pm: PackageManager;
  readonly install: boolean;
  readonly git: boolean;
  readonly description: string | undefined;
  readonly author: string | undefined;
  readonly license: string | undefined;
}

export interface Outcome {
  readonly name: string;
  readonly files: number;
  readonly choices: Choices;
  /** Who runs us, for the replay line. */
  readonly runner: PackageManager;
  /** Undefined when no repository was asked for or there is one around. */
  readonly git: GitOutcome | undefined;
  /** Undefined when it was not asked for. */
  readonly installation: "done" | InstallFailure | undefined;
}

export function formatHelp(): string {
  const rows = FLAGS.map((flag) => {
    const short = flag.short === undefined ? "    " : `-${flag.short}, `;
    const name = flag.negatable ? `[no-]${flag.name}` : flag.name;
    const left = `  ${short}--${name}${flag.value === undefined ? "" : ` ${flag.value}`}`;
    return `${left.padEnd(27)}${flag.description}`;
  });
  return [
    `${kleur.bold("create-convention-app")}: a TypeScript web API whose function names are its routes`,
    "",
    kleur.bold("Usage"),
    "  npm create convention-app@latest [directory] [-- options]",
    "",
    "  directory                a new or empty folder (default: my-app); its last part",
    "                           becomes the project's name; . is the current folder",
    "",
    kleur.bold("Options"),
    ...rows,
    "",
    kleur.bold("Example"),
    "  npm create convention-app@latest my-shop -- --yes --apps products",
    "",
    "On a terminal, what is not given is asked. Otherwise defaults are taken.",
    "Exit status: 0 done, 1 failed, 2 wrong usage, 130 cancelled.",
  ].join("\n");
}

export function formatRefusal({ problem, hint }: Refusal, color: boolean): string {
  const [label, rest] = color ? [kleur.red("error"), kleur.dim(hint)] : ["error", hint];
  return `${label} ${problem}.\n      ${rest}`;
}

/** Told on the terminal when npm had taken flags that were meant for us. */
export function formatRecovered(words: readonly string[]): string {
  const flags = escapeControl(words.map(quoteWord).join(" "));
  return [
    `npm took ${flags} for its own; taken over here.`,
    kleur.dim("Put -- before options: npm create convention-app my-app -- --yes"),
  ].join("\n");
}

/** What was made, what to type next, and how to have it again. */
export function formatOutcome(outcome: Outcome): string {
  const { choices } = outcome;
  const apps = choices.apps.length === 0 ? "no sample apps" : choices.apps.join(", ");
  const facts = [`${outcome.files} files`, apps, ...toFacts(outcome)];
  return [
    "",
    `${kleur.green("✔")} ${kleur.bold(outcome.name)} is ready  ${kleur.dim(facts.join(" · "))}`,
    ...(outcome.git === "initialised"
      ? [kleur.dim("  git made no commit: tell it your name with git config, then commit")]
      : []),
    "",
    ...toNextSteps(outcome),
    "",
    kleur.dim("  The same again, without questions:"),
    `  ${formatReplay(choices, outcome.runner)}`,
    "",
  ].join("\n");
}

function toFacts({ git, installation }: Outcome): string[] {
  const facts: string[] = [];
  if (installation === "done") facts.push("installed");
  if (git === "committed") facts.push("one commit");
  if (git === "initialised") facts.push("no commit yet");
  if (git === "failed") facts.push("no repository: git failed");
  return facts;
}

function toNextSteps({ choices, installation }: Outcome): string[] {
  const commands = toFirstCommands(choices.pm, installation === "done");
  const rows: [command: string, comment: string][] = [
    [commands.dev, "serves http://localhost:8000"],
    [commands.routes, "shows what it serves"],
  ];
  const directory = tidyPath(choices.directory);
  if (directory !== ".") rows.unshift([`cd ${quoteWord(directory)}`, ""]);
  const lines = rows.map(
    ([command, comment]) =>
      `  ${kleur.cyan(command)}${comment === "" ? "" : " ".repeat(Math.max(2, 30 - command.length)) + kleur.dim(comment)}`,
  );
  return installation === "done" ? lines : [...lines, "", formatInstallHint(choices, installation)];
}

function formatInstallHint({ pm }: Choices, installation: Outcome["installation"]): string {
  const command = `${pm} install`;
  if (typeof installation !== "object") {
    return kleur.dim(`  It runs as it is. For tests, types and build: ${command}`);
  }
  return [
    `  ${kleur.yellow("Installing failed:")} ${escapeControl(installation.failure)}. The project is whole and runs as it is.`,
    `  For tests, types and build, try again in its folder: ${command}`,
  ].join("\n");
}

/** The command that makes the same project without a question: every answer that is not the default, as a flag. */
export function formatReplay(choices: Choices, runner: PackageManager): string {
  const flags = ["--yes"];
  if (choices.apps.length < SAMPLE_APPS.length) flags.push("--apps", choices.apps.join(",") || "none");
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
