/** The operator `ilike` of Postgres, for patterns that SQLite's `like` does not know: it ignores the case of A to Z only. */

type Ilike = (...values: readonly unknown[]) => unknown;

/** @returns a function of SQL: the pattern, in which \ makes a plain character of the next one, and a text. */
export function createIlike(): Ilike {
  let last: { readonly pattern: string; readonly pieces: readonly Piece[] } | undefined;
  return (pattern, text) => {
    if (typeof pattern !== "string" || text === null) return null;
    if (last?.pattern !== pattern) last = { pattern, pieces: parsePattern(pattern) };
    return hasPieces(fold(String(text)), last.pieces) ? 1 : 0;
  };
}

/** What is between two `%`, cut at each `_`: these parts follow on each other with one character between them. */
type Piece = readonly [string, ...string[]];

/** Not as a regular expression: its length has a limit, and users choose what they search for. */
function parsePattern(pattern: string): Piece[] {
  const pieces: [string, ...string[]][] = [[""]];
  for (const [, escaped, wildcard, plain] of pattern.matchAll(/\\(.)|([%_])|([^\\%_]+|\\)/gs)) {
    const piece = pieces.at(-1) ?? [""];
    if (wildcard === "%") pieces.push([""]);
    else if (wildcard === "_") piece.push("");
    else piece[piece.length - 1] += fold(escaped ?? plain ?? "");
  }
  return pieces;
}

function fold(text: string): string {
  return text.toLowerCase();
}

/** The first piece has to begin where the text begins, and the last one to end where it ends. */
function hasPieces(text: string, pieces: readonly Piece[]): boolean {
  let from = 0;
  for (const [at, piece] of pieces.entries()) {
    const [isFirst, isLast] = [at === 0, at === pieces.length - 1];
    const end = findPiece(text, piece, from, isFirst, isLast);
    if (end === undefined) return false;
    from = end;
  }
  return true;
}

/** @returns where the first one ends that fits. */
function findPiece(
  text: string,
  piece: Piece,
  from: number,
  isFirst: boolean,
  isLast: boolean,
): number | undefined {
  const [head] = piece;
  // Only there can a piece without a `_` end with the text.
  const start = isLast && !isFirst && piece.length === 1 ? Math.max(from, text.length - head.length) : from;
  for (let at = text.indexOf(head, start); at !== -1; at = text.indexOf(head, at + 1)) {
    if (isFirst && at > 0) return undefined;
    const end = endOfPiece(text, piece, at);
    if (end !== undefined && (!isLast || end === text.length)) return end;
    if (at === text.length) return undefined;
  }
  return undefined;
}

/** @returns undefined where it does not fit at this place. */
function endOfPiece(text: string, [head, ...others]: Piece, at: number): number | undefined {
  let end = at + head.length;
  for (const part of others) {
    const code = text.codePointAt(end);
    if (code === undefined) return undefined;
    end += code > 0xffff ? 2 : 1;
    if (!text.startsWith(part, end)) return undefined;
    end += part.length;
  }
  return end;
}

/** Whether SQLite's own `like` finds the same. */
export function isPlain(pattern: unknown): boolean {
  return typeof pattern === "string" && pattern.length < 1000 && /^[\x20-\x7e\s]*$/.test(pattern);
}
