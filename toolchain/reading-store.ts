/**
 * Keeps what a command has read of a large project for the next one: in the user's cache folder, one file a project. It is used only
 * for the very texts that it was read from, by the very code that reads them. So it can't be out of date.
 */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { keptHere } from "#convention/project";
import { restore, type Stored, toStored } from "#convention/stored";
import { frameworkPath } from "./framework-folder.ts";
import { createSha256 } from "./sha256.ts";

/** So much new text, in characters, is worth a file. Most projects are smaller. */
const WORTH_KEEPING = 32 * 1024;
/** A file that was not written for so long goes. */
const OLDEST_MS = 90 * 24 * 60 * 60 * 1000;
const HASH_BYTES = 32;
/** In characters; file systems allow 255 bytes. */
const LONGEST_FILE_NAME = 200;

/**
 * @param root of the project.
 * @param work reads it.
 * @returns what the work returns. Nothing that goes wrong with the store changes that.
 */
export async function withReadingStore<Result>(root: string, work: () => Promise<Result>): Promise<Result> {
  const stored = attempt(() => readStore(storePath(root)));
  if (stored) restore(stored, keptHere);
  const result = await work();
  const length = [...keptHere.modules]
    .filter(([file, { text }]) => stored?.modules.get(file)?.text !== text)
    .reduce((sum, [, { text }]) => sum + text.length, 0);
  const isThere = (file: string): boolean => existsSync(join(root, file));
  if (length >= WORTH_KEEPING)
    attempt(() => writeStore(storePath(root), toStored(keptHere, isThere, stored)));
  return result;
}

/** @throws when there is no such file, it is not whole, or it is of other code. */
function readStore(path: string): Stored {
  const content = readFileSync(path);
  const [hash, data] = [content.subarray(0, HASH_BYTES), content.subarray(HASH_BYTES)];
  // The system may have lost a part of it: nothing makes sure that it reaches the disk.
  if (!hash.equals(hashOf(data))) throw new Error(`${path} can't be used.`);
  return deserialize(data) as Stored;
}

/** Whole or not at all. */
function writeStore(path: string, stored: Stored): void {
  const data = serialize(stored);
  mkdirSync(storeFolder(), { recursive: true, mode: 0o700 });
  const beside = `${path}-${process.pid}-${process.hrtime.bigint()}`;
  try {
    writeFileSync(beside, Buffer.concat([hashOf(data), data]), { flag: "wx", mode: 0o600 });
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  removeOld();
}

/** Of the framework's code, too. */
function hashOf(data: Uint8Array): Buffer {
  const hash = createSha256();
  for (const file of CODE.flatMap(listCode)) hash.update(readFileSync(frameworkPath(file)));
  return hash.update(data).digest();
}

/** What reads a project, and what that imports. */
const CODE: readonly string[] = [".", "convention", "core", "deps"];

function listCode(folder: string): string[] {
  const names = readdirSync(frameworkPath(folder)).sort();
  return names.flatMap((name) => (name.endsWith(".js") ? [`${folder}/${name}`] : []));
}

function removeOld(): void {
  for (const name of readdirSync(storeFolder())) {
    const path = join(storeFolder(), name);
    if (Date.now() - statSync(path).mtimeMs > OLDEST_MS) rmSync(path);
  }
}

/** Node's versions write differently. Projects whose paths have the same name here only take the file from each other. */
function storePath(root: string): string {
  return join(storeFolder(), `${process.version}${root.replace(/[^\w.-]+/g, "_").slice(-LONGEST_FILE_NAME)}`);
}

function storeFolder(): string {
  return join(cacheFolder(process.env), "convention-app");
}

/** Where the system wants such files. */
function cacheFolder({ XDG_CACHE_HOME = "", LOCALAPPDATA = "" }: NodeJS.ProcessEnv): string {
  if (isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (process.platform === "win32" && LOCALAPPDATA !== "") return LOCALAPPDATA;
  return join(homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache");
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
