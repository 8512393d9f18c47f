/** A newer framework that waits for the user to merge edits into it. Each edited file lies beside the newer one as `….edited`. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { MANIFEST_FILE, VENDORED_FOLDER } from "#convention/layout";
import { compareVendored, isNoManifest, readBytes } from "../vendored.ts";
import { BASE_FILE } from "./bases.ts";
import { readVendored, WAITING_FOLDER } from "./folders.ts";
import { findMarks } from "./merge.ts";
import { type FilePlan, isText, type Plan, setAside } from "./plan.ts";

/** Whether nobody has worked on it: all of it is the newer version's, or a copy of the project's. */
export function isUntouched(root: string): boolean {
  const compared = compareVendored(join(root, WAITING_FOLDER));
  if (isNoManifest(compared) || compared.edited.length + compared.missing.length > 0) return false;
  return compared.extra.every((file) => {
    const bytes = readBytes(join(root, WAITING_FOLDER, file));
    const sources = [file, file.replace(/\.edited(?:-\d+)?$/, "")];
    return sources.some((source) => readBytes(join(root, VENDORED_FOLDER, source))?.equals(bytes ?? EMPTY));
  });
}

const EMPTY = Buffer.of();

export interface Finish extends Plan {
  /** The user's own files that are not in it yet. */
  readonly own: readonly string[];
  /** The copies of edited files that were merged. */
  readonly copies: readonly string[];
}

/** An edit that is not in the merged file stays beside it, also one that was made since. */
export function planFinish(root: string): Finish | Diagnostic {
  const [folder, now] = [join(root, WAITING_FOLDER), readVendored(root)];
  if ("severity" in now) return now;
  const next = compareVendored(folder);
  const why = isNoManifest(next) ? next.why : "a file of it is missing";
  if (isNoManifest(next) || next.missing.length > 0)
    return diagnose("FW808", {
      file: `${WAITING_FOLDER}/${isNoManifest(next) ? MANIFEST_FILE : next.missing[0]}`,
      why,
    });
  const files = next.edited.map((file): FilePlan => {
    const conflicts = findLeft(root, file);
    return { file, fate: conflicts.length === 0 ? "merged" : "conflict", conflicts };
  });
  const [own, copies]: [string[], string[]] = [[], []];
  for (const file of [...now.edited, ...now.extra]) {
    const yours = readBytes(join(root, VENDORED_FOLDER, file));
    if (now.extra.includes(file) && !existsSync(join(folder, file))) own.push(file);
    else if (yours !== undefined && file !== BASE_FILE && !readBytes(join(folder, file))?.equals(yours)) {
      const aside = setAside(folder, file, yours);
      if (next.edited.includes(file) && existsSync(join(folder, aside.file))) copies.push(aside.file);
      else files.push(aside);
    }
  }
  return { from: now.manifest.version, to: next.manifest.version, isChange: true, files, own, copies };
}

/** Marks can't be found in what is not text. */
function findLeft(root: string, file: string): readonly number[] {
  const [bytes, yours] = [WAITING_FOLDER, VENDORED_FOLDER].map((folder) =>
    readBytes(join(root, folder, file)),
  );
  if (bytes === undefined || !isText(bytes)) return [1];
  return findMarks(bytes.toString(), yours?.toString());
}
