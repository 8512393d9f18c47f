/** The headers of the response that `next()` gives: the WHATWG class over the flat list of an answer, which is sent as it is. */

import { flattenHeaders, HOP_BY_HOP, TOKEN, UNSENDABLE } from "../message/headers.ts";

type Pair = [name: string, value: string];

const COOKIE = "set-cookie";
const LENGTH = "content-length";
/** The class takes other control characters. They are refused when they are sent. */
const UNTAKEN = /[\0\n\r\u0100-\uffff]/;
const SPACE = "\t\n\r ";
const INSPECT: symbol = Symbol.for("nodejs.util.inspect.custom");

/** Has all members of the class, and is an `instanceof` it. A name keeps its case until it is deleted. */
export class FlatHeaders implements Headers {
  /** Never changed in place: an answer that is already sent may hold it. */
  #flat: readonly string[];
  #sorted: readonly Pair[] | undefined;
  /** Something may have to be left out or refused. */
  #isDoubtful: boolean;

  /** @param length as in `Answer`: can be read, but is not sent. */
  constructor(flat: readonly string[], length: number | undefined) {
    this.#flat = length === undefined ? flat : [...flat, "Content-Length", String(length)];
    this.#isDoubtful = length !== undefined;
  }

  /** Not by `extends`: the platform's constructor takes as long as a request. */
  static inherit(): void {
    Object.setPrototypeOf(FlatHeaders.prototype, Headers.prototype);
    // The platform's looks inside of its own class.
    Object.defineProperty(FlatHeaders.prototype, INSPECT, { value: show });
  }

  append(given: string, text: string): void {
    const name = toName(given);
    const value = toValue(text, name);
    const key = name.toLowerCase();
    this.#doubt(key, value);
    if (key === COOKIE) this.#write([...this.#flat, name, value]);
    else this.#replace(name, key, [...this.#all(key), value].join(", "));
  }

  delete(given: string): void {
    const key = toName(given).toLowerCase();
    if (this.#find(key) !== -1) this.#write(without(this.#flat, key));
  }

  get(given: string): string | null {
    const values = this.#all(toName(given).toLowerCase());
    return values.length === 0 ? null : values.join(", ");
  }

  getSetCookie(): string[] {
    return this.#all(COOKIE);
  }

  has(given: string): boolean {
    return this.#find(toName(given).toLowerCase()) !== -1;
  }

  set(given: string, text: string): void {
    const name = toName(given);
    const value = toValue(text, name);
    const key = name.toLowerCase();
    this.#doubt(key, value);
    this.#replace(name, key, value);
  }

  forEach(callback: (value: string, name: string, headers: Headers) => void, self?: unknown): void {
    if (typeof callback !== "function") throw new TypeError("The callback of forEach is not a function.");
    for (const [name, value] of this) callback.call(self, value, name, this);
  }

  *keys(): Generator<string, undefined, undefined> {
    for (const [name] of this) yield name;
  }

  *values(): Generator<string, undefined, undefined> {
    for (const [, value] of this) yield value;
  }

  /** By place, as in the platform's class: a change in between moves what is still to come. */
  *entries(): Generator<Pair, undefined, undefined> {
    for (let place = 0; place < this.#pairs.length; place++) {
      const [name, value] = this.#pairs[place] as Pair;
      yield [name, value];
    }
  }

  [Symbol.iterator](): Generator<Pair, undefined, undefined> {
    return this.entries();
  }

  /** What to send. @throws {TypeError} when a value can't be sent. */
  toFlat(): readonly string[] {
    return this.#isDoubtful ? flattenHeaders(toPairs(this.#flat), LENGTH) : this.#flat;
  }

  get #pairs(): readonly Pair[] {
    this.#sorted ??= [...new Set(toPairs(this.#flat).map(([name]) => name.toLowerCase()))]
      .sort()
      .flatMap((key) => {
        const values = this.#all(key);
        return (key === COOKIE ? values : [values.join(", ")]).map((value): Pair => [key, value]);
      });
    return this.#sorted;
  }

  /** @param key in lower case. @returns the place of the first name, or -1. */
  #find(key: string): number {
    for (let index = 0; index < this.#flat.length; index += 2)
      if (isNamed(this.#flat[index] as string, key)) return index;
    return -1;
  }

  #all(key: string): string[] {
    return this.#flat.filter((_, index) => index % 2 === 1 && isNamed(this.#flat[index - 1] as string, key));
  }

  #replace(name: string, key: string, value: string): void {
    const index = this.#find(key);
    if (index === -1) this.#write([...this.#flat, name, value]);
    else this.#write(without(this.#flat, key).toSpliced(index, 0, this.#flat[index] as string, value));
  }

  #write(flat: readonly string[]): void {
    this.#flat = flat;
    this.#sorted = undefined;
  }

  #doubt(key: string, value: string): void {
    this.#isDoubtful ||= key === LENGTH || HOP_BY_HOP.test(key) || UNSENDABLE.test(value);
  }
}

function show(this: Headers, _: number, options: unknown, inspect: Inspect): string {
  const shown = Object.fromEntries([...this.keys()].map((name) => [name, this.get(name)]));
  return `Headers ${inspect(shown, options)}`;
}

type Inspect = (value: unknown, options: unknown) => string;

function isNamed(name: string, key: string): boolean {
  return name.length === key.length && (name === key || name.toLowerCase() === key);
}

function toPairs(flat: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  for (let index = 0; index < flat.length; index += 2)
    pairs.push([flat[index] as string, flat[index + 1] as string]);
  return pairs;
}

function without(flat: readonly string[], key: string): string[] {
  return toPairs(flat)
    .filter(([name]) => !isNamed(name, key))
    .flat();
}

/** As the class does, takes what is not a text as its text. */
function toName(given: unknown): string {
  const name = `${given}`;
  if (!TOKEN.test(name)) throw new TypeError(`${JSON.stringify(name)} can't be the name of a header.`);
  return name;
}

/** Not by one regular expression, which would take quadratic time for many spaces within. */
function toValue(given: unknown, name: string): string {
  const text = `${given}`;
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.includes(text[start] as string)) start++;
  while (start < end && SPACE.includes(text[end - 1] as string)) end--;
  const value = text.slice(start, end);
  if (UNTAKEN.test(value))
    throw new TypeError(
      `The value of the header ${name} holds a line break, a NUL or a character above U+00FF.`,
    );
  return value;
}
