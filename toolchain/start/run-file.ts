/** Runs a file of a project in this process. */

import nodeModule from "node:module";
import { pathToFileURL } from "node:url";
import { escapeControl } from "#runtime/escape";
import { Problem } from "#runtime/problem";
import { loadEnvironment } from "../environment.ts";
import { toMistake } from "../load/main-file.ts";
import { registerModules } from "../load/modules.ts";
import { toPath } from "../load/project-files.ts";
import { unlessIdle } from "./idle.ts";

export interface Script {
  readonly root: string;
  /** Absolute. */
  readonly file: string;
  /** What follows the file in `process.argv`. */
  readonly words: readonly string[];
  /** Gets what is thrown and never caught. A file that listens to such errors itself decides what happens then. */
  readonly onUncaught: (error: unknown) => void;
}

/**
 * Runs the file as if Node had been started with it: `import.meta.main` and `require.main === module` are true in it.
 *
 * @throws {ProjectError} on a mistake in the text of the file or of what it imports; {Problem} for an `.env` that can't be read, and for
 * an `await` that waits for ever; whatever else the file throws, as it is.
 */
export async function runScript({ root, file, words, onUncaught }: Script): Promise<void> {
  loadEnvironment(root, "development");
  process.argv = [process.execPath, file, ...words];
  await registerModules();
  const path = toPath(root, file);
  process.on("uncaughtException", async (error) => {
    if (process.listenerCount("uncaughtException") === 1) onUncaught(await toMistake(root, path, error));
  });
  try {
    nodeModule.runMain(file);
    // The same module, which is loaded once: this tells when that is done.
    const loaded = import(pathToFileURL(file).href);
    await unlessIdle(loaded, () => neverEnds(path));
  } catch (error) {
    throw await toMistake(root, path, error);
  }
}

function neverEnds(path: string): Problem {
  return new Problem(
    `${escapeControl(path)} never ends.`,
    "An `await` at the top level of it, or of a module that it loads, waits for something that never comes.",
  );
}
