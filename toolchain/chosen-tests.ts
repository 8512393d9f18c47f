/** Which files of tests run: those that the words after `npm test --` choose. */

import { basename } from "node:path";
import { closest } from "#convention/diagnostics/closest";
import { Problem } from "#runtime/problem";

/**
 * @param root with slashes, as all paths here.
 * @param files relative to the root.
 * @param words plain text, each a part of a path. A path from the root and one with `./` or backslashes will do, too.
 * @returns the files with any of the words in their path, whatever the case; all files where there are no words.
 * @throws {Problem} for the first word that chooses no file.
 */
export function chooseTests(root: string, files: readonly string[], words: readonly string[]): string[] {
  if (words.length === 0) return [...files];
  const chosen = words.flatMap((word) => {
    const part = toPart(root, word);
    const matches = files.filter((file) => file.toLowerCase().includes(part));
    if (matches.length === 0)
      throw new Problem(`No test file has \`${word}\` in its path.`, suggest(word, files));
    return matches;
  });
  return files.filter((file) => chosen.includes(file));
}

function toPart(root: string, word: string): string {
  const path = word.replaceAll("\\", "/");
  const part = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path.replace(/^\.\//, "");
  return part.toLowerCase();
}

function suggest(word: string, files: readonly string[]): string {
  const names = files.flatMap((file) => [file, basename(file), basename(file).replace(/\..*/, "")]);
  const nearest = closest(word, names);
  return nearest === undefined ? "It is a part of a path, such as `users`." : `Did you mean \`${nearest}\`?`;
}
