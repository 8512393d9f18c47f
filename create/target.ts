/** Resolves the typed directory and checks it and the project's name, before we ask or write anything. */

import { accessSync, constants, lstatSync, type Stats, statSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { findCollisions } from "./existing.ts";
import { findFilling, type Target } from "./place.ts";
import { escapeControl, type Refusal, refuse } from "./refusal.ts";

/**
 * @param typed a path in `cwd`; its last part becomes the project's name. `.` takes a valid form of
 *   the current folder's name, because nobody wants to rename the folder they are in.
 */
export function findTarget(cwd: string, typed: string): Target | Refusal {
  if (typed.trim() === "") return refuse(2, "the directory is empty", "Give it a name, such as my-app.");
  const directory = resolve(cwd, typed);
  const shown = escapeControl(typed.length > 60 ? `${typed.slice(0, 57)}…` : typed);
  const name = directory === resolve(cwd) ? suggestName(basename(directory)) : basename(directory);
  const problem = findPathProblem(cwd, typed, directory) ?? findNameProblem(name);
  if (problem === undefined) return checkPlace({ directory, name, exists: false }, shown);
  const suggestion = `A name that works: ${suggestName(basename(directory))}`;
  return refuse(2, `"${shown}" can't be the name: ${problem}`, suggestion);
}

function findPathProblem(cwd: string, typed: string, directory: string): string | undefined {
  if (isAbsolute(typed)) return "it is an absolute path, so go there first";
  const way = relative(cwd, directory);
  // On Windows, no relative path leads to another drive.
  if (isAbsolute(way) || way.split(sep)[0] === "..") return "it leads out of this folder, so go there first";
  return CONTROL.test(typed) ? "it has control characters" : undefined;
}

function checkPlace(target: Target, shown: string): Target | Refusal {
  const { directory } = target;
  if (look(lstatSync, directory) === undefined) return checkParent(target);
  const stat = look(statSync, directory);
  if (stat === undefined)
    return refuse(1, `${shown} is a link that leads nowhere`, "Remove it, or choose another name.");
  if (!stat.isDirectory()) return refuse(1, `${shown} already exists, and is a file`, "Choose another name.");
  const collisions = findFilling(directory) ? [] : findCollisions(directory);
  if (collisions.length === 0) return checkWritable(directory) ?? { ...target, exists: true };
  const named = collisions.slice(0, 5).join(", ");
  const more = collisions.length > 5 ? ` and ${collisions.length - 5} more` : "";
  return refuse(
    1,
    `${shown === "." ? "This folder" : shown} has ${named}${more}, which a project has, too`,
    `Nothing is replaced. Choose another name, or move ${collisions.length > 1 ? "them" : "it"} away first.`,
  );
}

/** Missing folders above the project will be created. The first existing one must be a writable folder. */
function checkParent(target: Target, folder: string = dirname(target.directory)): Target | Refusal {
  const stat = look(statSync, folder);
  if (stat?.isDirectory()) return checkWritable(folder) ?? target;
  if (stat === undefined) return checkParent(target, dirname(folder));
  const problem = `${escapeControl(folder)} is a file, so it can't hold a project`;
  return refuse(1, problem, "Choose another directory.");
}

/** Below a file, Node reports an error (ENOTDIR) instead of a missing entry. */
function look(stat: typeof statSync | typeof lstatSync, path: string): Stats | undefined {
  try {
    return stat(path);
  } catch {
    return undefined;
  }
}

function checkWritable(folder: string): Refusal | undefined {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    const hint = "Choose another directory, or change its permissions.";
    return refuse(1, `${escapeControl(folder)} is not writable`, hint);
  }
}

/** A name has to work everywhere: in npm, on Windows, in git and in a URL. */
const LONGEST = 214;
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Node's own modules: npm refuses them as names of new packages, and an import would load Node's. And what a project imports or
 * installs: npm refuses to install a package into one of the same name.
 */
const RESERVED = new Set([
  ...builtinModules,
  "node_modules",
  "favicon.ico",
  ...["framework", "rolldown", "typescript", "undici", "uvu"],
]);

/** Windows opens a device, whatever follows the first dot. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** The first rule that a name breaks is the reason to print. */
const RULES: readonly (readonly [broken: (name: string) => boolean, reason: string])[] = [
  [(name) => name.length > LONGEST, `it is longer than ${LONGEST} characters`],
  [(name) => /[A-Z]/.test(name), "npm wants lowercase"],
  [(name) => !/^[a-z0-9][a-z0-9._-]*$/.test(name), "only a-z, 0-9 and then . _ - work everywhere"],
  [(name) => name.endsWith("."), "Windows drops a dot at the end"],
  [(name) => RESERVED.has(name) || WINDOWS_DEVICE.test(name), "Node, npm, Windows or the framework uses it"],
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
  if (plain === "") return "my-app";
  return findNameProblem(plain) === undefined ? plain : suggestName(`my-${plain}`);
}
