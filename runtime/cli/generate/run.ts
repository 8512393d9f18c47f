/** What `generate` and `destroy` do with a plan: make it in the project's turn, show or apply it, or tell why there is none. */

import { applyChanges, type Change, formatDiff } from "#generators/changes/changes";
import { withProjectLock } from "#generators/changes/session";
import { isNoPlan, type NoPlan, noPlan } from "#generators/no-plan";
import { isDiagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { formatDiagnostics } from "#runtime/convention/diagnostics/format";
import { type Project, readProject } from "#runtime/convention/project";
import { createFiles } from "#runtime/convention/source/files";
import { escapeControl, formatJson } from "#runtime/core/escape";
import { kleur } from "#runtime/deps/kleur";
import type { CommandInput, CommandOption } from "../command.ts";
import { requireProjectRoot } from "../project-root.ts";

export const PLAN_OPTIONS: Readonly<Record<"dry-run" | "json", CommandOption>> = {
  "dry-run": { type: "boolean", description: "Print the changes as a unified diff, and write nothing." },
  json: { type: "boolean", description: "Print what was done as JSON." },
};

/** What names an app or a method that there is not: wrong usage, as it is to every command. */
const MISUSES: readonly string[] = ["FW602", "FW614"];

interface AnyPlan {
  readonly changes: readonly Change[];
}

/** What was typed is read before the project's turn is waited for, so that a mistake in it is reported at once. */
export interface Planner<Words, Plan> {
  read(input: CommandInput): Words | NoPlan;
  plan(project: Project, words: Words): Plan | NoPlan;
}

/** What was planned on which project, and applied unless it was a dry run. */
interface Planned<Plan> {
  readonly project: Project;
  readonly plan: Plan;
}

/** How a plan is told: to a person, and to a program besides its files. */
export interface PlanFormats<Plan> {
  toText(plan: Plan, project: Project): string;
  toJson(plan: Plan, project: Project): object;
}

/** @returns the exit status: 0 for done or nothing to do, 1 for a refusal, 2 where what was named is not there. */
export async function runPlanner<Words extends object, Plan extends AnyPlan>(
  input: CommandInput,
  planner: Planner<Words, Plan>,
  formats: PlanFormats<Plan>,
): Promise<number> {
  const root = requireProjectRoot(input);
  const words = planner.read(input);
  if (isNoPlan(words)) return fail(input, root, words);
  const plan: PlanOn<Plan> = (project) => planner.plan(project, words);
  const isDryRun = input.options["dry-run"] === true;
  const planned = isDryRun
    ? planOn(root, plan)
    : await withProjectLock(root, input.terminal.printError, () => planAndApply(root, plan));
  if (isDiagnostic(planned)) return fail(input, root, noPlan(planned));
  if (isNoPlan(planned)) return fail(input, root, planned);
  tell(input, planned, formats, isDryRun);
  return 0;
}

type PlanOn<Plan> = (project: Project) => Plan | NoPlan;

function planOn<Plan extends AnyPlan>(root: string, toPlan: PlanOn<Plan>): Planned<Plan> | NoPlan {
  const project = readProject(root);
  const plan = toPlan(project);
  return isNoPlan(plan) ? plan : { project, plan };
}

function planAndApply<Plan extends AnyPlan>(root: string, toPlan: PlanOn<Plan>): Planned<Plan> | NoPlan {
  const planned = planOn(root, toPlan);
  if (isNoPlan(planned)) return planned;
  const problem = applyChanges(root, planned.plan.changes);
  return problem === undefined ? planned : noPlan(problem);
}

function fail(
  { options, terminal }: CommandInput,
  root: string,
  { diagnostics, differences = [] }: NoPlan,
): number {
  const files = createFiles(root);
  if (options.json === true) {
    const diff = differences.length === 0 ? {} : { diff: formatDiff(differences) };
    terminal.print(formatJson({ diagnostics, ...diff }, 2));
  } else {
    const text = formatDiagnostics(diagnostics, (file) => files.read(file), terminal.color);
    const shown = differences.length === 0 ? [] : [showDifferences(differences, terminal.color)];
    terminal.printError([text, ...shown].join("\n\n"));
  }
  return diagnostics.every(({ code }) => MISUSES.includes(code)) ? 2 : 1;
}

function showDifferences(differences: readonly Change[], color: boolean): string {
  return `From what a generator writes (-) to what is there (+):\n\n${showDiff(differences, color)}`;
}

function tell<Plan extends AnyPlan>(
  { options, terminal }: CommandInput,
  { plan, project }: Planned<Plan>,
  formats: PlanFormats<Plan>,
  isDryRun: boolean,
): void {
  const { changes } = plan;
  if (options.json === true) {
    const files = changes.map((change) => ({ file: change.file, change: changeWord(change) }));
    const diff = isDryRun ? { diff: formatDiff(changes) } : {};
    terminal.print(formatJson({ ...formats.toJson(plan, project), files, ...diff }, 2));
    return;
  }
  kleur.enabled = terminal.color;
  const isDiff = isDryRun && changes.length > 0;
  terminal.print(isDiff ? showDiff(changes, terminal.color) : formats.toText(plan, project));
}

/** The files of a plan, a line each, for {@link PlanFormats}. */
export function formatChanges(changes: readonly Change[]): string[] {
  return changes.map((change) => {
    const word = changeWord(change);
    return `${change.after === null ? kleur.red(word) : kleur.green(word)}  ${escapeControl(change.file)}`;
  });
}

/** Blocks of lines, one blank line apart. */
export function formatBlocks(blocks: readonly (readonly string[])[]): string {
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function changeWord({ before, after }: Change): string {
  if (after === null) return "removed";
  return before === null ? "created" : "changed";
}

/** The texts in a diff are the user's: nothing in them may move the cursor, but tabs and line ends stay what they are. */
export function showDiff(changes: readonly Change[], color: boolean): string {
  kleur.enabled = color;
  const lines = formatDiff(changes).replace(/\n$/, "").split("\n");
  return lines.map((line) => colorOf(line)(line.split("\t").map(escapeLine).join("\t"))).join("\n");
}

function escapeLine(text: string): string {
  return text.endsWith("\r") ? `${escapeControl(text.slice(0, -1))}\r` : escapeControl(text);
}

function colorOf(line: string): (text: string) => string {
  if (line.startsWith("+")) return (text) => kleur.green(text);
  if (line.startsWith("-")) return (text) => kleur.red(text);
  return line.startsWith("@@") ? (text) => kleur.cyan(text) : (text) => text;
}
