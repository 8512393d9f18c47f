/** Formats what a run prints for a person, except the questions and the help. */

import kleur from "kleur";
import { breakLines } from "./lines.ts";
import { type Command, type Outcome, toNextCommands, toReplay, toSetbacks } from "./outcome.ts";
import type { Advice } from "./refusal.ts";
import type { Database } from "./template.ts";

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
