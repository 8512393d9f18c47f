/** Which files of a project are watched while it is developed, whether a module imports them or not. */

/** Folders whose files are not the project's source. Nor are those in folders that begin with a dot, but for one that has routes. */
const IGNORED = new Set(["node_modules", "dist"]);

/** What a project is made of, in any folder. A log, data that the app writes, or an edited test must not reload it. */
const SOURCE = /^[^.].*(?<!\.(?:test|spec))\.[cm]?[jt]s$|^(?:framework|app)\.toml$|^package\.json$|^\.env$/;

/** @param name of a file or folder. */
export function isIgnored(name: string): boolean {
  return IGNORED.has(name) || (name.startsWith(".") && name !== ".well-known");
}

/** @param name of a file. */
export function isSource(name: string): boolean {
  return SOURCE.test(name);
}

/**
 * Whether a worker must report that a module imports this file, because the supervisor does not watch it otherwise. An installed
 * package does not change meanwhile.
 *
 * @param url of the file; of the project's folder, with a slash at its end.
 */
export function mustBeReported(url: string, root: string): boolean {
  if (!url.startsWith("file:") || url.includes("/node_modules/")) return false;
  if (!url.startsWith(root)) return true;
  const folders = url
    .slice(root.length)
    .replace(/[?#].*$/, "")
    .split("/");
  const name = folders.pop() ?? "";
  return folders.some(isIgnored) || !isSource(name);
}
