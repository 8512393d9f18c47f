/** Parses a valid regular expression with the flag `u` to a syntax tree (ECMA-262, section 22.2.1). */

import { type Characters, CLASSES, complement, DOT, only, property, union } from "./characters.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** An unsupported part of a pattern. Thrown by the parser and the analysis, and caught in `checkPattern`. */
export class Unproven extends Error {
  /** As in "a backreference". */
  readonly what: string;
  /** The range in the pattern's source. */
  readonly at: Span;

  constructor(what: string, at: Span) {
    super(what);
    this.what = what;
    this.at = at;
  }
}

export type Tree = Span &
  (
    | { readonly kind: "set"; readonly characters: Characters }
    /** `^`, `$`, and `\b` or `\B`. */
    | { readonly kind: "start" | "end" | "boundary" }
    | { readonly kind: "lookahead" | "lookbehind"; readonly of: Tree }
    | { readonly kind: "sequence" | "choice"; readonly of: readonly Tree[] }
    | { readonly kind: "repeat"; readonly of: Tree; readonly min: number; readonly max: number }
  );

const DEEPEST_GROUP = 100;

const GROUP = /\((?:\?(?:[:=!]|<[=!]|<[^>]+>))?/y;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y;
const REFERENCE = /\\(?:[1-9]\d*|k<[^>]+>)/y;
const ESCAPE =
  /\\(?:[pP]\{[^}]+\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|c[A-Za-z]|[\s\S])/uy;

/** @throws {Unproven} for unsupported syntax: backreferences, groups with flags, deeply nested groups. */
export function parseRegExp(source: string): Tree {
  let at = 0;
  let depth = 0;

  function take(token: RegExp): RegExpExecArray | null {
    token.lastIndex = at;
    const found = token.exec(source);
    if (found !== null) at += found[0].length;
    return found;
  }

  function choice(): Tree {
    const start = at;
    const of = [sequence()];
    while (source[at] === "|") {
      at += 1;
      of.push(sequence());
    }
    return { kind: "choice", of, start, end: at };
  }

  function sequence(): Tree {
    const start = at;
    const of: Tree[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") of.push(repeated(term()));
    return { kind: "sequence", of, start, end: at };
  }

  function repeated(of: Tree): Tree {
    const found = take(QUANTIFIER);
    if (found === null) return of;
    const [text, least, comma, most] = found;
    const span = { start: of.start, end: at };
    if (least === undefined) {
      const max = text.startsWith("?") ? 1 : Number.POSITIVE_INFINITY;
      return { kind: "repeat", of, min: text.startsWith("+") ? 1 : 0, max, ...span };
    }
    const max = comma === undefined ? Number(least) : Number(most || Number.POSITIVE_INFINITY);
    return { kind: "repeat", of, min: Number(least), max, ...span };
  }

  function term(): Tree {
    const start = at;
    if (source[at] === "(") return group();
    if (source[at] === "[") return { kind: "set", characters: bracket(), start, end: at };
    const reference = take(REFERENCE);
    if (reference !== null) throw new Unproven("a backreference", { start, end: at });
    if (take(/\\[bB]/y) !== null) return { kind: "boundary", start, end: at };
    if (take(/\^/y) !== null) return { kind: "start", start, end: at };
    if (take(/\$/y) !== null) return { kind: "end", start, end: at };
    return { kind: "set", characters: take(/\./y) === null ? member() : DOT, start, end: at };
  }

  function group(): Tree {
    const start = at;
    const opening = take(GROUP)?.[0] ?? "";
    if (source[at] === "?")
      throw new Unproven("a group with flags", { start, end: source.indexOf(":", at) + 1 });
    if (depth === DEEPEST_GROUP) throw new Unproven("more than 100 groups in each other", { start, end: at });
    depth += 1;
    const of = choice();
    depth -= 1;
    at += 1; // the closing parenthesis
    const span = { start, end: at };
    if (opening === "(?=" || opening === "(?!") return { kind: "lookahead", of, ...span };
    if (opening === "(?<=" || opening === "(?<!") return { kind: "lookbehind", of, ...span };
    return { kind: "sequence", of: [of], ...span };
  }

  function bracket(): Characters {
    const negative = take(/\[\^?/y)?.[0] === "[^";
    const sets: Characters[] = [];
    while (source[at] !== "]") sets.push(range());
    at += 1;
    return negative ? complement(union(sets)) : union(sets);
  }

  function range(): Characters {
    const from = member();
    if (source[at] !== "-" || source[at + 1] === "]") return from;
    at += 1;
    return [[from[0]?.[0] ?? 0, member()[0]?.[0] ?? 0]];
  }

  /** Parses an escape or a literal character. */
  function member(): Characters {
    const found = take(ESCAPE);
    if (found !== null) return escaped(found);
    return only(take(/[\s\S]/uy)?.[0].codePointAt(0) ?? 0);
  }

  return choice();
}

const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, 0: 0, b: 8 };

function escaped([text, braced, four, two]: RegExpExecArray): Characters {
  const letter = text.charAt(1);
  const digits = braced ?? four ?? two;
  if (digits !== undefined) return only(Number.parseInt(digits, 16));
  if (text.length === 12) {
    return only(toCodePoint([text.slice(2, 6), text.slice(8)].map((unit) => Number.parseInt(unit, 16))));
  }
  if (letter === "p") return property(text);
  if (letter === "P") return complement(property(text.replace("P", "p")));
  if (letter === "c" && text.length === 3) return only((text.codePointAt(2) ?? 0) % 32);
  return CLASSES[letter] ?? only(CONTROLS[letter] ?? text.codePointAt(1) ?? 0);
}

function toCodePoint(units: readonly number[]): number {
  return String.fromCharCode(...units).codePointAt(0) ?? 0;
}
