/** `framework generate route`: handlers of a file under routes/, with their test. */

import { closest } from "#convention/diagnostics/closest";
import { listed } from "#convention/diagnostics/entry";
import { planRoute } from "#generators/handlers";
import { refuse } from "#generators/refused";
import { checkRoutePath, type RouteInput } from "#generators/target/route";
import { parseParams } from "#generators/target/words";
import { escapeControl } from "#runtime/escape";
import { METHODS } from "#runtime/routing/route";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { defineGenerator } from "./run.ts";
import { readTaken, readTurned, TAKES_DETAILS, TAKES_OPTIONS, toRouteMethod } from "./words.ts";

export const generateRoute: Command = defineGenerator({
  usage: "framework generate route <path> <method …> [param:type …] [options]",
  summary: "Add handlers to a file under routes/.",
  details:
    "The path is that of the URL and of the file. Write a param in it as [item_id], in quotes for the shell.\n" +
    `Any other param becomes a further segment after it.\n${TAKES_DETAILS}`,
  options: TAKES_OPTIONS,
  examples: [
    "framework generate route reviews get post",
    "framework generate route reviews get review_id:int",
    'framework generate route "users/[user_id]/posts" get user_id:int',
    "framework generate route GET POST /reviews",
    'framework generate route POST /reviews --body "stars:1|2|3|4|5 text:string?"',
  ],
  read,
  plan: planRoute,
});

const METHOD_WORDS: readonly string[] = METHODS.map((method) => method.toLowerCase());

/** HTTP methods that no route can have. A word spelt like them is not a param. */
const OTHER_METHODS: readonly string[] = ["CONNECT", "TRACE"];

/** `reviews get post review_id:int`, and also `GET POST /reviews`. */
function read({ words, values }: CommandInput): RouteInput {
  const turned = readTurned(words);
  const [path = "", ...rest] =
    turned.path === undefined ? words : [turned.path, ...turned.methods, ...turned.rest];
  const methods = rest.map(toRouteMethod).filter((method) => method !== undefined);
  const further = rest.filter((word) => toRouteMethod(word) === undefined);
  const untyped = further.filter((word) => !word.includes(":"));
  const misspelt = untyped.find(
    (word) => closest(word, METHOD_WORDS) !== undefined || OTHER_METHODS.includes(word),
  );
  if (misspelt !== undefined)
    refuse("FW602", {
      what: `\`${misspelt}\` is neither a method nor a param`,
      nearest: closest(misspelt, METHOD_WORDS),
      instead: `The methods are ${listed(METHOD_WORDS)}; write a param as item_id:int.`,
    });
  checkRoutePath(path);
  if (methods.length === 0)
    throw new UsageError(
      "The route's methods are missing.",
      `They are ${METHOD_WORDS.join(", ")}. As in: framework generate route ${escapeControl(path)} get`,
    );
  return { path, methods, params: parseParams(further), taken: readTaken(values) };
}
