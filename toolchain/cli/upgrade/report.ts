/** What an upgrade prints: each file that the user edited, the number of the others, and what to do next. */

import { kleur } from "#convention/deps/kleur";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { formatDiagnostics } from "#convention/diagnostics/format";
import { VENDORED_FOLDER } from "#convention/layout";
import { type FileDifference, formatDiff } from "#generators/changes/changes";
import { escapeControl, formatJson } from "#runtime/escape";
import { FATES, type Plan } from "#toolchain/upgrade/plan";
import type { CommandInput } from "../command.ts";
import { formatBlocks, showDiff } from "../generate/run.ts";
import { toDiagnosticRecord } from "../report.ts";

export interface Outcome extends Plan {
  /** Why nothing was replaced. */
  readonly problem?: Diagnostic | undefined;
}

/** @returns the exit status. */
export function failUpgrade({ flags, terminal }: CommandInput, diagnostic: Diagnostic): number {
  if (flags.json) terminal.print(formatJson({ diagnostics: [toDiagnosticRecord(diagnostic)] }, 2));
  // The line of a conflict is its mark, which need not be shown.
  else terminal.printError(formatDiagnostics([diagnostic], () => undefined, terminal.color));
  return 1;
}

/**
 * @param isPlan whether it is printed what would be done, and not what was.
 * @returns the exit status: 1 if a problem is left to the user, and with `--check` if there is something to do.
 */
export function tellUpgrade(input: CommandInput, outcome: Outcome, isPlan = false): number {
  const { flags, terminal } = input;
  const { from, to, isChange, problem } = outcome;
  const isDiff = isPlan && flags["dry-run"];
  const changes = isDiff ? listMerged(outcome) : [];
  const files = formatFiles(outcome, terminal.color);
  const status = problem !== undefined || (isPlan && flags.check && isChange) ? 1 : 0;
  if (flags.json) {
    const diagnostics = problem === undefined ? [] : [toDiagnosticRecord(problem)];
    const more = isPlan ? (isDiff ? { diff: formatDiff(changes) } : {}) : { diagnostics };
    terminal.print(formatOutcomeJson(outcome, more));
  } else if (problem !== undefined) {
    terminal.print(`${files.join("\n")}\n`);
    failUpgrade(input, problem);
  } else if (isPlan && isChange) {
    const would = `An upgrade from ${from} to ${to} would do this:`;
    const diff = changes.length > 0 ? [showDiff(changes, terminal.color)] : [];
    terminal.print(formatBlocks([[would], files, diff]));
  } else {
    const done = `The framework is upgraded from ${from} to ${to}. Restart what is running, and run the tests.`;
    const same = `The framework is at ${to}${isChange ? "" : " already"}.`;
    terminal.print(formatBlocks([files, [isChange && from !== to ? done : same]]));
  }
  return status;
}

/** That there is nothing to do, and why. */
export function tellNothing({ flags, terminal }: CommandInput, version: string, why: string): number {
  const outcome = { from: version, to: version, isChange: false, files: [] };
  terminal.print(
    flags.json ? formatOutcomeJson(outcome, {}) : `The framework is at ${version} already. ${why}`,
  );
  return 0;
}

/** Nothing if nothing changes: the user knows of an edit that is merged already. */
function formatFiles({ files, isChange }: Outcome, color: boolean): string[] {
  if (!isChange) return [];
  kleur.enabled = color;
  const edited = files.filter(({ fate }) => FATES[fate] !== undefined);
  const width = Math.max(0, ...edited.map(({ file }) => file.length));
  const rows = edited.map(({ file, fate }) => {
    const paint = fate === "conflict" || fate === "unmerged" ? kleur.red : kleur.green;
    const name = escapeControl(file).padEnd(width);
    return `${paint(fate.padEnd(8))}  ${VENDORED_FOLDER}/${name}  ${kleur.dim(FATES[fate] ?? "")}`;
  });
  const counts = (["replaced", "created", "removed"] as const).flatMap((fate) => {
    const number = files.filter((one) => one.fate === fate).length;
    return number > 0 ? [`${number} ${fate}`] : [];
  });
  return [...rows, ...(counts.length > 0 ? [`Files without an edit of yours: ${counts.join(", ")}.`] : [])];
}

function formatOutcomeJson({ from, to, files }: Outcome, more: object): string {
  const rows = files.map(({ file, fate }) => ({ file: `${VENDORED_FOLDER}/${file}`, change: fate }));
  return formatJson({ from, to, files: rows, ...more }, 2);
}

/** A diff of all files would be tens of thousands of lines long. */
function listMerged({ files, isChange }: Outcome): readonly FileDifference[] {
  return files.flatMap(({ file, fate, before, after }) => {
    if (!isChange || (fate !== "merged" && fate !== "conflict")) return [];
    return [{ file: `${VENDORED_FOLDER}/${file}`, before: String(before), after: String(after) }];
  });
}
