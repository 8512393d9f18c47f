/** Computes with sets of characters: those of classes and escapes in a regular expression with the flag `u`. */

/** Inclusive ranges of code points, sorted and disjoint, with a gap between any two. */
export type Characters = readonly Range[];
type Range = readonly [first: number, last: number];

const LAST = 0x10ffff;

const DIGIT: Characters = [[0x30, 0x39]];
const WORD: Characters = union([
  DIGIT,
  [
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
]);
/** WhiteSpace and LineTerminator of ECMA-262, sections 12.2 and 12.3. */
const SPACE: Characters = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

/** The character classes by the letter of their escape. */
export const CLASSES: Readonly<Record<string, Characters>> = {
  d: DIGIT,
  D: complement(DIGIT),
  w: WORD,
  W: complement(WORD),
  s: SPACE,
  S: complement(SPACE),
};

/** The characters of `.`: all except line terminators. */
export const DOT: Characters = complement([
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]);

export function only(codePoint: number): Characters {
  return [[codePoint, codePoint]];
}

export function union(sets: readonly Characters[]): Characters {
  const joined: [number, number][] = [];
  for (const [first, last] of sets.flat().sort((a, b) => a[0] - b[0])) {
    const before = joined.at(-1);
    if (before === undefined || before[1] + 1 < first) joined.push([first, last]);
    else before[1] = Math.max(before[1], last);
  }
  return joined;
}

export function complement(set: Characters): Characters {
  const gaps: Range[] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (next < first) gaps.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= LAST) gaps.push([next, LAST]);
  return gaps;
}

/** The ranges to test as one text each: a high surrogate followed by a low one would be one character. */
const PLANES: readonly Range[] = [
  [0, 0xd7ff],
  [0xd800, 0xdbff],
  [0xdc00, 0xdfff],
  [0xe000, 0xffff],
  [0x10000, LAST],
];

const properties = new Map<string, Characters>();

/** Evaluates a Unicode property with the engine's own tables. @param written as in `\p{L}`. */
export function property(written: string): Characters {
  const known = properties.get(written) ?? PLANES.flatMap((plane) => matchesIn(plane, written));
  properties.set(written, known);
  return known;
}

function matchesIn([first, last]: Range, written: string): Range[] {
  const units = first > 0xffff ? 2 : 1;
  return Array.from(
    charactersOf([first, last]).matchAll(new RegExp(`${written}+`, "gu")),
    ({ 0: run, index }) => {
      const from = first + index / units;
      return [from, from + run.length / units - 1] as const;
    },
  );
}

function charactersOf([first, last]: Range): string {
  const chunks: string[] = [];
  for (let at = first; at <= last; at += 0x1000) {
    const length = Math.min(0x1000, last - at + 1);
    chunks.push(String.fromCodePoint(...Array.from({ length }, (_, index) => at + index)));
  }
  return chunks.join("");
}

/** A set of characters that each given set contains completely or not at all. */
export interface Atom {
  /** Its most readable character. */
  readonly example: number;
  /** The indexes of the sets that contain it. */
  readonly sets: readonly number[];
}

/** Divides sets into as few atoms as possible. */
export function divide(sets: readonly Characters[]): Atom[] {
  const cuts = new Set(sets.flatMap((set) => set.flatMap(([first, last]) => [first, last + 1])));
  const starts = [...cuts].sort((a, b) => a - b);
  const atoms = new Map<string, Atom>();
  const next = sets.map(() => 0);
  for (const [index, first] of starts.entries()) {
    const inside = sets.flatMap((set, each) => (reaches(set, each, next, first) ? [each] : []));
    if (inside.length === 0) continue;
    const example = readable(first, (starts[index + 1] ?? LAST + 1) - 1);
    const known = atoms.get(inside.join());
    if (known === undefined || rank(example) < rank(known.example)) {
      atoms.set(inside.join(), { example, sets: inside });
    }
  }
  return [...atoms.values()];
}

/** True if a set has a character. `next` has the current range of each set: characters are tested in ascending order. */
function reaches(set: Characters, each: number, next: number[], character: number): boolean {
  let at = next[each] ?? 0;
  while ((set[at]?.[1] ?? character) < character) at += 1;
  next[each] = at;
  const range = set[at];
  return range !== undefined && range[0] <= character;
}

const READABLE: readonly Range[] = [
  [0x61, 0x7a],
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x20, 0x7e],
];

function readable(first: number, last: number): number {
  const found = READABLE.find((range) => first <= range[1] && range[0] <= last);
  return found === undefined ? first : Math.max(first, found[0]);
}

function rank(character: number): number {
  const index = READABLE.findIndex(([first, last]) => first <= character && character <= last);
  return index === -1 ? READABLE.length : index;
}
