/**
 * Caches the parsed form of each file. `framework dev` reads the project again after every change, and most files are unchanged.
 * Benchmark: `npm run bench -- dev`.
 */

/** A pure function of the text and the path, whose result is never mutated. */
type Parse<Parsed> = (text: string, file: string) => Parsed;

/** @returns the function with a cache of one result per file, for the last text. */
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
