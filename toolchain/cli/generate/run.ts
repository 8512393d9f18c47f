/** What all generators share: they make a plan, apply it in the project's turn, and print what came of it. */

import { kleur } from "#convention/deps/kleur";
import { isDiagnostic } from "#convention/diagnostics/diagnostic";
import { formatDiagnostics, formatLocation } from "#convention/diagnostics/format";
import { type Project, readProject } from "#convention/project";
import { createFiles } from "#convention/source/files";
import { applyChanges, type Change, type FileDifference, formatDiff } from "#generators/changes/changes";
import { withProjectLock } from "#generators/changes/lock";
import type { Made, Plan } from "#generators/plan";
import { orRefused, Refused } from "#generators/refused";
import { escapeControl, formatJson } from "#runtime/escape";
import { type Command, type CommandInput, type CommandOption, flag } from "../command.ts";
import { requireProjectRoot } from "../project-root.ts";
import { alignRows, GAP } from "../table.ts";

export const PLAN_OPTIONS: Readonly<Record<"dry-run" | "json", CommandOption>> = {
  "dry-run": flag("Print the changes as a unified diff, and write nothing."),
  json: flag("Print what was done as JSON."),
};

/** An app, a method, a folder or a provider that does not exist is wrong usage, as it is to every command. */
const MISUSE = "FW602";

type Read<Words> = (input: CommandInput) => Words;
type MakePlan<Words> = (project: Project, words: Words) => Plan;

/** @param generator a command with what it reads from its words, and the plan that it makes of them. */
export function defineGenerator<Words extends object>({
  read,
  plan,
  options = {},
  ...command
}: Omit<Command, "run" | "options"> &
  Partial<Pick<Command, "options">> & {
    readonly read: Read<Words>;
    readonly plan: MakePlan<Words>;
  }): Command {
  return {
    ...command,
    options: { ...options, ...PLAN_OPTIONS },
    run: (input) => carryOut(input, read, plan),
  };
}

/** Carries a command out, from its words to its exit status. A mistake in the words is reported at once, whoever has the turn. */
export async function carryOut<Words extends object>(
  input: CommandInput,
  read: Read<Words>,
  plan: MakePlan<Words>,
): Promise<number> {
  const root = requireProjectRoot(input);
  const words = orRefused(() => read(input));
  const planned =
    words instanceof Refused ? words : await planAndApply(input, root, (project) => plan(project, words));
  return planned instanceof Refused ? printRefused(input, root, planned) : printPlan(input, planned);
}

/** Plans in the project's turn and makes the changes; a dry run only plans, and waits for nobody. */
async function planAndApply(
  { flags, terminal }: CommandInput,
  root: string,
  plan: (project: Project) => Plan,
): Promise<Plan | Refused> {
  const tryPlan = (): Plan | Refused => orRefused(() => plan(readProject(root)));
  if (flags["dry-run"]) return tryPlan();
  const planned = await withProjectLock(root, terminal.printError, () => {
    const wanted = tryPlan();
    return (wanted instanceof Refused ? undefined : applyChanges(root, wanted.changes)) ?? wanted;
  });
  return isDiagnostic(planned) ? new Refused(planned) : planned;
}

/** Reports why nothing was done. @returns the exit status. */
function printRefused({ flags, terminal }: CommandInput, root: string, { diagnostics }: Refused): 1 | 2 {
  const files = createFiles(root);
  if (flags.json) {
    terminal.print(formatJson({ diagnostics }, 2));
  } else {
    terminal.printError(formatDiagnostics(diagnostics, (file) => files.read(file), terminal.color));
  }
  return diagnostics.every(({ code }) => code === MISUSE) ? 2 : 1;
}

/** Prints what was done, or the diff of what would be. */
function printPlan({ flags, terminal }: CommandInput, { changes, made, present, notes }: Plan): 0 {
  kleur.enabled = terminal.color;
  const isDryRun = flags["dry-run"];
  if (flags.json) {
    const files = changes.map((change) => ({ file: change.file, change: changeWord(change) }));
    const diff = isDryRun ? { diff: formatDiff(changes) } : {};
    const [added, already] = [made.map(toRecord), present.map(toRecord)];
    terminal.print(formatJson({ made: added, present: already, notes, files, ...diff }, 2));
  } else if (isDryRun && changes.length > 0) {
    terminal.print(showDiff(changes, terminal.color));
  } else {
    const already = present.map(
      ({ route, location }) => `${escapeControl(route)} is there already: ${formatLocation(location)}`,
    );
    const isBlock = (note: string): boolean => note.includes("\n");
    const blocks = notes.filter(isBlock).map((text) => text.split("\n").map(escapeControl));
    const lines = notes.filter((note) => !isBlock(note)).map(escapeControl);
    terminal.print(formatBlocks([formatChanges(changes), alignRoutes(made), already, ...blocks, lines]));
  }
  return 0;
}

function toRecord({ route, url, location }: Made): object {
  return { route, url, ...location };
}

function alignRoutes(made: readonly Made[]): string[] {
  const rows = made.map(({ route, url, location }) => [
    route.split(" ")[0] ?? "",
    url,
    formatLocation(location),
  ]);
  return alignRows(rows).map(
    ([method = "", url = "", place]) => `${kleur.bold(method)} ${kleur.cyan(url)}${GAP}${place}`,
  );
}

function formatChanges(changes: readonly Change[]): string[] {
  return changes.map((change) => {
    return `${kleur.green(changeWord(change))}  ${escapeControl(change.file)}`;
  });
}

/** Blocks of lines, one blank line apart. */
export function formatBlocks(blocks: readonly (readonly string[])[]): string {
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function changeWord({ before }: Change): string {
  return before === null ? "created" : "changed";
}

/** Escapes what could move the cursor, because the texts are the user's. Tabs and line ends stay. */
export function showDiff(changes: readonly FileDifference[], color: boolean): string {
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
