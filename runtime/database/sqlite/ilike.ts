/** The operator `ilike` of Postgres, for patterns that SQLite's `like` does not know: it ignores the case of A to Z only. */

type Ilike = (...values: readonly unknown[]) => unknown;

/** @returns a function of SQL: the pattern, in which \ makes a plain character of the next one, and a text. */
export function createIlike(): Ilike {
  let last: { readonly pattern: string; readonly matches: (text: string) => boolean } | undefined;
  return (pattern, text) => {
    if (typeof pattern !== "string" || text === null) return null;
    if (last?.pattern !== pattern) last = { pattern, matches: createMatcher(pattern) };
    return last.matches(fold(String(text))) ? 1 : 0;
  };
}

/** Whether SQLite's own `like` finds the same. */
export function isPlain(pattern: unknown): boolean {
  return typeof pattern === "string" && pattern.length < 1000 && /^[\x20-\x7e\s]*$/.test(pattern);
}

const [MANY, ONE] = [Symbol("%"), Symbol("_")];

/** Not by a regular expression: its length has a limit, and users choose what they search for. */
function createMatcher(pattern: string): (text: string) => boolean {
  const parts: (string | symbol)[] = [];
  for (const [, escaped, wildcard, plain] of pattern.matchAll(/\\(.)|([%_])|(.)/gsu))
    if (wildcard) parts.push(wildcard === "%" ? MANY : ONE);
    else parts.push(...fold(escaped ?? plain ?? ""));
  const inner = parts.slice(1, -1);
  const isContained = parts.length > 1 && parts[0] === MANY && parts.at(-1) === MANY;
  if (isContained && inner.every((part) => typeof part === "string")) {
    const text = inner.join("");
    return (searched) => searched.includes(text);
  }
  return (text) => matches(Array.from(text), parts);
}

function fold(text: string): string {
  return text.toLowerCase();
}

/** Where a part does not fit, the last `%` takes one character more. */
function matches(text: readonly string[], parts: readonly (string | symbol)[]): boolean {
  let [at, part, afterMany, from] = [0, 0, 0, 0];
  while (at < text.length) {
    if (parts[part] === MANY) {
      afterMany = ++part;
      from = at;
    } else if (part < parts.length && (parts[part] === ONE || parts[part] === text[at])) {
      at++;
      part++;
    } else if (afterMany > 0) {
      part = afterMany;
      at = ++from;
    } else return false;
  }
  while (parts[part] === MANY) part++;
  return part === parts.length;
}
