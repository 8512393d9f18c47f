/** The files of a project that a build copies beside `dist/server.js`: what `[build] copy` names, and the folders of `[files]`. */

import { readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BuildSettings } from "#convention/config/config";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { isOutOrHidden } from "#runtime/files/folders";

/** What a build makes itself in `dist`. */
const MADE = /^(?:package\.json|server\.inputs\.json|(?:server|migrate)\.js(?:\.map)?)$/;
/** What `*` never means. */
const NEVER = /^(?:\.|dist$|node_modules$)/;

/**
 * @param served the folders of `[files]`.
 * @returns paths from the root, each once.
 */
export function findCopied(
  root: string,
  named: BuildSettings["copy"],
  diagnostics: Diagnostic[],
  served: BuildSettings["copy"] = [],
): string[] {
  const found = [...named, ...served].flatMap(({ value: path, location }) => {
    const files = findMatching(root, "", path.split("/"));
    const made = files.find((file) => MADE.test(file));
    if (files.length === 0 || made !== undefined)
      diagnostics.push(diagnose("FW710", { path, made }, location));
    return files;
  });
  const files = [...new Set(found)];
  const out = new Set(served.flatMap(({ value }) => linksOut(root, value, files)));
  return files.filter((file) => !out.has(file)).sort();
}

/** The links that the server does not follow: it could not tell a copy from a file. */
function linksOut(root: string, folder: string, all: readonly string[]): string[] {
  const files = all.filter((file) => file.startsWith(`${folder}/`));
  const real = files.length === 0 ? "" : realpathSync(join(root, folder));
  return files.filter((file) => {
    const target = realpathSync(join(root, file));
    return target !== join(real, file.slice(folder.length)) && isOutOrHidden(real, target);
  });
}

function findMatching(root: string, folder: string, [first, ...rest]: readonly string[]): string[] {
  if (first === undefined) return filesAt(root, folder);
  return namesIn(root, folder, first).flatMap((name) =>
    findMatching(root, folder === "" ? name : `${folder}/${name}`, rest),
  );
}

/** @example namesIn("/srv/shop", "templates", "*.html") // ["mail.html"] */
function namesIn(root: string, folder: string, pattern: string): readonly string[] {
  if (!pattern.includes("*")) return [pattern];
  const expression = pattern.replace(/[^*\w]/g, "\\$&").replaceAll("*", ".*");
  const isMeant = new RegExp(`^${expression}$`, "s");
  const path = join(root, folder);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => isMeant.test(entry.name) && !NEVER.test(entry.name))
    .filter((entry) => !entry.isSymbolicLink() || isFile(join(path, entry.name)))
    .map(({ name }) => name);
}

/** The file, or all that is in the folder. Links to files are followed, links to folders are not: they may lead back, or to what is no part. */
function filesAt(root: string, path: string): string[] {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.isFile() ? [path] : [];
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const inner = `${path}/${entry.name}`;
    if (entry.isDirectory()) return filesAt(root, inner);
    return isFile(join(root, inner)) ? [inner] : [];
  });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
