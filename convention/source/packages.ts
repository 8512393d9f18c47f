/** Resolves a package to its declaration file, in `node_modules` of the project or of a folder above it. Follows workspace links. */

import { posix, relative, sep } from "node:path";
import { PACKAGE_FILE } from "../layout.ts";
import { parsePackage, resolveEntry, TYPE_CHECK } from "./aliases.ts";
import type { Files } from "./files.ts";
import { isRecord } from "./record.ts";

const MODULES_FOLDER = "node_modules";

/** Splits `@acme/types/user` into the package name and the subpath. */
const SPECIFIER = /^((?:@[^/]+\/)?[^/.@#:][^/:]*)(\/.+)?$/;

/** True for a file of an installed package, false for one of a workspace package. */
export function isInstalled(file: string): boolean {
  return file.startsWith(`${MODULES_FOLDER}/`) || file.includes(`/${MODULES_FOLDER}/`);
}

/** @returns the real path, so that each file has one path; it may lack an extension. Undefined for an unknown package. */
export function findPackage(files: Files, from: string, specifier: string): string | undefined {
  const [, name, subpath = ""] = SPECIFIER.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const root = files.place("");
  for (const folder of foldersAbove(posix.dirname(from), root.split(sep).length)) {
    const place = files.place(posix.join(folder, MODULES_FOLDER, name));
    const home = relative(root, place).split(sep).join("/");
    const text = files.read(posix.join(home, PACKAGE_FILE));
    const entry = text === undefined ? undefined : entryOf(text, subpath);
    if (text !== undefined) return entry === undefined ? undefined : posix.join(home, entry);
  }
  return undefined;
}

/** @param most the number of folders between the project and the root of the disk. */
function* foldersAbove(start: string, most: number): Generator<string> {
  for (let folder = start; ; folder = posix.join(folder, "..")) {
    if (posix.basename(folder) !== MODULES_FOLDER) yield folder;
    if (folder.split("/").filter((part) => part === "..").length >= most) return;
  }
}

/** The entry of a package for a type checker. `types`, `typings` and `main` count only without `exports`. */
function entryOf(text: string, subpath: string): string | undefined {
  const { exports, types, typings, main } = parsePackage(text);
  if (exports === undefined) {
    if (subpath !== "") return `.${subpath}`;
    return [types, typings, main, "index"].find((entry) => typeof entry === "string");
  }
  const hasPaths = isRecord(exports) && Object.keys(exports).every((key) => key.startsWith("."));
  return resolveEntry(hasPaths ? exports : { ".": exports }, `.${subpath}`, TYPE_CHECK) ?? undefined;
}
