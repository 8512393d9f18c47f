/** A project in a folder that has files already, as a new repository of a hosting site has: they stay, and none is replaced. */

import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Stays as it is, and the project goes without its own. */
const KEPT = "README.md";
/** Get the project's lines at their end, because in them the last line that matches counts. */
const MERGED: readonly string[] = [".gitignore", ".gitattributes"];

/** What else a project can have, whatever was chosen. A folder of this list is the project's as a whole: what is in it would be run. */
const OURS: readonly string[] = [
  ".dockerignore",
  ".env.example",
  ".github/workflows/ci.yml",
  ".ignore",
  ".prettierignore",
  ".vscode/extensions.json",
  ".vscode/settings.json",
  ".yarnrc.yml",
  "AGENTS.md",
  "Dockerfile",
  "app.ts",
  "apps",
  "compose.yaml",
  "database",
  "framework.toml",
  "package.json",
  "routes",
  "tests",
  "tsconfig.json",
  "vendor",
];

/** @returns what is in a project's way in this folder. */
export function findCollisions(directory: string): string[] {
  return OURS.filter((entry) => isTaken(join(directory, entry)));
}

/** What of a folder's own files a project met. */
export interface Met {
  readonly kept: readonly string[];
  /** By file, the text before lines were added. */
  readonly merged: Readonly<Record<string, string>>;
}

/** Changes a project that is not in its place yet, so that it can be moved into a folder that has files. */
export function adaptTo(directory: string, project: string): Met {
  const kept = [KEPT].filter((file) => isThere(join(directory, file)));
  for (const file of kept) rmSync(join(project, file), { force: true });
  const merged: Record<string, string> = {};
  for (const file of MERGED.filter((name) => existsSync(join(directory, name)))) {
    const before = readFileSync(join(directory, file), "utf8");
    merged[file] = before;
    writeFileSync(join(project, file), addLines(before, readFileSync(join(project, file), "utf8")));
  }
  return { kept, merged };
}

/** @returns the first text, and below it the lines of the second that it does not have. Line ends are those of the first. */
function addLines(text: string, other: string): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const known = new Set(text.split(/\r?\n/));
  const added = other.split("\n").filter((line) => line !== "" && !known.has(line));
  if (added.length === 0) return text;
  const gap = text === "" ? "" : text.endsWith("\n") ? end : end + end;
  return `${text}${gap}${added.join(end)}${end}`;
}

export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** A file where the project has a folder is in the way, too (ENOTDIR). */
function isTaken(path: string): boolean {
  try {
    return isThere(path);
  } catch {
    return true;
  }
}

export function isMerged(file: string): boolean {
  return MERGED.includes(file);
}
