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
    const code = codeOf(error);
    // Any other error than the system's is a bug of ours.
    if (code === undefined) throw error;
    const isTaken = code === "EEXIST" || code === "ENOTEMPTY";
    const reason = isTaken ? "something else has appeared there" : escapeControl(explainSystemError(error));
    return refuseProject(basename(target.directory), `${reason} (${code})`);
  }
}

function refuseProject(name: string, reason: string): Refusal {
  const hint = "Fix that, or choose another directory, and run the command again.";
  return refuse(1, `${escapeControl(name)} could not be created: ${reason}`, hint);
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
  return refusal ?? { files: listFiles(directory).length, values, met: { kept: [], merged: [] } };
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
 */
function addDatabase(directory: string, database: Database, values: Values): Refusal | undefined {
  const sample = values.apps.includes(REPLACED) ? ["--sample"] : [];
  const words = [join(directory, VENDORED_FOLDER), "generate", "database", database, ...sample];
  const { status, signal, stderr, error } = spawnSync(process.execPath, words, {
    cwd: directory,
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  if (status === 0) return undefined;
  const [, said = stderr.trim()] = /^error (?:FW\d+ )?(.+?)\.(?: |$)/m.exec(stderr) ?? [];
  return refuseProject(
    values.project,
    signal === null ? escapeControl(said) : `${signal} ended its framework`,
  );
}
