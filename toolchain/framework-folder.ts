/**
 * Where this copy of the framework is. No other file counts the folders up from its own: a build joins the files of a folder into one
 * module, which is not where they were.
 */

import { fileURLToPath } from "node:url";

const FOLDER = new URL("../", import.meta.url);

/** @param file relative to the framework's folder, with forward slashes. */
export function frameworkUrl(file = ""): URL {
  return new URL(file, FOLDER);
}

/** @returns the path of a file of the framework; without one, that of its folder, with a slash at its end. */
export function frameworkPath(file?: string): string {
  return fileURLToPath(frameworkUrl(file));
}
