/**
 * Names operations after what callers know of them, the method and the path, so that a moved file or a renamed handler changes none.
 *
 * `/items/<item_id>` is `getItemsByItemId`, not `getItem`: no rule of English takes part, a list and one of its items differ by more
 * than a letter, and `/items/by/id/<item_id>`, which says itself what it goes by, can be `getItemsById`.
 */

import type { Route, Segment } from "#runtime/routing/route";

/** The client has functions of these names. */
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

type Named = Pick<Route, "method" | "segments">;

/**
 * @param givenTo the name that somebody chose for a route; the first route of a name has it.
 * @returns a name for each route, which no other has. A route that is added changes no other, unless both are called the same. Then the
 * path that loses less in its name keeps it.
 */
export function nameOperations<One extends Named>(
  routes: readonly One[],
  givenTo: (route: One) => string | undefined = () => undefined,
): ReadonlyMap<One, string> {
  const taken = new Map<string, One>();
  for (const route of routes) {
    const name = givenTo(route);
    if (name !== undefined && IDENTIFIER.test(name) && !taken.has(name)) taken.set(name, route);
  }
  const given = new Set(taken.values());
  const others = routes.filter((route) => !given.has(route));
  const candidates = others.map((route) => toCandidate(route)).sort(compareCandidates);
  const late = candidates.filter(({ route, name }) => {
    const isFree = !taken.has(name);
    if (isFree) taken.set(name, route);
    return !isFree;
  });
  for (const { route, full } of late) taken.set(findFree(full, taken), route);
  const names = new Map([...taken].map(([name, route]) => [route, name]));
  return new Map(routes.map((route) => [route, names.get(route) ?? ""]));
}

interface Candidate<One> {
  readonly route: One;
  readonly name: string;
  /** The name with each param in it. */
  readonly full: string;
  /** How much of the path the name does not say. */
  readonly loss: number;
  readonly path: string;
}

/** A segment in words. */
interface Spelled {
  readonly text: string;
  readonly isParam: boolean;
  readonly words: readonly string[];
}

function toCandidate<One extends Named>(route: One): Candidate<One> {
  const { method, segments } = route;
  const spelled = segments.map(spell);
  const full = spelled.flatMap(({ isParam, words }) => (isParam ? ["by", ...words] : words));
  const words = withoutNamedParams(spelled);
  const odd = spelled.filter((one) => !one.isParam && one.words.join("") !== one.text);
  return {
    route,
    name: join(method, words),
    full: join(method, full),
    loss: segments.length === 0 ? 1 : odd.length + full.length - words.length,
    path: spelled.map(({ text, isParam }) => (isParam ? `<${text}>` : text)).join("/"),
  };
}

function spell(segment: Segment): Spelled {
  const isParam = typeof segment !== "string";
  const text = isParam ? segment.name : segment;
  return { text, isParam, words: wordsOf(text) };
}

function compareCandidates(one: Candidate<Named>, other: Candidate<Named>): number {
  return one.loss - other.loss || (one.path < other.path ? -1 : one.path > other.path ? 1 : 0);
}

function join(method: string, words: readonly string[]): string {
  return [method.toLowerCase(), ...(words.length === 0 ? ["root"] : words).map(capitalize)].join("");
}

/** A path that says what it goes by, such as `/users/by/id/<user_id>`, needs no second word for the param. */
function withoutNamedParams(segments: readonly Spelled[]): readonly string[] {
  const words: string[] = [];
  /** The words behind the last "by" that no param has matched. */
  let unmatched: string[] = [];
  for (const { isParam, words: own } of segments) {
    if (!isParam) {
      for (const word of own) unmatched = isBy(word) ? [] : [...unmatched, word];
      words.push(...own);
      if (!words.some(isBy)) unmatched = [];
      continue;
    }
    const at = findSuffix(own, unmatched);
    if (at === undefined) words.push("by", ...own);
    else unmatched = [...unmatched.slice(0, at.start), ...unmatched.slice(at.end)];
  }
  return words;
}

function isBy(word: string): boolean {
  return word.toLowerCase() === "by";
}

/** Where the longest end of a name is among the words. */
function findSuffix(
  name: readonly string[],
  among: readonly string[],
): { start: number; end: number } | undefined {
  for (let from = 0; from < name.length; from++) {
    const wanted = name.slice(from).map(lower);
    const start = among.findIndex((_, at) => wanted.every((word, step) => lower(among[at + step]) === word));
    if (start !== -1) return { start, end: start + wanted.length };
  }
  return undefined;
}

function lower(word = ""): string {
  return word.toLowerCase();
}

/** At capitals, too. */
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/** In ASCII, because an operation's id may have to be a part of a URL. Never empty: a character without a letter in it is its number. */
function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "");
  const ascii = plain.replace(/[^\0-\x7f]/gu, (character) => ` ${toNumber(character)} `);
  return ascii.match(WORD) ?? [...text].map(toNumber);
}

function toNumber(character: string): string {
  return `U${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}`;
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function findFree(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}${number}`;
  return free;
}
