/**
 * Makes the project, whole or not at all: built in a temporary folder on the same file system, then put into its place.
 * That holds whenever the process ends. It is not brought to disk by force, which would take longer than making it: after a power
 * cut within the half minute or so that a system holds writes back, a project that was just made may have empty files.
 */

import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { unpackArchive } from "./archive.ts";
import { render } from "./engine/render.ts";
import { finishFilling } from "./filling.ts";
import { choosePlacement, type Placement } from "./placement.ts";
import { escapeControl, type Refusal, refuse } from "./refusal.ts";
import { createStaging, removeStaging } from "./staging.ts";
import type { Target } from "./target.ts";
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
  const { target, values } = input;
  try {
    return finishFilling(target.directory, values) ?? (await build(input, choosePlacement(target)));
  } catch (error) {
    return explain(error, target);
  }
}

async function build(
  input: ScaffoldInput,
  { holder, below, place }: Placement,
): Promise<Scaffolded | undefined> {
  const { target, values } = input;
  const staging = createStaging(holder, target.name, below);
  try {
    const files = await write(join(staging, ...below), input);
    if (await input.isInterrupted()) return undefined;
    place(staging, { files, values });
    return { files };
  } finally {
    removeStaging(staging);
  }
}

/** @returns how many files it wrote. */
async function write(directory: string, { source, values }: ScaffoldInput): Promise<number> {
  let files = 0;
  await render({
    templates: join(source, PACKED.rendered),
    directory,
    view: toView(values),
    after: () => {
      const vendored = join(directory, "vendor", "framework");
      const isWanted = (file: string) => !isLeftOut(file, values);
      files = readdirSync(directory).length;
      files += unpackArchive(readFileSync(join(source, PACKED.project)), directory, isWanted);
      files += unpackArchive(readFileSync(join(source, PACKED.framework)), vendored);
      chmodSync(join(vendored, "cli", "main.js"), 0o755);
    },
  });
  return files;
}

const REASONS: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  EACCES: ["it is not allowed to write there", "Choose another directory, or change its permissions."],
  EPERM: ["it is not allowed to write there", "Choose another directory, or change its permissions."],
  EROFS: ["the file system is read-only", "Choose another directory."],
  ENOSPC: ["the disk is full", "Free some space, then run the same command again."],
  EIO: ["the disk reports an error", "Check the disk, then run the same command again."],
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
  const [reason, hint] = REASONS[code] ?? [escapeControl(error.message), "Run the same command again."];
  return refuse(
    1,
    `${escapeControl(basename(target.directory))} could not be made: ${reason} (${code})`,
    hint,
  );
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
