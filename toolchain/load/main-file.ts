/** The project's main file: it creates the app and listens. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { MAIN_FILE } from "#convention/layout";
import { Problem } from "#runtime/problem";
import { findBrokenFile } from "./broken-file.ts";
import { importFile } from "./import-file.ts";
import { placeLoadFailure } from "./load-failure.ts";

/**
 * Loads the main file, which serves the project.
 *
 * @throws {ProjectError} on a mistake in the text of it or of what it imports; whatever else it throws, as it is.
 */
export async function runMainFile(root: string): Promise<void> {
  const file = requireMainFile(root);
  try {
    await importFile(file);
  } catch (error) {
    throw await toMistake(root, MAIN_FILE, error);
  }
}

/**
 * @param file the one that was started, relative to the root.
 * @param error what it has thrown.
 * @returns a {@link ProjectError} for a mistake in the text of the file or of what it imports; a {@link Problem} for a file of the
 * framework that can't be loaded; any other error as it is.
 */
export async function toMistake(root: string, file: string, error: unknown): Promise<unknown> {
  const broken = await findBrokenFile(error);
  if (broken !== undefined && !broken.isOfDatabase)
    return new Problem(broken.message, broken.hint, { cause: error });
  return placeLoadFailure(root, file, error);
}

/** What a main file has done that serves nothing. */
export function nothingServed(): Problem {
  return new Problem(`${MAIN_FILE} has run, but nothing is served.`, "Call `await app.listen()` in it.");
}

/** What is wrong where the process has nothing left to do, and the main file or a module that it loads still waits. */
export function neverLoaded(): Problem {
  return new Problem(
    `${MAIN_FILE} never finishes loading, so nothing is served.`,
    "An `await` at the top level of it, or of a module that it loads, waits for something that never comes.",
  );
}

/** @returns its absolute path. @throws {Problem} when the project has none. */
export function requireMainFile(root: string): string {
  const file = join(root, MAIN_FILE);
  if (existsSync(file)) return file;
  throw new Problem(
    `${MAIN_FILE} is missing: the file that creates the app and listens.`,
    `Write it in ${root}:\n\n` +
      `  import { createApp } from "framework";\n\n  export const app = await createApp();\n\n  await app.listen();`,
  );
}
