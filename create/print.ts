/** Prints how a run went: words for a person, or one JSON object on stdout for a program. */

import { normalize } from "node:path";
import kleur from "kleur";
import type { Met } from "./existing.ts";
import type { Choices } from "./options.ts";
import { type PackageManager, toCreateCommand, toFirstCommands } from "./package-managers.ts";
import { type Advice, escapeControl } from "./refusal.ts";
import { SAMPLE_APPS } from "./template.ts";

export interface Outcome {
  readonly name: string;
  /** Absolute. */
  readonly directory: string;
  readonly files: number;
  readonly met: Met;
  readonly choices: Choices;
  /** The package manager that runs us, for the replay line. */
  readonly runner: PackageManager;
  /** Whether there is a commit. Undefined if no repository was wanted, or the project is in one already. */
  readonly committed: boolean | undefined;
  /** Why installing failed, if it did. */
  readonly failure: string | undefined;
}

export interface Output {
  /** For what to know before the project is created. */
  notice(advice: Advice): void;
  refused(refusal: Advice): void;
  cancelled(): void;
  made(outcome: Outcome): void;
}

const CANCELLED: Advice = { problem: "Cancelled", hint: "Nothing was written." };

export function createTextOutput({ stdout, stderr }: Pick<NodeJS.Process, "stdout" | "stderr">): Output {
  return {
    notice: ({ problem, hint }) => void stdout.write(`${problem}.\n${kleur.dim(hint)}\n`),
    refused: (refusal) => void stderr.write(`${formatRefusal(refusal, stderr.isTTY === true)}\n`),
    cancelled: () => void stderr.write(`\n${CANCELLED.problem}. ${CANCELLED.hint}\n`),
    made: (outcome) => void stdout.write(`${formatOutcome(outcome)}\n`),
  };
}

export function createJsonOutput({ stdout }: Pick<NodeJS.Process, "stdout">): Output {
  const notices: Advice[] = [];
  const refused = (error: Advice): void =>
    void stdout.write(`${formatReport({ error, warnings: notices })}\n`);
  return {
    notice: (advice) => void notices.push(advice),
    refused,
    cancelled: () => refused(CANCELLED),
    made: (outcome) => void stdout.write(`${formatOutcomeJson(outcome, notices)}\n`),
  };
}

export function formatRefusal({ problem, hint }: Advice, isColored: boolean): string {
  return isColored
    ? `${kleur.red("error")} ${problem}.\n      ${kleur.dim(hint)}`
    : `error ${problem}.\n      ${hint}`;
}

/** What there is now, what to type next, and how to create the same again. */
export function formatOutcome(outcome: Outcome): string {
  const { name, met, choices } = outcome;
  const setbacks = [toFailure(outcome), ...toWarnings(outcome)].filter((setback) => setback !== undefined);
  const isRunnable = !choices.install && choices.database === undefined;
  const lines = [
    "",
    `${kleur.green("✔")} ${kleur.bold(name)} is ready  ${kleur.dim(toFacts(outcome))}`,
    met.kept.length + met.merged.length > 0 && kleur.dim(`  ${toMet(met)}`),
    "",
    ...formatCommands(toNextCommands(outcome)),
    "",
    ...setbacks.flatMap(({ problem, hint }) => [
      `  ${kleur.yellow("!")} ${problem}.`,
      kleur.dim(`    ${hint}`),
      "",
    ]),
    isRunnable && kleur.dim(`  It runs as it is. Tests, types and build need: ${choices.pm} install\n`),
    kleur.dim("  To repeat this without questions:"),
    `  ${toReplay(outcome)}`,
    "",
  ];
  return lines.filter((line) => line !== false).join("\n");
}

const DATABASE_NAMES = { sqlite: "SQLite", postgres: "Postgres" } as const;

function toFacts({ files, choices, failure, committed }: Outcome): string {
  const { apps, bare, database, install } = choices;
  const facts = [
    `${files} files`,
    bare ? "no samples" : apps.join(", ") || "no sample apps",
    database && DATABASE_NAMES[database],
    install && failure === undefined && "installed",
    committed && "one commit",
  ];
  return facts.filter(Boolean).join(" · ");
}

/** @example toMet({ kept: ["README.md"], merged: [".gitignore"] }) // "Kept your README.md. Added lines to .gitignore." */
function toMet({ kept, merged }: Met): string {
  const parts = [
    kept.length > 0 && `Kept your ${kept.join(", ")}.`,
    merged.length > 0 && `Added lines to ${merged.join(", ")}.`,
  ];
  return parts.filter(Boolean).join(" ");
}

function formatCommands(commands: readonly Command[]): string[] {
  const width = Math.max(28, ...commands.map(([command, comment]) => (comment ? command.length : 0)));
  return commands.map(([command, comment]) =>
    comment ? `  ${kleur.cyan(command.padEnd(width))}  ${kleur.dim(comment)}` : kleur.cyan(`  ${command}`),
  );
}

interface Report {
  /** Why the exit status is not 0. */
  readonly error: Advice | undefined;
  /** If one was created. */
  readonly project?: Readonly<Record<string, unknown>>;
  /** The commands to type next, in the folder where the run was started. */
  readonly next?: readonly string[];
  /** The command that creates the same project without a question. */
  readonly replay?: string;
  readonly warnings: readonly Advice[];
}

/** What `--json` prints: the same fields whatever happened. */
export function formatReport({ error, project, next = [], replay, warnings }: Report): string {
  const toMessage = ({ problem, hint }: Advice) => ({ message: problem, hint });
  const report = {
    ok: error === undefined,
    error: error ? toMessage(error) : null,
    project: project ?? null,
    next,
    replay: replay ?? null,
    warnings: warnings.map(toMessage),
  };
  return JSON.stringify(report, null, 2);
}

function formatOutcomeJson(outcome: Outcome, notices: readonly Advice[]): string {
  const { name, directory, files, met, choices, failure } = outcome;
  const { apps, bare, database = null, pm: packageManager } = choices;
  const installed = choices.install && failure === undefined;
  const committed = outcome.committed === true;
  return formatReport({
    error: toFailure(outcome),
    project: { name, directory, files, ...met, apps, bare, database, packageManager, installed, committed },
    next: toNextCommands(outcome).map(([command]) => command),
    replay: toReplay(outcome),
    warnings: [...notices, ...toWarnings(outcome)],
  });
}

/** For flags that npm took although they were meant for us. */
export function toRecoveredAdvice(words: readonly string[]): Advice {
  const flags = escapeControl(words.map(quoteWord).join(" "));
  return {
    problem: `npm took ${flags} for itself; they are used here, too`,
    hint: "Put -- before options: npm create convention-app my-app -- --yes",
  };
}

/** What to type, and what that does. */
type Command = readonly [command: string, comment: string];

/** Seen from the folder where we were started. */
function toNextCommands({ choices, failure }: Outcome): Command[] {
  const { pm, bare, database, install } = choices;
  const isInstalled = install && failure === undefined;
  const { dev, routes, framework } = toFirstCommands(pm, isInstalled);
  const directory = tidyPath(choices.directory);
  const commands: Command[] = [];
  if (directory !== ".") commands.push([`cd ${quoteWord(directory)}`, ""]);
  if (database !== undefined && !isInstalled)
    commands.push([`${pm} install`, "brings what the database needs"]);
  // The server of the project's compose.yaml.
  if (database === "postgres") commands.push(["docker compose up -d postgres", "starts the database"]);
  commands.push([dev, "serves http://localhost:8000"]);
  commands.push(
    bare ? [`${framework} generate route index get`, "adds GET /"] : [routes, "shows what it serves"],
  );
  return commands;
}

function toFailure({ choices, failure }: Outcome): Advice | undefined {
  if (failure === undefined) return undefined;
  return {
    problem: `Installing failed: ${escapeControl(failure)}`,
    hint: `The project is complete${choices.database === undefined ? " and runs as it is" : ""}. Try again there: ${choices.pm} install`,
  };
}

/** What failed without harm to the project, or will. */
function toWarnings({ committed, choices }: Outcome): Advice[] {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const uncommitted = {
    problem: "git made no commit",
    hint: "To see why, run in the project: git init && git add --all && git commit",
  };
  const oldNode = {
    problem: `The database needs Node.js 22.13 or newer, and this is ${process.versions.node}`,
    hint: "Install a newer Node.js before you start the project.",
  };
  // What Kysely and node:sqlite need.
  const isTooOld = choices.database !== undefined && (major < 22 || (major === 22 && minor < 13));
  return [...(committed === false ? [uncommitted] : []), ...(isTooOld ? [oldNode] : [])];
}

/** The command that creates the same project without a question. Each answer that is not the default becomes a flag. */
function toReplay({ choices, runner }: Outcome): string {
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
