/**
 * Creates the project, whole or not at all: builds it in a temporary folder on the same file system, then moves it into its place.
 * That holds even if the process is killed. A power cut is different: we do not force the files to the disk, because that takes
 * longer than all the rest. A project from the last half minute may then have empty files.
 */

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { codeOf, explainSystemError } from "../convention/diagnostics/system-error.ts";
import { type Files, listFiles, parseArchive, writeFiles } from "./archive.ts";
import { applyLineEdits, databaseEdits } from "./database-template.ts";
import { render } from "./engine/render.ts";
import { readFramework, VENDORED_FOLDER, withoutDatabase, writeFramework } from "./framework.ts";
import { buildInPlace, type Contents, finishFilling, type Target } from "./place.ts";
import { escapeControl, type Refusal, refuse } from "./refusal.ts";
import {
  type Database,
  isLeftOut,
  PACKED,
  type SampleApp,
  SECTIONS,
  toView,
  type Values,
} from "./template.ts";

/** In a project with a database, a table replaces the list that this app has in memory. */
const REPLACED: SampleApp = "products";

/** As in "error FW622 app.ts can't be written: the disk is full. Nothing was changed." */
const UNWRITTEN = /^error FW622 (.+?)\. /m;

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

async function build(
  directory: string,
  { source, values, isInterrupted }: ScaffoldInput,
): Promise<Contents | Refusal | undefined> {
  const { database } = values;
  const apps = values.apps.filter((app) => database === undefined || app !== REPLACED);
  const template = parseArchive(readFileSync(join(source, PACKED.project)));
  const wanted = [...template].filter(([file]) => !isLeftOut(file, { ...values, apps }));
  await render({
    templates: join(source, PACKED.rendered),
    directory,
    view: toView({ ...values, apps }),
    after: () => {
      writeFiles(new Map(wanted), directory);
      if (database !== undefined) addDatabaseLines(directory, database, values, template);
      const framework = readFramework(source);
      const files = database === undefined ? withoutDatabase(framework) : framework;
      writeFramework(files, join(directory, VENDORED_FOLDER));
    },
  });
  const refusal = database === undefined ? undefined : addDatabase(directory, database, values);
  // First, because Ctrl-C in a terminal ends the framework at work there, too.
  if (await isInterrupted()) return undefined;
  return refusal ?? { files: listFiles(directory).length, values };
}

/** Edits the files of the template that a database changes. The sections that it adds are in the template, too. */
function addDatabaseLines(directory: string, database: Database, { pm }: Values, template: Files): void {
  const read = (name: string): string => String(template.get(SECTIONS + name));
  for (const [file, edits] of Object.entries(databaseEdits({ database, pm, read }))) {
    const path = join(directory, file);
    writeFileSync(path, applyLineEdits(readFileSync(path, "utf8"), edits));
  }
}

/**
 * Has the framework of the new project add its database, so that `framework generate database` does the same in any project.
 *
 * @returns why the framework could not do it: the disk is full, or a signal has ended it
 * @throws if it has found something else, with what it printed
 */
function addDatabase(directory: string, database: Database, values: Values): Refusal | undefined {
  const sample = values.apps.includes(REPLACED) ? ["--sample"] : [];
  const words = [join(directory, VENDORED_FOLDER), "generate", "database", database, ...sample];
  const options = { cwd: directory, encoding: "utf8" } as const;
  const { status, signal, stdout, stderr, error } = spawnSync(process.execPath, words, options);
  if (status === 0) return undefined;
  if (error !== undefined) throw error;
  const reason = signal === null ? UNWRITTEN.exec(stderr)?.[1] : `${signal} ended its framework`;
  if (reason === undefined) throw new Error(`the database could not be added: ${stderr || stdout}`);
  return refuse(
    1,
    `${escapeControl(values.project)} could not be created: ${reason}`,
    "Fix that, and run the command again.",
  );
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
