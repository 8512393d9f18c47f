/** The operator `ilike` of Postgres, for patterns that SQLite's `like` does not know: it ignores the case of A to Z only. */

type Ilike = (...values: readonly unknown[]) => unknown;

/** @returns a function of SQL: the pattern, in which \ makes a plain character of the next one, and a text. */
export function createIlike(): Ilike {
  let last: { readonly pattern: unknown; readonly regex: RegExp } | undefined;
  return (pattern, text) => {
    if (typeof pattern !== "string" || text === null) return null;
    if (last?.pattern !== pattern) last = { pattern, regex: toRegex(pattern) };
    return last?.regex.test(String(text)) ? 1 : 0;
  };
}

/** @example toRegex("%50\\%_") // /^[^]*50%[^]$/iu */
function toRegex(pattern: string): RegExp {
  const source = pattern.replace(/\\(.)|[%_]|[\\^$.*+?()[\]{}|/-]/gsu, (part, plain?: string) => {
    if (part === "%") return "[^]*";
    if (part === "_") return "[^]";
    return escapeRegex(plain ?? part);
  });
  return new RegExp(`^${source}$`, "iu");
}

function escapeRegex(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

/** Whether SQLite's own `like` finds the same. */
export function isPlain(pattern: unknown): boolean {
  return typeof pattern === "string" && pattern.length < 1000 && /^[\x20-\x7e\s]*$/.test(pattern);
}
