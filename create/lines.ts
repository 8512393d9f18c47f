/** Breaks text between words, into lines that fit a terminal. A terminal alone breaks within words. */

/** @returns at least one line; a word that is longer than the width has a line of its own */
export function breakLines(text: string, width: number): string[] {
  const [first = "", ...words] = text.split(" ");
  const lines: string[] = [];
  let line = first;
  for (const word of words) {
    if (line.length + 1 + word.length <= width) {
      line += ` ${word}`;
    } else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}
