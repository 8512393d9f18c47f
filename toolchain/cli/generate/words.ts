/** What the words and options of several generators have in common. */

import { parseMethodExport } from "#convention/rule/naming";
import type { Taken } from "#generators/code/handlers";
import { parseFields } from "#generators/target/fields";
import { METHODS, type RouteMethod } from "#runtime/routing/route";
import { type CommandInput, type CommandOption, UsageError, value } from "../command.ts";
import { suggest } from "../suggest.ts";

export const TAKES_OPTIONS: Readonly<Record<"body" | "query", CommandOption>> = {
  body: value("<fields>", "The fields of the JSON body, as an interface beside the handler."),
  query: value("<fields>", "The values of the query, each a parameter."),
};

export const TAKES_DETAILS: string =
  'Write the fields of --body and --query as \'name:string tags:string[]? role:"admin"|"user"\', where ? is for optional ones.\n' +
  "Their types are string, number, int, boolean and Date, each also with [], and lists of texts or numbers.";

export const GUARD_OPTION: CommandOption = value("<provider>", "A guard that asks for this provider.");

export const PREFIX_OPTION: CommandOption = value(
  "<path>",
  "The path before its routes; /<name> by default.",
);

/** The fields of `--body` and `--query`. */
export function readTaken({ body, query }: CommandInput["values"]): Taken {
  return {
    body: body === undefined ? [] : parseFields("body", body),
    query: query === undefined ? [] : parseFields("query", query),
  };
}

/** @throws {UsageError} if the word before a path is not a method. */
export function readMethod(word: string): RouteMethod {
  const method = toRouteMethod(word);
  if (method !== undefined) return method;
  throw new UsageError(`There is no method ${JSON.stringify(word)}.`, suggest(word, METHODS));
}

/** Also `del`, as a route file calls DELETE. */
export function toRouteMethod(word: string): RouteMethod | undefined {
  return parseMethodExport(word.toLowerCase());
}

/** Methods before a path, as a route is printed: `GET /reviews`. Undefined path for words in the other order. */
export function readTurned(words: readonly string[]): {
  readonly methods: readonly RouteMethod[];
  readonly path: string | undefined;
  readonly rest: readonly string[];
} {
  const at = words.findIndex((word) => word.startsWith("/"));
  const before = words.slice(0, Math.max(0, at));
  const isTurned =
    at > 0 && before.every((word) => /^[A-Z]+$/.test(word) || toRouteMethod(word) !== undefined);
  if (!isTurned) return { methods: [], path: undefined, rest: words };
  return { methods: before.map(readMethod), path: words[at], rest: words.slice(at + 1) };
}
