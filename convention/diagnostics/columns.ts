/** How many columns a text takes in a terminal, so that what is below or beside it lines up. */

const NARROW_ONLY = /^[\x20-\x7e]*$/;

/** Marks that sit on the letter before them, and characters that show nothing. */
const NO_COLUMN = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** East Asian wide and fullwidth characters and emoji (Unicode UAX 11), in the ranges that terminals agree on. */
const TWO_COLUMNS =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;

export function columnsOf(text: string): number {
  if (NARROW_ONLY.test(text)) return text.length;
  let columns = 0;
  for (const char of text) columns += NO_COLUMN.test(char) ? 0 : TWO_COLUMNS.test(char) ? 2 : 1;
  return columns;
}

/** The text with spaces after it up to a width in columns; longer text is left as it is. */
export function padColumns(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - columnsOf(text)));
}

/** Lines of at most so many columns; a word that is longer is left whole. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
