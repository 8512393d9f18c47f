/** Runs a file of the project in this process. */

import { pathToFileURL } from "node:url";
import { loadEnvironment } from "../environment.ts";
import { findBrokenFile } from "./broken-file.ts";
import { placeLoadFailure } from "./load-failure.ts";
import { registerModules } from "./modules.ts";
import { toPath } from "./project-files.ts";

/**
 * Resolves when the file has run to its end; what it has started may go on.
 *
 * @param path absolute.
 * @throws {ProjectError} on a mistake in the text of it or of what it imports; {Problem} for a mistake in `.env` or a package that is
 *   not installed; whatever else it throws, as it is.
 */
export async function runProjectFile(root: string, path: string): Promise<void> {
  loadEnvironment(root, "development");
  await registerModules();
  try {
    await import(pathToFileURL(path).href);
  } catch (error) {
    if (await findBrokenFile(error)) throw error;
    throw await placeLoadFailure(root, toPath(root, path), error);
  }
}
