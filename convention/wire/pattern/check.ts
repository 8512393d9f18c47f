/**
 * Checks that a pattern is a valid regular expression, and that no text from a client can make it backtrack for long.
 *
 * The measure is the number of paths that one text can keep alive at once: a backtracking engine takes about so many steps for a
 * character. Up to {@link PATHS} are fine, so that a body of 1 MiB takes two seconds at most. A pattern exceeds that if it backtracks
 * exponentially, `^(a+)+$`, or polynomially, `^a*a*$`. Without `^` at the start the engine attempts a match at each character, so `\s+$`
 * is quadratic too. With a `MaxLength` only texts up to that length count, because the runtime checks the length before the pattern.
 */

import { END, SEARCH, toAutomaton } from "./automaton.ts";
import { followPaths, type State } from "./paths.ts";
import { parseRegExp, type Span, Unproven } from "./syntax.ts";

export type BadPattern =
  /** @property why the engine's message. */
  | { readonly kind: "syntax"; readonly why: string }
  | Backtracking
  /** The analysis does not support this pattern. @property what as in "a backreference". */
  | { readonly kind: "unproven"; readonly what: string; readonly part: string };

export interface Backtracking {
  readonly kind: "backtracking";
  /** The section of the source that backtracks. */
  readonly part: string;
  /** A text that makes the pattern backtrack when a mismatch follows, quoted and cut. */
  readonly example: string;
  /** True if attempts at each character, for lack of `^`, contribute. */
  readonly unanchored: boolean;
  /** The longest harmless texts. */
  readonly safeLength: number;
}

/** The number of paths of one text that is still fine. */
const PATHS = 400;

const LONGEST_SOURCE = 5000;

/** @param maxLength the maximum length of the texts in code points. */
export function checkPattern(source: string, maxLength?: number): BadPattern | undefined {
  const why = syntaxError(source);
  if (why !== undefined) return { kind: "syntax", why };
  try {
    return findBacktracking(source, maxLength ?? Number.POSITIVE_INFINITY);
  } catch (error) {
    if (!(error instanceof Unproven)) throw error;
    return { kind: "unproven", what: error.what, part: source.slice(error.at.start, error.at.end) };
  }
}

function syntaxError(source: string): string | undefined {
  try {
    new RegExp(source, "u");
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    return message.slice(message.lastIndexOf("/u: ") + 1).replace(/^u: /, "");
  }
}

function findBacktracking(source: string, longest: number): BadPattern | undefined {
  const whole = { start: 0, end: source.length };
  if (source.length > LONGEST_SOURCE) throw new Unproven("more than 5000 characters", { start: 0, end: 0 });
  const positions = toAutomaton(parseRegExp(source));
  const widest = followPaths(positions, PATHS, "widest");
  if (widest.kind === "bounded") return undefined;
  const shortest = followPaths(positions, PATHS, "shortest", { longest });
  if (shortest.kind === "bounded") return undefined;
  // A text that certainly fails is the better example.
  const failing = (["widest", "shortest"] as const).map((order) =>
    followPaths(positions, PATHS, order, { failing: true }),
  );
  const found = [...failing, widest, shortest].find((one) => one.kind === "exceeded");
  if (found === undefined) throw new Unproven("too many ways to match", whole);
  const { state } = found;
  const active = [...state.counts.keys()].filter((position) => position > SEARCH);
  const spans = active.map((position) => positions[position]?.span ?? whole);
  return {
    kind: "backtracking",
    part: partOf(source, active.length === 0 ? [whole] : spans),
    example: quote(spell(state)),
    unanchored: state.counts.has(SEARCH),
    safeLength: Math.max((shortest.kind === "aborted" ? shortest.length : shortest.state.length) - 1, 0),
  };
}

function partOf(source: string, spans: readonly Span[]): string {
  const start = Math.min(...spans.map((span) => span.start));
  return source.slice(start, Math.max(...spans.map((span) => span.end)));
}

function spell(state: State): string[] {
  const characters: string[] = [];
  for (let each: State | undefined = state; each !== undefined; each = each.before) {
    if (each.character !== END) characters.push(String.fromCodePoint(each.character));
  }
  return characters.reverse();
}

const LONGEST_EXAMPLE = 30;

/** @example quote([..."ababab"]) // '"ababab"' */
function quote(text: readonly string[]): string {
  const shown = text.length > LONGEST_EXAMPLE ? [...text.slice(0, LONGEST_EXAMPLE), "…"] : text;
  return JSON.stringify(shown.join(""));
}
