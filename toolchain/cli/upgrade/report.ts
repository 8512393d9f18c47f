/** What an upgrade prints: each file that the user edited, the number of the others, and what to do next. */

import { kleur } from "#convention/deps/kleur";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { formatDiagnostics } from "#convention/diagnostics/format";
import { VENDORED_FOLDER } from "#convention/layout";
import { type Change, formatDiff } from "#generators/changes/changes";
import { escapeControl, formatJson } from "#runtime/escape";
import type { Fate, FilePlan, Plan } from "#toolchain/upgrade/plan";
import type { CommandInput, Terminal } from "../command.ts";
import { formatBlocks, showDiff } from "../generate/run.ts";
import { toDiagnosticRecord } from "../report.ts";

export interface Outcome extends Plan {
  /** What a person should know or do, a sentence or two each. */
  readonly notes: readonly string[];
  /** Why nothing was replaced. */
  readonly problem?: Diagnostic | undefined;
}

/** A file's fate as its editor sees it. Edits that are set aside come first. */
const EXPLAINED: Readonly<Partial<Record<Fate, string>>> = {
  aside: "your edit, which the new version does not have",
  merged: "your edit and the new version",
  conflict: "your edit and the new version changed the same lines",
  unmerged: "your edit, without its original to merge against",
  kept: "your edit; nothing new",
  restored: "was missing",
};

/** Files that the user did not edit are counted. */
const COUNTED: readonly Fate[] = ["replaced", "created", "removed"];

/** @returns the exit status. */
export function failUpgrade({ options, terminal }: CommandInput, diagnostics: readonly Diagnostic[]): number {
  if (options.json === true)
    terminal.print(formatJson({ diagnostics: diagnostics.map(toDiagnosticRecord) }, 2));
  // The line of a conflict is its mark, which need not be shown.
  else terminal.printError(formatDiagnostics(diagnostics, () => undefined, terminal.color));
  return 1;
}

/** What was done; with a problem, what waits for the user. @returns the exit status. */
export function tellUpgrade(input: CommandInput, outcome: Outcome): number {
  const { options, terminal } = input;
  const { problem, notes } = outcome;
  if (options.json === true) {
    const diagnostics = problem === undefined ? [] : [toDiagnosticRecord(problem)];
    terminal.print(formatPlanJson(outcome, { diagnostics }));
    return diagnostics.length;
  }
  const files = formatFiles(outcome, terminal);
  if (problem === undefined) {
    terminal.print(formatBlocks([files, [formatEnd(outcome)], notes.map(escapeControl)]));
    return 0;
  }
  terminal.print(`${formatBlocks([files])}\n`);
  return failUpgrade(input, [problem]);
}

function formatEnd(outcome: Outcome): string {
  const { from, to, isChange } = outcome;
  if (!isChange) return formatNothing(outcome);
  if (from === to) return `The framework is at ${to}, with your edits.`;
  return `The framework is upgraded from ${from} to ${to}. Restart what is running, and run the tests.`;
}

function formatNothing({ to }: Pick<Plan, "to">): string {
  return `The framework is at ${to} already.`;
}

/** What would be done. @returns the exit status: with `--check`, 1 if there is something. */
export function tellPlan({ options, terminal }: CommandInput, outcome: Outcome): number {
  const { from, to, notes, isChange } = outcome;
  const changes = isChange && options["dry-run"] === true ? listMerged(outcome) : [];
  if (options.json === true) {
    terminal.print(formatPlanJson(outcome, options["dry-run"] === true ? { diff: formatDiff(changes) } : {}));
  } else {
    const would = isChange ? `An upgrade from ${from} to ${to} would do this:` : formatNothing(outcome);
    const diff = changes.length > 0 ? [showDiff(changes, terminal.color)] : [];
    terminal.print(formatBlocks([[would], formatFiles(outcome, terminal), notes.map(escapeControl), diff]));
  }
  return options.check === true && isChange ? 1 : 0;
}

/** That there is nothing to do, and why. */
export function tellNothing({ options, terminal }: CommandInput, version: string, why: string): 0 {
  const outcome = { from: version, to: version, isChange: false, files: [], notes: [why] };
  terminal.print(options.json === true ? formatPlanJson(outcome, {}) : `${formatNothing(outcome)} ${why}`);
  return 0;
}

export function tellAbort({ options, terminal }: CommandInput, to: string | undefined): void {
  const text =
    to === undefined
      ? "No upgrade is under way."
      : `Gave up the upgrade to ${to}. It had not changed the project yet.`;
  terminal.print(options.json === true ? formatJson({ aborted: to ?? null }) : text);
}

/** Nothing if nothing changes: the user knows of an edit that is merged already. */
function formatFiles({ files, isChange }: Outcome, { color }: Terminal): string[] {
  if (!isChange) return [];
  kleur.enabled = color;
  const rows = Object.entries(EXPLAINED).flatMap(([fate, meaning]) =>
    files.filter((one) => one.fate === fate).map(({ file }) => ({ fate, file: toVendored(file), meaning })),
  );
  const width = Math.max(0, ...rows.map(({ file }) => file.length));
  const lines = rows
    .sort(
      (one, other) =>
        Number(other.fate === "aside") - Number(one.fate === "aside") || (one.file < other.file ? -1 : 1),
    )
    .map(({ fate, file, meaning }) => {
      const word = fate.padEnd("conflict".length);
      const colored = fate === "conflict" || fate === "unmerged" ? kleur.red(word) : kleur.green(word);
      return `${colored}  ${escapeControl(file).padEnd(width)}  ${kleur.dim(meaning)}`;
    });
  return [...lines, ...formatOthers(files)];
}

function toVendored(file: string): string {
  return `${VENDORED_FOLDER}/${file}`;
}

/** @example formatOthers(files) // ["Files without an edit of yours: 40 replaced, 3 created, 2 removed."] */
function formatOthers(files: readonly FilePlan[]): string[] {
  const counts = COUNTED.map((fate) => ({ fate, number: files.filter((one) => one.fate === fate).length }));
  const parts = counts.filter(({ number }) => number > 0).map(({ fate, number }) => `${number} ${fate}`);
  return parts.length === 0 ? [] : [`Files without an edit of yours: ${parts.join(", ")}.`];
}

function formatPlanJson({ from, to, files, notes }: Outcome, more: object): string {
  const rows = files.map(({ file, fate }) => ({ file: toVendored(file), change: fate }));
  return formatJson({ from, to, files: rows, notes, ...more }, 2);
}

/** A diff of all files would be tens of thousands of lines long. */
function listMerged({ files }: Outcome): readonly Change[] {
  return files
    .filter(({ conflicts }) => conflicts !== undefined)
    .map(({ file, before = "", after = "" }) => ({
      file: toVendored(file),
      before: before.toString(),
      after: after.toString(),
    }));
}
