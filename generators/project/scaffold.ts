/** Makes the project, whole or not at all: built in a temporary folder beside its place, then renamed into it. */

import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Archive, unpackArchive } from "./archive.ts";
import { render } from "./engine/render.ts";
import { escapeControl, type Refusal, refuse } from "./refusal.ts";
import { STAGING, type Target } from "./target.ts";
import { isLeftOut, PACKED, toView, type Values } from "./template.ts";

export interface ScaffoldInput {
  /** The folder with the packed template and framework. */
  readonly source: string;
  readonly target: Target;
  readonly values: Values;
  /** Asked once before the project is put in its place. */
  readonly isInterrupted: () => Promise<boolean>;
}

export interface Scaffolded {
  /** How many files the project has. */
  readonly files: number;
}

/** @returns undefined when interrupted: then nothing is left behind */
export async function scaffold(input: ScaffoldInput): Promise<Scaffolded | Refusal | undefined> {
  const { target } = input;
  const holder = target.exists ? target.directory : dirname(target.directory);
  const staging = join(holder, `.${target.name}.creating-${process.pid}`);
  let madeFrom: string | undefined;
  let isPlaced = false;
  try {
    madeFrom = mkdirSync(holder, { recursive: true });
    removeAbandoned(holder, target.name);
    mkdirSync(staging);
    const files = await fill(staging, input);
    if (await input.isInterrupted()) return undefined;
    place(staging, target);
    isPlaced = true;
    return { files };
  } catch (error) {
    return explain(error, target);
  } finally {
    if (!isPlaced) clear(staging, holder, madeFrom);
  }
}

async function fill(staging: string, { source, values }: ScaffoldInput): Promise<number> {
  let files = 0;
  await render({
    templates: join(source, PACKED.rendered),
    directory: staging,
    view: toView(values),
    after: () => {
      const vendored = join(staging, "vendor", "framework");
      const isWanted = (file: string) => !isLeftOut(file, values.apps);
      files = readdirSync(staging).length;
      files += unpackArchive(readArchive(join(source, PACKED.project)), staging, isWanted);
      files += unpackArchive(readArchive(join(source, PACKED.framework)), vendored);
      chmodSync(join(vendored, "cli", "main.js"), 0o755);
    },
  });
  return files;
}

function readArchive(file: string): Archive {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** A new folder appears by one rename. A folder that was there is filled, entry by entry, and emptied again if one fails. */
function place(staging: string, target: Target): void {
  if (target.exists) moveEntries(staging, target.directory);
  else renameSync(staging, target.directory);
}

function moveEntries(staging: string, directory: string): void {
  const placed: string[] = [];
  try {
    for (const entry of readdirSync(staging)) {
      renameSync(join(staging, entry), join(directory, entry));
      placed.push(entry);
    }
    rmdirSync(staging);
  } catch (error) {
    for (const entry of placed) rmSync(join(directory, entry), { recursive: true, force: true });
    throw error;
  }
}

/** Takes back the temporary folder, and the folders above it that were made for it. */
function clear(staging: string, holder: string, madeFrom: string | undefined): void {
  try {
    rmSync(staging, { recursive: true, force: true });
    if (madeFrom === undefined) return;
    for (let folder = holder; folder.length >= madeFrom.length; folder = dirname(folder)) rmdirSync(folder);
  } catch {
    // Whatever made the project fail may forbid this too; the failure itself is what the user is told.
  }
}

/** A run that was killed outright could not clear up after itself: the next one for the same name does. */
function removeAbandoned(holder: string, name: string): void {
  for (const entry of readdirSync(holder)) {
    const [, pid] = STAGING.exec(entry) ?? [];
    if (pid === undefined || !entry.startsWith(`.${name}.creating-`) || isRunning(Number(pid))) continue;
    rmSync(join(holder, entry), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

const REASONS: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  EACCES: ["it is not allowed to write there", "Choose another directory, or change its permissions."],
  EPERM: ["it is not allowed to write there", "Choose another directory, or change its permissions."],
  EROFS: ["the file system is read-only", "Choose another directory."],
  ENOSPC: ["the disk is full", "Free some space, then run the same command again."],
  EDQUOT: ["the disk quota is used up", "Free some space, then run the same command again."],
  ENAMETOOLONG: ["the path is too long", "Choose a shorter name."],
  ENOTDIR: ["a file stands in the way", "Choose another directory."],
  EEXIST: ["something else appeared there meanwhile", "Choose another name, or empty it first."],
  ENOTEMPTY: ["something else appeared there meanwhile", "Choose another name, or empty it first."],
};

/** What the system refuses is told in words; anything else is a fault of ours, and is thrown on. */
function explain(error: unknown, target: Target): Refusal {
  const code = codeOf(error);
  if (!(error instanceof Error) || code === undefined) throw error;
  const [reason, hint] = REASONS[code] ?? [error.message, "Nothing was written. Run the same command again."];
  return refuse(
    1,
    `${escapeControl(basename(target.directory))} could not be made: ${reason} (${code})`,
    hint,
  );
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
