/**
 * Parses each text of a file once. `framework dev` reads the project again after every change, and most of its files have not
 * changed. Benchmark: `npm run bench -- dev`.
 */

/** It depends on nothing but the text and the name of the file, and nobody changes what it returns. */
type Parse<Parsed> = (text: string, file: string) => Parsed;

/** @returns the same function, which remembers its result for the last text of each file. */
export function parseOnce<Parsed>(parse: Parse<Parsed>): Parse<Parsed> {
  const known = new Map<string, { readonly text: string; readonly parsed: Parsed }>();
  return (text, file) => {
    const before = known.get(file);
    if (before?.text === text) return before.parsed;
    const parsed = parse(text, file);
    known.set(file, { text, parsed });
    return parsed;
  };
}
