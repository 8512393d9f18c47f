/** Merges an edited file with a newer one, line by line, against the original of both. git does it. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf, explainSystemError } from "#convention/diagnostics/system-error";

export type Versions = Readonly<Record<"yours" | "base" | "theirs", Buffer>>;

/**
 * Changes in different places are both made, the same change on both sides once. Where both sides changed the same lines, the result
 * has all three texts between git's marks.
 *
 * @param version the newer text's name in the marks.
 * @returns the text with the line ends of the edited file; or why there is none, as a sentence: without git, and for what git takes for
 *   a binary file.
 */
export function mergeTexts(texts: Versions, version: string): Buffer | { readonly why: string } {
  // Latin 1 keeps each byte.
  const yours = texts.yours.toString("latin1");
  const isWindows = yours.includes("\r\n") && !/(?<!\r)\n/.test(yours);
  const replaceEnds = (bytes: Buffer, from: string, to: string): Buffer =>
    isWindows ? Buffer.from(bytes.toString("latin1").replaceAll(from, to), "latin1") : bytes;
  const folder = mkdtempSync(join(tmpdir(), "framework-merge-"));
  try {
    for (const [name, text] of Object.entries(texts))
      writeFileSync(join(folder, name), replaceEnds(text, "\r\n", "\n"));
    const words = ["merge-file", "-p", "--diff3", "-L", "yours", "-L", "base", "-L", version];
    const names = ["yours", "base", "theirs"];
    const git = spawnSync("git", [...words, ...names], { cwd: folder, maxBuffer: 2 ** 30 });
    if (git.error !== undefined) return { why: tellNoGit(git.error) };
    // The status is the number of conflicts, and 255 for an error.
    if (git.status === null || git.status > 127) return { why: "git could not merge it." };
    return replaceEnds(git.stdout, "\n", "\r\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function tellNoGit(error: Error): string {
  return codeOf(error) === "ENOENT"
    ? "there is no git on this machine. Install git, and run the upgrade again."
    : `git could not run: ${explainSystemError(error)}. Put that right, and run the upgrade again.`;
}

const MARK = /^(?:<{7}(?: |$)|\|{7}(?: |$)|={7}$|>{7}(?: |$))/;

/**
 * The lines, from 1, at which a conflict begins; without such a line, the first mark that is left.
 *
 * @param yours the user's own text: a line of it is not a mark.
 */
export function findMarks(text: string, yours = ""): readonly number[] {
  const own = new Set(yours.split(/\r?\n/));
  const marks = text
    .split(/\r?\n/)
    .flatMap((line, index) => (MARK.test(line) && !own.has(line) ? [{ line, number: index + 1 }] : []));
  const begins = marks.filter(({ line }) => line.startsWith("<"));
  return (begins.length > 0 ? begins : marks.slice(0, 1)).map(({ number }) => number);
}
