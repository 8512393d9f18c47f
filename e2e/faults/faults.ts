/** Strikes a command at its k-th file-changing call, and judges what it left, what it said, and what the same command makes of it when run again. */

import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type Outcome, run } from "../harness/command.ts";
import { type Environment, isolatedEnvironment } from "../harness/environment.ts";
import { createFolder } from "../harness/workspace.ts";

export interface Scenario {
  readonly title: string;
  /** The script and its words. */
  readonly command: readonly string[];
  /** Makes what is there before the command is run, in an empty folder. */
  readonly lay: (folder: string) => void;
  /** Whether a kill may leave some files as they were and some as they shall be, until the next command. */
  readonly needsRepair: boolean;
  /** The status of the command when all that it would make is there. */
  readonly statusWhenThere: number;
}

/** As the saboteur has them; see there. */
export const FAULTS = [
  "SIGKILL",
  "torn",
  "SIGINT",
  "SIGTERM",
  "ENOSPC",
  "EIO",
  "EACCES",
  "full",
  "gone",
] as const;
export type Fault = (typeof FAULTS)[number];

/** Every file below a folder with its content, every folder, links by their name. */
type Tree = Readonly<Record<string, string>>;

export const saboteur: string = fileURLToPath(new URL("saboteur.cjs", import.meta.url));
const env: Environment = isolatedEnvironment();

/** What a command that was killed may leave, until the next one clears it up. */
const LEFTOVER = /(?:^|\/)(?:\.framework(?:-[^/]*)?|\.[^/]*\.creating-\d+|\.convention-app-filling)(?:\/|$)/;

/** In a tree, in the place of a content. */
const FOLDER = "folder";

/** How many file-changing calls the command makes, and what it makes. */
export async function measure(scenario: Scenario): Promise<{ calls: number; before: Tree; after: Tree }> {
  const folder = layOut(scenario);
  const before = readTree(folder);
  const { status, stderr } = await strike(scenario, folder, "count", 0);
  const calls = Number(/changes: (\d+)/.exec(stderr)?.[1]);
  if (status !== 0 || !(calls > 0)) throw new Error(`${scenario.title} fails without a fault: ${stderr}`);
  return { calls, before, after: readTree(folder) };
}

/** @returns what is wrong, as sentences; none where all is as it should be. */
export async function judge(
  scenario: Scenario,
  fault: Fault,
  at: number,
  { before, after }: { before: Tree; after: Tree },
): Promise<readonly string[]> {
  const folder = layOut(scenario);
  const struck = await strike(scenario, folder, fault, at);
  const left = readTree(folder);
  const again = await run([process.execPath, ...scenario.command], { cwd: folder, env });
  const repaired = readTree(folder);
  const isThere = isEqual(visible(left), after);
  rmSync(folder, { recursive: true });
  const wrong = [
    ...judgeStruck(struck, fault, left, { before, after }, scenario.needsRepair),
    ...(again.status === 0 || (isThere && again.status === scenario.statusWhenThere)
      ? []
      : [`again: status ${again.status}: ${again.stderr}`]),
    ...differences("again", repaired, after),
  ];
  return wrong.map((what) => `${scenario.title}, ${fault} at ${at}: ${what}`);
}

/** A folder of the same name each time, since a project made in it takes that one. */
function layOut({ lay }: Scenario): string {
  const folder = join(createFolder("struck"), "shop");
  mkdirSync(folder);
  lay(folder);
  return folder;
}

function judgeStruck(
  { status, signal, stderr }: Outcome,
  fault: Fault,
  left: Tree,
  { before, after }: { before: Tree; after: Tree },
  needsRepair: boolean,
): readonly string[] {
  // A folder that is empty now and could not be removed may stay until the next command.
  if (status === 0) return differences("false exit 0", files(visible(left)), files(after));
  const wasStopped = signal !== null || status === 130 || status === 143;
  const isKill = signal === "SIGKILL";
  const told = wasStopped || (status === 1 && /^error /m.test(stderr) && !/\n\s+at /.test(stderr));
  const wrong = told ? [] : [`status ${status} without a clear error: ${stderr}`];
  if (isKill || fault === "gone") {
    if (needsRepair) return [...wrong, ...strangers(visible(left), before, after)];
    return isEqual(visible(left), after)
      ? wrong
      : [...wrong, ...differences("half-made", visible(left), before)];
  }
  if (wasStopped && isEqual(left, after)) return wrong;
  // A signal that came before the command took its turn ends it at once.
  return [...wrong, ...differences("half-made", signal === null ? left : visible(left), before)];
}

async function strike(scenario: Scenario, folder: string, fault: string, at: number): Promise<Outcome> {
  const words = [process.execPath, "--require", saboteur, ...scenario.command];
  return run(words, { cwd: folder, env: { ...env, FAULT: fault, FAULT_AT: String(at) } });
}

function readTree(folder: string): Tree {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const rows = entries.map((entry): [string, string] => {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isFile() ? readFileSync(path, "latin1") : entry.isDirectory() ? FOLDER : "other";
    // Migrations are called after the time.
    return [relative(folder, path).split(sep).join("/"), content].map((text) =>
      text.replace(/\b\d{14}(?=_)/g, "<time>"),
    ) as [string, string];
  });
  return Object.fromEntries(rows.sort());
}

function visible(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([file]) => !LEFTOVER.test(file)));
}

function files(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([, content]) => content !== FOLDER));
}

function isEqual(one: Tree, other: Tree): boolean {
  return differences("", one, other).length === 0;
}

function differences(what: string, found: Tree, wanted: Tree): readonly string[] {
  const files = [...new Set([...Object.keys(found), ...Object.keys(wanted)])];
  const different = files.filter((file) => found[file] !== wanted[file]);
  return different.length === 0 ? [] : [`${what}: ${different.slice(0, 5).join(", ")}`];
}

/** What is neither as it was nor as it shall be. */
function strangers(found: Tree, before: Tree, after: Tree): readonly string[] {
  const files = [...new Set([...Object.keys(found), ...Object.keys(before)])];
  const strange = files.filter((file) => found[file] !== before[file] && found[file] !== after[file]);
  return strange.length === 0 ? [] : [`lost or cut: ${strange.join(", ")}`];
}
