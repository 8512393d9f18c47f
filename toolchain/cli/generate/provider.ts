/** `framework generate provider`: a function whose result handlers ask for. */

import { planProvider } from "#generators/provider";
import type { ProviderInput } from "#generators/target/provider";
import { parseParams } from "#generators/target/words";
import { type Command, type CommandInput, UsageError, value } from "../command.ts";
import { defineGenerator } from "./run.ts";

export const generateProvider: Command = defineGenerator({
  usage: "framework generate provider <name> [param:type …] [options]",
  summary: "Add a provider: a function whose result handlers ask for.",
  details:
    "It takes the token of a request, and refuses every one until you write the look-up.\n" +
    "With params of the path, such as slug or id:int, it takes these instead.\n" +
    "Without --app, it is in a file of its own in providers/.",
  options: {
    app: value("<name>", "The app whose providers.ts gets it."),
  },
  examples: [
    "framework generate provider current_user",
    "framework generate provider currentUser --app users",
    "framework generate provider article_by_slug slug --app blog",
  ],
  read,
  plan: planProvider,
});

/** `current_user`, `article_by_slug slug:string --app blog` */
function read({ words: [name = "", ...rest], values }: CommandInput): ProviderInput {
  const parameters = parseParams(rest);
  const params = parameters.filter((one) => one !== "request");
  if (params.length === parameters.length) return { name, app: values.app, params };
  throw new UsageError("A generated provider does not take the request.", "Add the parameter to it by hand.");
}
