/** A file of a project: whose it is, its path from the root, and the place of an offset in it. */

import { isAbsolute, relative, sep } from "node:path";
import type { Location } from "#runtime/routing/route";

/** True for a file that the project's authors have written. */
export function isOwnFile(root: string, file: string): boolean {
  const path = toPath(root, file);
  // On another drive, Windows has no relative path.
  const isInside = isAbsolute(file) && !isAbsolute(path) && !path.startsWith("../");
  return isInside && !/^(?:vendor|node_modules)\//.test(path) && packageOf(path) === undefined;
}

/** @returns the name of the package that the file belongs to; undefined for the project's own. */
export function packageOf(file: string): string | undefined {
  const [, inside] = /^.*[\\/]node_modules[\\/](.*)$/s.exec(file) ?? [];
  return inside === undefined ? undefined : packageName(inside.split(sep).join("/"));
}

/** @example packageName("@scope/name/file") // "@scope/name" */
export function packageName(source: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(source)?.[0] ?? source;
}

/** @returns the path of the file from the root, with forward slashes. */
export function toPath(root: string, file: string): string {
  return relative(root, file).split(sep).join("/");
}

/** @param offset in UTF-16 units. */
export function locateOffset(file: string, text: string, offset: number): Location {
  const lines = text.slice(0, offset).split("\n");
  return { file, line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}
