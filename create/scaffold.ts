/**
 * Creates the project, whole or not at all: builds it in a temporary folder on the same file system, then moves it into its place.
 * That holds even if the process is killed. A power cut is different: we do not force the files to the disk, because that takes
 * longer than all the rest. A project from the last half minute may then have empty files.
 */

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { codeOf, explainSystemError } from "../convention/diagnostics/system-error.ts";
import { listFiles, parseArchive, writeFiles } from "./archive.ts";
import { addDatabase, addDatabaseLines, withoutReplaced } from "./database.ts";
import { render } from "./engine/render.ts";
import { readFramework, VENDORED_FOLDER, writeFramework } from "./framework.ts";
import { buildInPlace, type Contents, finishFilling, type Target } from "./place.ts";
import { escapeControl, type Refusal, refuse } from "./refusal.ts";
import { isLeftOut, PACKED, toView, type Values } from "./template.ts";

export interface ScaffoldInput {
  /** The folder with the packed template and framework. */
  readonly source: string;
  readonly target: Target;
  readonly values: Values;
  /** Called once, before the project is moved into its place. */
  readonly isInterrupted: () => Promise<boolean>;
}

/** @returns what was created; undefined if interrupted, and then nothing is left behind */
export async function scaffold(input: ScaffoldInput): Promise<Contents | Refusal | undefined> {
  const { target, values } = input;
  try {
    const finished = finishFilling(target.directory, values);
    return finished ?? (await buildInPlace(target, (directory) => build(directory, input)));
  } catch (error) {
    return explain(error, target);
  }
}

async function build(directory: string, input: ScaffoldInput): Promise<Contents | Refusal | undefined> {
  const { values } = input;
  await write(directory, input);
  const refusal = addChosenDatabase(directory, values);
  // First, because Ctrl-C in a terminal ends the framework at work there, too.
  if (await input.isInterrupted()) return undefined;
  return refusal ?? { files: listFiles(directory).length, values };
}

async function write(directory: string, { source, values: wished }: ScaffoldInput): Promise<void> {
  const values = withoutReplaced(wished);
  const template = parseArchive(readFileSync(join(source, PACKED.project)));
  const wanted = new Map([...template].filter(([file]) => !isLeftOut(file, values)));
  await render({
    templates: join(source, PACKED.rendered),
    directory,
    view: toView(values),
    after: () => {
      writeFiles(wanted, directory);
      if (values.database !== undefined)
        addDatabaseLines(directory, { ...values, database: values.database }, template);
      writeFramework(readFramework(source), join(directory, VENDORED_FOLDER));
    },
  });
}

function addChosenDatabase(directory: string, values: Values): Refusal | undefined {
  const { database } = values;
  return database === undefined ? undefined : addDatabase(directory, { ...values, database });
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

/** Puts an error of the system into words. Any other error is a bug of ours, and is thrown again. */
function explain(error: unknown, target: Target): Refusal {
  const code = codeOf(error);
  if (!(error instanceof Error) || code === undefined) throw error;
  const isTaken = code === "EEXIST" || code === "ENOTEMPTY";
  const reason = isTaken ? "something else has appeared there" : escapeControl(explainSystemError(error));
  return refuse(
    1,
    `${escapeControl(basename(target.directory))} could not be created: ${reason} (${code})`,
    HINTS[code] ?? "Run the same command again.",
  );
}
