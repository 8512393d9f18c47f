/** A project in a folder that has files already, as a new repository of a hosting site has: they stay, and none is replaced. */

import { chmodSync, lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The user's own files that a project has, too: those that stayed as they were, and those that got the project's lines. */
export interface Met {
  readonly kept: readonly string[];
  readonly merged: readonly string[];
}

/** Stay as they are, and the project goes without its own. */
const KEPT: readonly string[] = ["README.md"];
/** Get the project's lines at their end, because in them the last line that matches counts. */
export const MERGED: readonly string[] = [".gitignore", ".gitattributes"];

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

/** @returns what is in a project's way in this folder. A file that gets lines must be one: a link may lead to what others share. */
export function findCollisions(directory: string): string[] {
  const merged = MERGED.filter((file) => isThere(join(directory, file)) && !isFile(join(directory, file)));
  return [...merged, ...OURS.filter((entry) => isTaken(directory, entry))];
}

/**
 * Changes a project that is not in its place yet, so that it can be moved into a folder that has files.
 *
 * @returns what it met there, and the bytes of the files that get lines
 */
export function adaptTo(directory: string, project: string): { met: Met; before: Map<string, Buffer> } {
  const kept = KEPT.filter((file) => isThere(join(directory, file)));
  for (const file of kept) rmSync(join(project, file), { force: true });
  const merged = MERGED.filter((name) => isFile(join(directory, name)));
  const before = new Map(merged.map((file) => [file, readFileSync(join(directory, file))]));
  for (const [file, bytes] of before) {
    // Latin-1 keeps every byte of a file in another encoding than UTF-8.
    const text = addLines(bytes.toString("latin1"), readFileSync(join(project, file), "latin1"));
    writeFileSync(join(project, file), text, "latin1");
    chmodSync(join(project, file), lstatSync(join(directory, file)).mode & 0o7777);
  }
  return { met: { kept, merged }, before };
}

/**
 * @returns the first text, and below it the lines of the second that it does not have. Line ends are those of the first. An exception
 * (`!.env.example`) is repeated, because it only counts below what it is an exception to.
 */
function addLines(text: string, other: string): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const known = new Set(text.split(/\r?\n/));
  const lines = other.split("\n").filter((line) => line !== "");
  if (lines.every((line) => known.has(line))) return text;
  const added = lines.filter((line) => line.startsWith("!") || !known.has(line));
  const gap = text === "" ? "" : text.endsWith("\n") ? end : end + end;
  return `${text}${gap}${added.join(end)}${end}`;
}

export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

export function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A file or a link where the project has a folder is in the way, too. */
function isTaken(directory: string, entry: string): boolean {
  const [first = "", ...rest] = entry.split("/");
  const path = join(directory, first);
  return isThere(path) && (rest.length === 0 || !isFolder(path) || isTaken(path, rest.join("/")));
}
