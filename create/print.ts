/** Prints how a run went: words for a person, or one JSON object on stdout for a program. */

import { normalize } from "node:path";
import kleur from "kleur";
import type { Met } from "./existing.ts";
import type { GitOutcome } from "./git.ts";
import type { InstallFailure } from "./install.ts";
import type { Choices } from "./options.ts";
import { type PackageManager, toCreateCommand, toFirstCommands } from "./package-managers.ts";
import { type Advice, escapeControl } from "./refusal.ts";
import { SAMPLE_APPS } from "./template.ts";

export interface Outcome {
  readonly name: string;
  /** Absolute. */
  readonly directory: string;
  readonly files: number;
  /** Undefined in a folder that had none of them. */
  readonly met: Met | undefined;
  readonly choices: Choices;
  /** The package manager that runs us, for the replay line. */
  readonly runner: PackageManager;
  /** Undefined if no repository was wanted, or the project is in one already. */
  readonly git: GitOutcome | undefined;
  /** Undefined if nothing should be installed. */
  readonly installation: "done" | InstallFailure | undefined;
}

export interface Output {
  /** For what to know before the project is created. */
  notice(advice: Advice): void;
  refused(refusal: Advice): void;
  cancelled(): void;
  made(outcome: Outcome): void;
}

const CANCELLED: Advice = { problem: "Cancelled", hint: "Nothing was written." };

type Streams = Pick<NodeJS.Process, "stdout" | "stderr">;

export function createTextOutput({ stdout, stderr }: Streams): Output {
  const onStderr = { color: stderr.isTTY === true, columns: toColumns(stderr) };
  return {
    notice: ({ problem, hint }) => void stdout.write(`${problem}.\n${kleur.dim(hint)}\n`),
    refused: (refusal) => void stderr.write(`${formatRefusal(refusal, onStderr)}\n`),
    cancelled: () => void stderr.write(`\n${CANCELLED.problem}. ${CANCELLED.hint}\n`),
    made: (outcome) => void stdout.write(`${formatOutcome(outcome, toColumns(stdout))}\n`),
  };
}

export function createJsonOutput({ stdout }: Streams): Output {
  const notices: Advice[] = [];
  return {
    notice: (advice) => void notices.push(advice),
    refused: (refusal) => void stdout.write(`${formatRefusalJson(refusal, notices)}\n`),
    cancelled: () => void stdout.write(`${formatRefusalJson(CANCELLED, notices)}\n`),
    made: (outcome) => void stdout.write(`${formatOutcomeJson(outcome, notices)}\n`),
  };
}

function toColumns(stream: NodeJS.WriteStream): number {
  return stream.isTTY === true ? stream.columns || 80 : Number.POSITIVE_INFINITY;
}

export interface Terminal {
  readonly color: boolean;
  /** Infinite without a terminal: then no line is broken. */
  readonly columns: number;
}

export function formatRefusal({ problem, hint }: Advice, { color, columns }: Terminal): string {
  const indent = " ".repeat("error ".length);
  const [first, ...rest] = breakLines(`${problem}.`, columns - indent.length);
  const hints = breakLines(hint, columns - indent.length);
  const lines = [...rest, ...hints.map((line) => (color ? kleur.dim(line) : line))];
  return [`${color ? kleur.red("error") : "error"} ${first}`, ...lines.map((line) => indent + line)].join(
    "\n",
  );
}

/** What there is now, what to type next, and how to create the same again. */
export function formatOutcome(outcome: Outcome, columns: number): string {
  const { choices, installation } = outcome;
  const remark = `It runs as it is. Tests, types and build need: ${choices.pm} install`;
  const isRunnable = installation === undefined && choices.database === undefined;
  const setbacks = [toFailure(outcome), ...toWarnings(outcome)].filter((setback) => setback !== undefined);
  return [
    "",
    ...formatHeadline(outcome, columns),
    ...formatParagraph(toMet(outcome), 2, columns),
    "",
    ...formatCommands(toNextCommands(outcome), columns),
    "",
    ...setbacks.flatMap((setback) => formatSetback(setback, columns)),
    ...(isRunnable ? [...formatParagraph(remark, 2, columns), ""] : []),
    kleur.dim("  To repeat this without questions:"),
    `  ${toReplay(outcome)}`,
    "",
  ].join("\n");
}

const DATABASE_NAMES = { sqlite: "SQLite", postgres: "Postgres" } as const;

function formatHeadline({ name, files, choices, installation, git }: Outcome, columns: number): string[] {
  const { apps, bare, database } = choices;
  const facts = [
    `${files} files`,
    bare ? "no samples" : apps.join(", ") || "no sample apps",
    database === undefined ? "" : DATABASE_NAMES[database],
    installation === "done" ? "installed" : "",
    git === "committed" ? "one commit" : "",
  ];
  const shown = facts.filter((fact) => fact !== "").join(" · ");
  const headline = `${kleur.green("✔")} ${kleur.bold(name)} is ready`;
  const isOneLine = `✔ ${name} is ready  ${shown}`.length < columns;
  return isOneLine ? [`${headline}  ${kleur.dim(shown)}`] : [headline, ...formatParagraph(shown, 2, columns)];
}

/** The user's own files that were kept, and those that got lines. */
function filesMet({ met }: Outcome): { kept: readonly string[]; merged: readonly string[] } {
  return { kept: met?.kept ?? [], merged: Object.keys(met?.merged ?? {}) };
}

/** @example toMet(outcome) // "Kept your README.md. Added lines to .gitignore." */
function toMet(outcome: Outcome): string {
  const { kept, merged } = filesMet(outcome);
  const parts = [
    kept.length > 0 ? `Kept your ${kept.join(", ")}.` : "",
    merged.length > 0 ? `Added lines to ${merged.join(", ")}.` : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function formatParagraph(text: string, indent: number, columns: number): string[] {
  if (text === "") return [];
  return breakLines(text, columns - indent).map((line) => kleur.dim(" ".repeat(indent) + line));
}

/** Where the comments begin. */
const COMMENT_COLUMN = 32;

/** Leaves out a comment that does not fit. */
function formatCommands(commands: readonly Command[], columns: number): string[] {
  const lengths = commands.map(([command, comment]) => (comment === "" ? 0 : command.length + 4));
  const width = Math.max(COMMENT_COLUMN, ...lengths) - 2;
  return commands.map(([command, comment]) => {
    const isCommented = comment !== "" && width + 2 + comment.length < columns;
    if (!isCommented) return kleur.cyan(`  ${command}`);
    return `${kleur.cyan(`  ${command}`.padEnd(width))}  ${kleur.dim(comment)}`;
  });
}

function formatSetback({ problem, hint }: Advice, columns: number): string[] {
  const [first, ...rest] = breakLines(`${problem}.`, columns - 4);
  const problems = [`  ${kleur.yellow("!")} ${first}`, ...rest.map((line) => `    ${line}`)];
  return [...problems, ...formatParagraph(hint, 4, columns), ""];
}

/** Between words. A terminal alone breaks within them. @returns at least one line; a longer word has a line of its own */
export function breakLines(text: string, width: number): string[] {
  const [first = "", ...words] = text.split(" ");
  const lines: string[] = [];
  let line = first;
  for (const word of words) {
    if (line.length + 1 + word.length <= width) {
      line += ` ${word}`;
    } else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

/** What `--json` prints: the same fields whatever happened. */
interface Report {
  /** Why the exit status is not 0. */
  readonly error: Advice | undefined;
  /** Null if nothing was created. The directory is absolute, and `bare` means without samples of any kind. */
  readonly project: Readonly<Record<string, unknown>> | null;
  /** The commands to type next, in the folder where the run was started. */
  readonly next: readonly string[];
  /** The command that creates the same project without a question. */
  readonly replay: string | null;
  readonly warnings: readonly Advice[];
}

function formatReport({ error, warnings, ...report }: Report): string {
  const toMessage = ({ problem, hint }: Advice) => ({ message: problem, hint });
  const [ok, why] = [error === undefined, error === undefined ? null : toMessage(error)];
  return JSON.stringify({ ok, error: why, ...report, warnings: warnings.map(toMessage) }, null, 2);
}

/** @param notices what to know before the project is created */
function formatOutcomeJson(outcome: Outcome, notices: readonly Advice[]): string {
  const { name, directory, files, choices, installation, git } = outcome;
  const { apps, bare, database = null, pm } = choices;
  const [installed, committed] = [installation === "done", git === "committed"];
  return formatReport({
    error: toFailure(outcome),
    project: {
      name,
      directory,
      files,
      ...filesMet(outcome),
      apps,
      bare,
      database,
      packageManager: pm,
      installed,
      committed,
    },
    next: toNextCommands(outcome).map(([command]) => command),
    replay: toReplay(outcome),
    warnings: [...notices, ...toWarnings(outcome)],
  });
}

export function formatRefusalJson(error: Advice, warnings: readonly Advice[] = []): string {
  return formatReport({ error, project: null, next: [], replay: null, warnings });
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
function toNextCommands({ choices, installation }: Outcome): Command[] {
  const { pm, bare, database } = choices;
  const { dev, routes, framework } = toFirstCommands(pm, installation === "done");
  const directory = tidyPath(choices.directory);
  const commands: Command[] = [];
  if (directory !== ".") commands.push([`cd ${quoteWord(directory)}`, ""]);
  if (database !== undefined && installation !== "done")
    commands.push([`${pm} install`, "brings what the database needs"]);
  // The server of the project's compose.yaml.
  if (database === "postgres") commands.push(["docker compose up -d postgres", "starts the database"]);
  commands.push([dev, "serves http://localhost:8000"]);
  commands.push(
    bare ? [`${framework} generate route index get`, "adds GET /"] : [routes, "shows what it serves"],
  );
  return commands;
}

function toFailure({ choices, installation }: Outcome): Advice | undefined {
  if (typeof installation !== "object") return undefined;
  return {
    problem: `Installing failed: ${escapeControl(installation.failure)}`,
    hint: `The project is complete${choices.database === undefined ? " and runs as it is" : ""}. Try again there: ${choices.pm} install`,
  };
}

const GIT_WARNINGS: Readonly<Partial<Record<GitOutcome, Advice>>> = {
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

/** What failed without harm to the project, or will. */
function toWarnings({ git, choices }: Outcome): Advice[] {
  const { node } = process.versions;
  const gitWarning = git === undefined ? undefined : GIT_WARNINGS[git];
  const oldNode = {
    problem: `The database needs Node.js 22.13 or newer, and this is ${node}`,
    hint: "Install a newer Node.js before you start the project.",
  };
  const [major = 0, minor = 0] = node.split(".").map(Number);
  // What Kysely and node:sqlite need.
  const isTooOld = choices.database !== undefined && (major < 22 || (major === 22 && minor < 13));
  return [...(gitWarning ? [gitWarning] : []), ...(isTooOld ? [oldNode] : [])];
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
