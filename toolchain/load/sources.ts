/** Which files of a project are watched while it is developed. */

import { frameworkUrl } from "../framework-folder.ts";

/** Folders whose files are not the project's source. Nor are those in folders that begin with a dot, but for one that has routes. */
const IGNORED = new Set(["node_modules", "dist"]);

/** What a project is made of, in any folder. A log, data that the app writes, or an edited test must not reload it. */
const SOURCE = /^[^.].*(?<!\.(?:test|spec))\.[cm]?[jt]s$|^(?:framework|app)\.toml$|^package\.json$|^\.env$/;

const FRAMEWORK = frameworkUrl().href;

/** @param name of a file or folder. */
export function isIgnored(name: string): boolean {
  return IGNORED.has(name) || (name.startsWith(".") && name !== ".well-known");
}

/** @param name of a file. */
export function isSource(name: string): boolean {
  return SOURCE.test(name);
}

/** Whether the program changes with what a module imports. An installed package does not change meanwhile. @param url of it. */
export function isOfProgram(url: string): boolean {
  return url.startsWith("file:") && !url.includes("/node_modules/") && !url.startsWith(FRAMEWORK);
}
