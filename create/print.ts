/** Prints how a run went: words for a person, or one JSON object on stdout for a program. */

import kleur from "kleur";
import {
  CANCELLED,
  type Command,
  type Outcome,
  toGitSetback,
  toInstallSetback,
  toNextCommands,
  toNodeSetback,
  toReplay,
  toSetbacks,
} from "./outcome.ts";
import type { Advice } from "./refusal.ts";
import type { Database } from "./template.ts";

export interface Output {
  /** For what to know before the project is created. */
  notice(advice: Advice): void;
  refused(refusal: Advice): void;
  cancelled(): void;
  made(outcome: Outcome): void;
}

type Streams = Pick<NodeJS.Process, "stdout" | "stderr">;

export function createTextOutput({ stdout, stderr }: Streams): Output {
  return {
    notice: (advice) => void stdout.write(`${formatNotice(advice)}\n`),
    refused: (refusal) =>
      void stderr.write(
        `${formatRefusal(refusal, { color: stderr.isTTY === true, columns: toColumns(stderr) })}\n`,
      ),
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

export function formatNotice({ problem, hint }: Advice): string {
  return `${problem}.\n${kleur.dim(hint)}`;
}

/** What there is now, what to type next, and how to create the same again. */
export function formatOutcome(outcome: Outcome, columns: number): string {
  const { choices, installation } = outcome;
  const remark = `It runs as it is. Tests, types and build need: ${choices.pm} install`;
  const isRunnable = installation === undefined && choices.database === undefined;
  return [
    "",
    ...formatHeadline(outcome, columns),
    "",
    ...formatCommands(toNextCommands(outcome), columns),
    "",
    ...toSetbacks(outcome).flatMap((setback) => formatSetback(setback, columns)),
    ...(isRunnable ? [...formatParagraph(remark, 2, columns), ""] : []),
    kleur.dim("  To repeat this without questions:"),
    `  ${toReplay(choices, outcome.runner)}`,
    "",
  ].join("\n");
}

function formatHeadline(outcome: Outcome, columns: number): string[] {
  const { choices, name, files } = outcome;
  const { database } = choices;
  const facts = [
    `${files} files`,
    formatSamples(choices),
    ...(database === undefined ? [] : [DATABASE_NAMES[database]]),
    ...toFacts(outcome),
  ].join(" · ");
  const headline = `${kleur.green("✔")} ${kleur.bold(name)} is ready`;
  const isOneLine = `✔ ${name} is ready  ${facts}`.length < columns;
  return isOneLine ? [`${headline}  ${kleur.dim(facts)}`] : [headline, ...formatParagraph(facts, 2, columns)];
}

const DATABASE_NAMES: Readonly<Record<Database, string>> = { sqlite: "SQLite", postgres: "Postgres" };

function formatSamples({ apps, bare }: Outcome["choices"]): string {
  if (bare) return "no samples";
  return apps.length === 0 ? "no sample apps" : apps.join(", ");
}

function formatParagraph(text: string, indent: number, columns: number): string[] {
  return breakLines(text, columns - indent).map((line) => kleur.dim(" ".repeat(indent) + line));
}

function toFacts({ git, installation }: Outcome): string[] {
  const facts: string[] = [];
  if (installation === "done") facts.push("installed");
  if (git === "committed") facts.push("one commit");
  return facts;
}

/** Where the comments begin. */
const COMMENT_COLUMN = 32;

function formatCommands(commands: readonly Command[], columns: number): string[] {
  const commented = commands.filter(({ comment }) => comment !== "");
  const column = Math.max(COMMENT_COLUMN, ...commented.map(({ command }) => `  ${command}  `.length));
  return commands.map((command) => formatCommand(command, column, columns));
}

/** Leaves out a comment that does not fit. */
function formatCommand({ command, comment }: Command, column: number, columns: number): string {
  const line = `  ${command}`.padEnd(column - 2);
  const isCommented = comment !== "" && line.length + 2 + comment.length < columns;
  return isCommented ? `${kleur.cyan(line)}  ${kleur.dim(comment)}` : kleur.cyan(line.trimEnd());
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
  /** True if the exit status is 0. */
  readonly ok: boolean;
  /** Why it is not 0. */
  readonly error: ReturnType<typeof toMessage> | null;
  /** Null if nothing was created. */
  readonly project: ReturnType<typeof toProject> | null;
  /** The commands to type next, in the folder where the run was started. */
  readonly next: readonly string[];
  /** The command that creates the same project without a question. */
  readonly replay: string | null;
  readonly warnings: readonly ReturnType<typeof toMessage>[];
}

/** @param notices what to know before the project is created */
export function formatOutcomeJson(outcome: Outcome, notices: readonly Advice[]): string {
  const failure = toInstallSetback(outcome);
  const setbacks = [toGitSetback(outcome), toNodeSetback(outcome)].filter((setback) => setback !== undefined);
  return format({
    ok: failure === undefined,
    error: failure ? toMessage(failure) : null,
    project: toProject(outcome),
    next: toNextCommands(outcome).map(({ command }) => command),
    replay: toReplay(outcome.choices, outcome.runner),
    warnings: [...notices, ...setbacks].map(toMessage),
  });
}

export function formatRefusalJson(refusal: Advice, notices: readonly Advice[] = []): string {
  const warnings = notices.map(toMessage);
  return format({ ok: false, error: toMessage(refusal), project: null, next: [], replay: null, warnings });
}

/** The directory is absolute, and `bare` means without samples of any kind. */
function toProject({ name, directory, files, choices, installation, git }: Outcome) {
  return {
    name,
    directory,
    files,
    apps: choices.apps,
    bare: choices.bare,
    database: choices.database ?? null,
    packageManager: choices.pm,
    installed: installation === "done",
    committed: git === "committed",
  };
}

function toMessage({ problem, hint }: Advice) {
  return { message: problem, hint };
}

function format(report: Report): string {
  return JSON.stringify(report, null, 2);
}
