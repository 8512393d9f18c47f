/** Which files of a project are watched while it is developed, whether a module imports them or not. */

/** Folders whose files are no source of the project; those that begin with a dot are none either. */
const IGNORED = new Set(["node_modules", "dist"]);

/** What a project is made of, wherever it stands: a log or data that the app itself writes must not reload it, nor a test that is written. */
const SOURCE = /^[^.].*(?<!\.(?:test|spec))\.[cm]?[jt]s$|^(?:framework|app)\.toml$|^package\.json$|^\.env$/;

/** @param name of a file or folder. */
export function isIgnored(name: string): boolean {
  return IGNORED.has(name) || name.startsWith(".");
}

/** @param name of a file. */
export function isSource(name: string): boolean {
  return SOURCE.test(name);
}

/**
 * Whether a file that a module imports is one of those that have to be told, because nobody watches it otherwise. What an
 * installed package consists of does not change while it is being developed with.
 *
 * @param url of the file; of the project's folder, with a slash at its end.
 */
export function isToBeTold(url: string, root: string): boolean {
  if (!url.startsWith("file:") || url.includes("/node_modules/")) return false;
  if (!url.startsWith(root)) return true;
  const folders = url
    .slice(root.length)
    .replace(/[?#].*$/, "")
    .split("/");
  const name = folders.pop() ?? "";
  return folders.some(isIgnored) || !isSource(name);
}
