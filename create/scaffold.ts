/**
 * Makes the project, whole or not at all: built in a temporary folder on the same file system, then put into its place.
 * That holds whenever the process ends. It is not brought to disk by force, which would take longer than making it: after a power
 * cut within the half minute or so that a system holds writes back, a project that was just made may have empty files.
 */

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { codeOf, explainSystemError } from "../runtime/convention/diagnostics/system-error.ts";
import { type Files, parseArchive, writeFiles } from "./archive.ts";
import { render } from "./engine/render.ts";
import { finishFilling } from "./filling.ts";
import { readFramework, VENDORED_FOLDER, writeFramework } from "./framework.ts";
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
  /** Those of the framework, unless it was there already. */
  readonly framework?: Files;
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
    const written = await write(join(staging, ...below), input);
    if (await input.isInterrupted()) return undefined;
    place(staging, { files: written.files, values });
    return written;
  } finally {
    removeStaging(staging);
  }
}

async function write(directory: string, { source, values }: ScaffoldInput): Promise<Scaffolded> {
  const template = parseArchive(readFileSync(join(source, PACKED.project)));
  const wanted = new Map([...template].filter(([file]) => !isLeftOut(file, values)));
  const framework = readFramework(source);
  let files = wanted.size + framework.size;
  await render({
    templates: join(source, PACKED.rendered),
    directory,
    view: toView(values),
    after: () => {
      files += countFiles(directory);
      writeFiles(wanted, directory);
      writeFramework(framework, join(directory, VENDORED_FOLDER));
    },
  });
  return { files, framework };
}

function countFiles(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .length;
}

const HINTS: Readonly<Record<string, string>> = {
  EACCES: "Choose another directory, or change its permissions.",
  EPERM: "Choose another directory, or change its permissions.",
  EROFS: "Choose another directory.",
  ENOSPC: "Free some space, then run the same command again.",
  EDQUOT: "Free some space, then run the same command again.",
  EIO: "Check the disk, then run the same command again.",
  ENAMETOOLONG: "Choose a shorter name.",
  ENOTDIR: "Choose another directory.",
  EEXIST: "Choose another name, or empty it first.",
  ENOTEMPTY: "Choose another name, or empty it first.",
};

/** What the system refuses is told in words; anything else is a fault of ours, and is thrown on. */
function explain(error: unknown, target: Target): Refusal {
  const code = codeOf(error);
  if (!(error instanceof Error) || code === undefined) throw error;
  const isTaken = code === "EEXIST" || code === "ENOTEMPTY";
  const reason = isTaken
    ? "something else appeared there meanwhile"
    : escapeControl(explainSystemError(error));
  return refuse(
    1,
    `${escapeControl(basename(target.directory))} could not be made: ${reason} (${code})`,
    HINTS[code] ?? "Run the same command again.",
  );
}
