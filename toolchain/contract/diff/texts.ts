/** The texts that a file of a project depends on: where they are the same on two sides, so is all that is read from them. */

import type { Sources } from "#convention/project";

/** @returns something that is equal for equal texts, of the file and of all files of the project that it leads to. */
export type TextsBehind = (file: string) => string;

/** Whatever could be one: an import of types, or in a type, too. */
const SPECIFIER = /["'](\.{1,2}\/[^"'\n]+|#[^"'\n]+)["']/g;

/** @param numbers of all texts that were met, on both sides. */
export function createTextsBehind(
  { files, types: { modules } }: Sources,
  numbers: Map<string | undefined, number>,
): TextsBehind {
  const known = new Map<string, string>();
  return (start) => {
    const before = known.get(start);
    if (before !== undefined) return before;
    const reached = new Set([start]);
    // The set grows while it is walked.
    for (const file of reached)
      for (const [, specifier = ""] of (files.read(file) ?? "").matchAll(SPECIFIER)) {
        const next = modules.resolve(file, specifier, true);
        if (next !== undefined) reached.add(next);
      }
    const texts = Array.from(reached, (file) => numberOf(files.read(file))).join();
    known.set(start, texts);
    return texts;
  };

  function numberOf(text: string | undefined): number {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  }
}
