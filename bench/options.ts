/** The options of the benches that take some. */

import { parseArgs } from "node:util";
import { UsageError } from "#toolchain/cli/command";
import { suggest } from "#toolchain/cli/suggest";

/** Each option may be given again and again, and takes a value. */
export type Options = Readonly<Record<string, readonly string[]>>;

/** @throws {UsageError} on an option that is not among the names, a missing value or a further word. */
export function parseOptions(words: readonly string[], names: readonly string[]): Options {
  const options = Object.fromEntries(
    names.map((name) => [name, { type: "string", multiple: true } as const]),
  );
  try {
    const { values } = parseArgs({ args: [...words], options });
    return Object.fromEntries(names.map((name) => [name, values[name] ?? []]));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(error.message, `There is ${names.map((name) => `--${name}`).join(", ")}.`);
  }
}

/** @throws {UsageError} when the last value is not a whole number from 1. */
export function toCount(options: Options, name: string, fallback: number): number {
  const text = options[name]?.at(-1);
  if (text === undefined) return fallback;
  if (/^[1-9][0-9]{0,7}$/.test(text)) return Number(text);
  throw new UsageError(`--${name} is ${JSON.stringify(text)}: it takes a whole number from 1.`);
}

/** @returns those that were asked for in their own order; all, when none was. @throws {UsageError} on another word. */
export function choose(options: Options, name: string, known: readonly string[]): readonly string[] {
  const asked = options[name] ?? [];
  for (const word of asked) {
    if (!known.includes(word)) {
      throw new UsageError(`There is no ${name} ${JSON.stringify(word)}.`, suggest(word, known));
    }
  }
  return asked.length === 0 ? known : known.filter((word) => asked.includes(word));
}
