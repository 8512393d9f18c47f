/** Where this copy of the framework is. No other file counts the folders up from its own, because the build bundles them. */

import { fileURLToPath } from "node:url";

/** Run from source, it starts the processes of the built one. The build puts the folder above `tools/` here. */
const FOLDER = new URL("../dist/framework/", import.meta.url);

/** @param file relative to the framework's folder, with forward slashes. */
export function frameworkUrl(file = ""): URL {
  return new URL(file, FOLDER);
}

/** @returns the path of a file of the framework; without one, that of its folder, with a slash at its end. */
export function frameworkPath(file?: string): string {
  return fileURLToPath(frameworkUrl(file));
}
