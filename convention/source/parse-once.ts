/**
 * Parses each text of a file once. `framework dev` reads the project again after every change, and most of its files have not
 * changed. Benchmark: `npm run bench -- dev`.
 */

/** It depends on nothing but the text and the name of the file, and nobody changes what it returns. */
type Parse<Parsed, More extends readonly unknown[]> = (text: string, file: string, ...more: More) => Parsed;

/** @returns the same function, which remembers its result for the last text of each file. */
export function parseOnce<Parsed, More extends readonly unknown[]>(
  parse: Parse<Parsed, More>,
): Parse<Parsed, More> {
  const known = new Map<string, { readonly text: string; readonly parsed: Parsed }>();
  return (text, file, ...more) => {
    const before = known.get(file);
    if (before?.text === text) return before.parsed;
    const parsed = parse(text, file, ...more);
    known.set(file, { text, parsed });
    return parsed;
  };
}
