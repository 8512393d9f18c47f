/** `framework generate handler`: one function of an app's views.ts, with its test. */

import { planHandler } from "#generators/handlers";
import type { HandlerInput } from "#generators/target/handler";
import { parseParams } from "#generators/target/words";
import { escapeControl } from "#runtime/escape";
import { type Command, type CommandInput, UsageError, value } from "../command.ts";
import { defineGenerator } from "./run.ts";
import { readMethod, readTaken, TAKES_DETAILS, TAKES_OPTIONS, toRouteMethod } from "./words.ts";

export const generateHandler: Command = defineGenerator({
  usage: "framework generate handler <name> [param:type …] [options]",
  summary: "Add a handler to an app.",
  details:
    "Instead of the name, you may give the method and path that it serves. The app is then the one whose prefix fits.\n" +
    "Write a param as order_id:int. Its type is int, number, str or string; without one it is string.\n" +
    "A $order_id in the name places the param there. Put such a name in single quotes for the shell.\n" +
    `The word request among the params adds the request in that place.\n${TAKES_DETAILS}`,
  options: {
    app: value("<name>", "The app that gets the handler."),
    ...TAKES_OPTIONS,
  },
  examples: [
    "framework generate handler post_index --app products",
    "framework generate handler get_by_id order_id:int --app orders",
    "framework generate handler GET /products/featured/items",
    'framework generate handler DELETE "/products/<slug>/reviews/<id:int>"',
    'framework generate handler POST /products --body "name:string price:number"',
    'framework generate handler GET /products/found --query "q:string page:int?"',
  ],
  read,
  plan: (project, wanted) => {
    const { target, app } = wanted;
    const apps = project.apps.map(({ name }) => name);
    if (app === undefined && "name" in target && apps.length > 1)
      throw new UsageError(
        `Which app should get \`${escapeControl(target.name)}\`?`,
        `Add --app with one of ${apps.join(", ")}.`,
      );
    return planHandler(project, wanted);
  },
});

/** `get_by_id order_id:int --app orders`, and also `GET /products/all`. */
function read({ words, values }: CommandInput): HandlerInput {
  const { target, rest } = readTarget(words);
  return { target, params: parseParams(rest), taken: readTaken(values), app: values.app };
}

function readTarget([first = "", second, ...others]: readonly string[]): {
  target: HandlerInput["target"];
  rest: readonly string[];
} {
  if (first.startsWith("/")) {
    throw new UsageError(
      "A path needs its method before it.",
      `As in: framework generate handler GET ${escapeControl(first)}`,
    );
  }
  if (second?.startsWith("/") && /^[a-z]+$/i.test(first))
    return { target: { method: readMethod(first), path: second }, rest: others };
  const method = toRouteMethod(first);
  if (method === undefined)
    return { target: { name: first }, rest: second === undefined ? [] : [second, ...others] };
  const name = second === undefined ? "all" : escapeControl(second);
  throw new UsageError(
    `\`${first}\` is a method, and a path has to follow it.`,
    `Give a handler's name, as in ${method.toLowerCase()}_${name}, or a path, as in ${method} /products/${name}`,
  );
}
