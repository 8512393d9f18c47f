/** The original of an edited file, which an edit is merged against: the file as it came with the version that the project has. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { isRecord } from "#convention/source/record";
import { hashOf } from "../vendored.ts";
import { openPackage, UpgradeRefusal, type Wanted } from "./package.ts";

export interface Originals {
  /**
   * @param hash the one that the manifest records: nothing else is believed.
   * @throws {UpgradeRefusal} if the user has named a package that can't be read.
   */
  find(file: string, hash: string): Buffer | undefined;
  /** Why an original was not found, as a sentence. */
  why(): string;
}

type Archive = ReadonlyMap<string, Buffer>;

/**
 * Reads the package of the project's version when the first original is asked for.
 *
 * @param temporary an empty folder to unpack the package into.
 */
export function createOriginals(wanted: Wanted, temporary: string): Originals {
  let why = `${wanted.path ?? "the package in the registry"} has other files than the project's manifest names.`;
  let archives: readonly Archive[] | undefined;
  const read = (): readonly Archive[] => {
    try {
      return readArchives(wanted, temporary);
    } catch (error) {
      if (!(error instanceof UpgradeRefusal) || wanted.path !== undefined) throw error;
      why = error.message;
      return [];
    }
  };
  return {
    find(file, hash) {
      archives ??= read();
      return archives.map((archive) => archive.get(file)).find((bytes) => bytes && hashOf(bytes) === hash);
    },
    why: () => why,
  };
}

function readArchives(wanted: Wanted, temporary: string): readonly Archive[] {
  const folder = join(dirname(openPackage(wanted, temporary).program), "template");
  const names = (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.endsWith(".br"));
  return names.map((name) => readArchive(join(folder, name)));
}

/**
 * The archives of packages of every version: a line of JSON with the length of each file, then all files, compressed. One that is
 * damaged has no originals.
 */
function readArchive(path: string): Archive {
  const files = new Map<string, Buffer>();
  try {
    const bytes = brotliDecompressSync(readFileSync(path), { maxOutputLength: 64 * 1024 * 1024 });
    let end = bytes.indexOf("\n") + 1;
    const index: unknown = JSON.parse(bytes.toString("utf8", 0, end));
    for (const [name, length] of isRecord(index) ? Object.entries(index) : []) {
      files.set(name, bytes.subarray(end, end + Number(length)));
      end += Number(length);
    }
  } catch {}
  return files;
}
