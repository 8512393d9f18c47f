/** The originals of edited files: the files of the version that a project has, as they came. Edits are merged against them. */

import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { isRecord } from "#convention/source/record";
import { hashOf } from "../vendored.ts";
import { openPackage, type Wanted } from "./package.ts";

/** Files by their path in the framework's folder. */
type Archive = ReadonlyMap<string, Buffer>;

export interface Bases {
  /** Believed only if it has the hash that the manifest records. */
  find(file: string, hash: string): Buffer | undefined;
  /** Why originals may be missing, as a sentence. */
  readonly why: string;
}

/** Until 0.2, each project had its originals in this file of the framework. */
export const BASE_FILE = "base.br";

export const NO_BASES: Bases = { find: () => undefined, why: "" };

/**
 * Looks in the project first, and then in the package of its version.
 *
 * @param edits the edited files by their hashes in the manifest.
 * @param temporary a folder to be created, to unpack the package into.
 * @returns a diagnostic if there is no package at the path that the user has given.
 */
export async function findBases(
  vendored: string,
  edits: readonly (readonly [file: string, hash: string])[],
  wanted: Wanted,
  temporary: string,
): Promise<Bases | Diagnostic> {
  if (edits.length === 0) return NO_BASES;
  const own = createBases([readArchive(join(vendored, BASE_FILE))], "");
  if (edits.every(([file, hash]) => own.find(file, hash) !== undefined)) return own;
  mkdirSync(temporary, { recursive: true });
  const found = await openPackage(wanted, temporary);
  if ("severity" in found) return wanted.path === undefined ? { ...own, why: found.message } : found;
  const folder = join(dirname(found.program), "template");
  const archives = readdirSync(folder).filter((name) => name.endsWith(".br"));
  const why = `${wanted.path ?? "the registry's package"} has other files than the project's manifest names.`;
  return createBases(
    archives.map((name) => readArchive(join(folder, name))),
    why,
  );
}

function createBases(archives: readonly Archive[], why: string): Bases {
  const find = (file: string, hash: string): Buffer | undefined =>
    archives
      .map((archive) => archive.get(file))
      .find((bytes) => bytes !== undefined && hashOf(bytes) === hash);
  return { find, why };
}

const LARGEST = 64 * 1024 * 1024;

/** The form of the archives in packages of every version: a line of JSON with the length of each file, then all files, compressed. */
function readArchive(file: string): Archive {
  try {
    const bytes = brotliDecompressSync(readFileSync(file), { maxOutputLength: LARGEST });
    let end = bytes.indexOf("\n") + 1;
    const index: unknown = JSON.parse(bytes.toString("utf8", 0, end));
    const files = new Map<string, Buffer>();
    for (const [name, length] of isRecord(index) ? Object.entries(index) : []) {
      files.set(name, bytes.subarray(end, end + Number(length)));
      end += Number(length);
    }
    return files;
  } catch {
    // A missing or damaged archive has no originals.
    return new Map();
  }
}
