/** What an upgrade prints: each file that the user edited, the number of the others, and what to do next. */

import { kleur } from "#convention/deps/kleur";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { formatDiagnostics } from "#convention/diagnostics/format";
import { VENDORED_FOLDER } from "#convention/layout";
import { type FileDifference, formatDiff } from "#generators/changes/changes";
import { escapeControl, formatJson } from "#runtime/escape";
import { type Fate, type FilePlan, isChanging } from "#toolchain/upgrade/plan";
import type { CommandInput, Terminal } from "../command.ts";
import { formatBlocks, showDiff } from "../generate/run.ts";
import { toDiagnosticRecord } from "../report.ts";
import { type PlannedUpgrade, toChanges } from "./plan.ts";

/** What a file's fate means to who edited it; the others were never touched, and are counted. */
const EXPLAINED: Readonly<Partial<Record<Fate, string>>> = {
  merged: "your edit and the new version",
  conflict: "your edit and the new version changed the same lines",
  kept: "your edit; nothing new",
  left: "your edit has no effect: the new version does not read this file",
  aside: "your edit, set aside: this file can't be merged, so the new one replaces it",
  restored: "was missing",
};

/** @returns the exit status. */
export function failUpgrade({ options, terminal }: CommandInput, diagnostics: readonly Diagnostic[]): number {
  if (options.json === true)
    terminal.print(formatJson({ diagnostics: diagnostics.map(toDiagnosticRecord) }, 2));
  // The line of a conflict is its mark, which need not be shown.
  else terminal.printError(formatDiagnostics(diagnostics, () => undefined, terminal.color));
  return 1;
}

/** What is done; with conflicts, what is going to be. @returns the exit status. */
export function tellUpgrade(
  input: CommandInput,
  planned: PlannedUpgrade,
  conflicts: Diagnostic | undefined,
): number {
  const { options, terminal } = input;
  if (options.json === true) {
    const diagnostics = conflicts === undefined ? [] : [toDiagnosticRecord(conflicts)];
    terminal.print(formatPlanJson(planned, { diagnostics }));
    return diagnostics.length;
  }
  const files = formatFiles(planned, terminal);
  if (conflicts !== undefined) {
    terminal.print(`${formatBlocks([files])}\n`);
    return failUpgrade(input, [conflicts]);
  }
  terminal.print(formatBlocks([files, [formatEnd(planned)], planned.notes.map(escapeControl)]));
  return 0;
}

function formatEnd(planned: PlannedUpgrade): string {
  const { from, to } = planned;
  if (toChanges(planned).length === 0) return formatNothing(planned);
  if (from === to) return `The framework is at ${to}, with your edits.`;
  return `The framework is upgraded from ${from} to ${to}. Restart what is running, and run the tests.`;
}

function formatNothing({ to }: PlannedUpgrade): string {
  return `The framework is at ${to} already.`;
}

/** What would be done. @returns the exit status: with `--check`, 1 if there is something. */
export function tellPlan({ options, terminal }: CommandInput, planned: PlannedUpgrade): number {
  const { from, to, notes } = planned;
  const isChange = toChanges(planned).length > 0;
  const isDiff = options["dry-run"] === true;
  if (options.json === true) {
    terminal.print(formatPlanJson(planned, isDiff ? { diff: formatDiff(toTexts(planned)) } : {}));
  } else {
    const would = isChange ? `An upgrade from ${from} to ${to} would do this:` : formatNothing(planned);
    const texts = isDiff ? toTexts(planned) : [];
    const diff = texts.length > 0 ? [showDiff(texts, terminal.color)] : [];
    terminal.print(formatBlocks([[would], formatFiles(planned, terminal), notes.map(escapeControl), diff]));
  }
  return options.check === true && isChange ? 1 : 0;
}

/** That there is nothing to do, and why. */
export function tellNothing({ options, terminal }: CommandInput, version: string, why: string): 0 {
  const planned = { from: version, to: version, files: [], notes: [why] };
  terminal.print(options.json === true ? formatPlanJson(planned, {}) : `${formatNothing(planned)} ${why}`);
  return 0;
}

export function tellAbort({ options, terminal }: CommandInput, to: string | undefined): void {
  const text =
    to === undefined
      ? "No upgrade is under way."
      : `Gave up the upgrade to ${to}. It had not changed the project yet.`;
  terminal.print(options.json === true ? formatJson({ aborted: to ?? null }) : text);
}

/** Nothing where nothing changes: what the user edited once is no news then. */
function formatFiles(planned: PlannedUpgrade, { color }: Terminal): string[] {
  if (toChanges(planned).length === 0) return [];
  kleur.enabled = color;
  const { files } = planned;
  const rows = files.flatMap(({ file, fate }) => {
    const meaning = EXPLAINED[fate];
    return meaning === undefined ? [] : [{ word: fate, file: `${VENDORED_FOLDER}/${file}`, meaning }];
  });
  const width = Math.max(0, ...rows.map(({ file }) => file.length));
  const told = rows.map(({ word, file, meaning }) => {
    const colored = word === "conflict" ? kleur.red(word) : kleur.green(word);
    const gap = " ".repeat(WORD_WIDTH - word.length);
    return `${colored}${gap}${escapeControl(file).padEnd(width)}  ${kleur.dim(meaning)}`;
  });
  return [...told, ...formatOthers(files)];
}

const WORD_WIDTH = "conflict".length + 2;

/** @example formatOthers(files) // ["Files without an edit of yours: 40 replaced, 3 created, 2 removed."] */
function formatOthers(files: readonly FilePlan[]): string[] {
  const counts = UNTOUCHED.map((fate) => ({ fate, number: files.filter((one) => one.fate === fate).length }));
  const parts = counts.filter(({ number }) => number > 0).map(({ fate, number }) => `${number} ${fate}`);
  return parts.length === 0 ? [] : [`Files without an edit of yours: ${parts.join(", ")}.`];
}

const UNTOUCHED: readonly Fate[] = ["replaced", "created", "removed"];

function formatPlanJson({ from, to, files, notes }: PlannedUpgrade, more: object): string {
  const rows = files.map(({ file, fate }) => ({ file: `${VENDORED_FOLDER}/${file}`, change: fate }));
  return formatJson({ from, to, files: rows, notes, ...more }, 2);
}

/** For a diff: what the user had a hand in. All the others would make it tens of thousands of lines long. */
function toTexts({ files }: PlannedUpgrade): readonly FileDifference[] {
  return files
    .filter((one) => EXPLAINED[one.fate] !== undefined && isChanging(one))
    .map(({ file, before, after }) => ({
      file: `${VENDORED_FOLDER}/${file}`,
      before: before?.toString() ?? null,
      after: after?.toString() ?? null,
    }));
}
