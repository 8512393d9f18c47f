/** Finds the types of packages: in `node_modules` of the project or of a folder above it, where a workspace has links to its own folders. */

import { posix, relative, sep } from "node:path";
import { PACKAGE_FILE } from "../layout.ts";
import { resolveEntry, TYPE_CHECK } from "./aliases.ts";
import type { Files } from "./files.ts";
import { isRecord } from "./record.ts";

const MODULES_FOLDER = "node_modules";

/** `@acme/types/user`: the package, and what of it. */
const SPECIFIER = /^((?:@[^/]+\/)?[^/.@#:][^/:]*)(\/.+)?$/;

/** A package that an installer put there, and not a folder of the same workspace. */
export function isInstalled(file: string): boolean {
  return file.startsWith(`${MODULES_FOLDER}/`) || file.includes(`/${MODULES_FOLDER}/`);
}

/** @returns a path without the links on its way, because a file has one name; it may have no ending. Undefined for an unknown package. */
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

/** @param most steps that lead out of the project. */
function* foldersAbove(start: string, most: number): Generator<string> {
  for (let folder = start; ; folder = posix.join(folder, "..")) {
    if (posix.basename(folder) !== MODULES_FOLDER) yield folder;
    if (folder.split("/").filter((part) => part === "..").length >= most) return;
  }
}

/** The file that the package has for a type checker; the last three fields count only where there are no `exports`. */
function entryOf(text: string, subpath: string): string | undefined {
  const { exports, types, typings, main } = parsePackage(text);
  if (exports === undefined) {
    if (subpath !== "") return `.${subpath}`;
    return [types, typings, main, "index"].find((entry) => typeof entry === "string");
  }
  const hasPaths = isRecord(exports) && Object.keys(exports).every((key) => key.startsWith("."));
  return resolveEntry(hasPaths ? exports : { ".": exports }, `.${subpath}`, TYPE_CHECK) ?? undefined;
}

function parsePackage(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
