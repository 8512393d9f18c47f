/** Resolves the typed directory and checks it and the project's name, before we ask or write anything. */

import { lstatSync, type Stats, statSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { findCollisions } from "./existing.ts";
import { isBeingFilled, isWritable, type Target } from "./place.ts";
import { escapeControl, type Refusal, refuse } from "./refusal.ts";

/**
 * @param typed a path in `cwd`; its last part becomes the project's name. `.` takes a valid form of
 *   the current folder's name, because nobody wants to rename the folder they are in.
 */
export function findTarget(cwd: string, typed: string): Target | Refusal {
  if (typed.trim() === "") return refuse(2, "the directory is empty", "Give it a name, such as my-app.");
  const directory = resolve(cwd, typed);
  if (isAbsolute(typed) || leadsOut(cwd, directory)) return refuseOutside(typed, directory);
  const isHere = directory === resolve(cwd);
  const name = isHere ? suggestName(basename(directory)) : basename(directory);
  const problem = /[\u0000-\u001f\u007f]/.test(typed) ? "it has control characters" : findNameProblem(name);
  if (problem !== undefined) return refuseName(typed, name, problem);
  return checkPlace({ directory, name, exists: false }, escapeControl(typed));
}

/** On Windows, no relative path leads to another drive. */
function leadsOut(cwd: string, directory: string): boolean {
  const way = relative(cwd, directory);
  return isAbsolute(way) || way.split(sep)[0] === "..";
}

function refuseOutside(typed: string, directory: string): Refusal {
  const kind = isAbsolute(typed) ? "is an absolute path" : "leads out of this folder";
  return refuse(
    2,
    `"${escapeControl(shorten(typed))}" can't be the name: it ${kind}`,
    `A name that works: ${suggestName(basename(directory))}. To create it elsewhere, go there first.`,
  );
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function refuseName(typed: string, name: string, problem: string): Refusal {
  const folder = dirname(typed);
  const suggestion = folder === "." ? suggestName(name) : `${folder}/${suggestName(name)}`;
  return refuse(
    2,
    `"${escapeControl(shorten(name))}" can't be the name: ${problem}`,
    `A name that works: ${escapeControl(suggestion)}`,
  );
}

function checkPlace(target: Target, shown: string): Target | Refusal {
  if (look(lstatSync, target.directory) === undefined) return checkParent(target);
  const stat = look(statSync, target.directory);
  if (stat === undefined)
    return refuse(1, `${shown} is a link that leads nowhere`, "Remove it, or choose another name.");
  if (!stat.isDirectory()) return refuse(1, `${shown} already exists, and is a file`, "Choose another name.");
  const collisions = isBeingFilled(target.directory) ? [] : findCollisions(target.directory);
  if (collisions.length > 0) return refuseCollisions(shown, collisions);
  return isWritable(target.directory) ? { ...target, exists: true } : refuseUnwritable(target.directory);
}

function refuseCollisions(shown: string, collisions: readonly string[]): Refusal {
  const named = collisions.slice(0, 5).join(", ");
  const more = collisions.length > 5 ? ` and ${collisions.length - 5} more` : "";
  const place = shown === "." ? "This folder" : shown;
  const them = collisions.length > 1 ? "them" : "it";
  return refuse(
    1,
    `${place} has ${named}${more}, which a project has, too`,
    `Nothing is replaced. Choose another name, or move ${them} away first.`,
  );
}

/** Missing folders above the project will be created. The first existing one must be a writable folder. */
function checkParent(target: Target): Target | Refusal {
  let folder = dirname(target.directory);
  for (;;) {
    const stat = look(statSync, folder);
    if (stat?.isDirectory()) return isWritable(folder) ? target : refuseUnwritable(folder);
    if (stat !== undefined) {
      return refuse(
        1,
        `${escapeControl(folder)} is a file, so it can't hold a project`,
        "Choose another directory.",
      );
    }
    if (dirname(folder) === folder) return refuseUnwritable(folder);
    folder = dirname(folder);
  }
}

/** Below a file, Node reports an error (ENOTDIR) instead of a missing entry. */
function look(stat: typeof statSync | typeof lstatSync, path: string): Stats | undefined {
  try {
    return stat(path);
  } catch {
    return undefined;
  }
}

function refuseUnwritable(folder: string): Refusal {
  return refuse(
    1,
    `${escapeControl(folder)} is not writable`,
    "Choose another directory, or change its permissions.",
  );
}

/** A name has to work everywhere: in npm, on Windows, in git and in a URL. */
const LONGEST = 214;
const DEFAULT_NAME = "my-app";

/** Node's own modules: npm refuses them as names of new packages, and an import would load Node's. */
const RESERVED = new Set([...builtinModules, "node_modules", "favicon.ico"]);

/** What a project imports or installs: npm refuses to install a package into one of the same name. */
const PROJECT_PACKAGES = new Set(["framework", "rolldown", "typescript", "undici", "uvu"]);

/** Windows opens a device, whatever follows the first dot. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** The first rule that a name breaks is the reason to print. */
const RULES: readonly (readonly [broken: (name: string) => boolean, reason: string])[] = [
  [(name) => name === "", "it is empty"],
  [(name) => name.length > LONGEST, `it is longer than ${LONGEST} characters`],
  [(name) => /[\u0000-\u001f\u007f]/.test(name), "it has control characters"],
  [(name) => /[A-Z]/.test(name), "npm wants lowercase"],
  [(name) => /^[._-]/.test(name), "it begins with a dot, an underscore or a hyphen"],
  [(name) => /[^a-z0-9._-]/.test(name), "only a-z, 0-9 and . _ - work everywhere"],
  [(name) => name.endsWith("."), "Windows drops a dot at the end"],
  [(name) => WINDOWS_DEVICE.test(name), "Windows reserves it for a device"],
  [(name) => RESERVED.has(name), "Node or npm reserves it"],
  [(name) => PROJECT_PACKAGES.has(name), "the project uses a package of that name"],
];

/** @returns why the name can't be a project's, as a clause; undefined when it can. */
export function findNameProblem(name: string): string | undefined {
  return RULES.find(([broken]) => broken(name))?.[1];
}

/**
 * The nearest name that is valid.
 *
 * @example suggestName("My Shop!!") // "my-shop"
 */
export function suggestName(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, "-")
    .slice(0, 60)
    .replace(/^[._-]+|[._-]+$/g, "");
  if (plain === "") return DEFAULT_NAME;
  return findNameProblem(plain) === undefined ? plain : suggestName(`my-${plain}`);
}
