/** `framework generate app`: a folder of handlers with a prefix. */

import { type AppInput, planApp } from "#generators/app";
import { escapeControl } from "#runtime/escape";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { defineGenerator } from "./run.ts";
import { GUARD_OPTION, PREFIX_OPTION, readTurned } from "./words.ts";

export const generateApp: Command = defineGenerator({
  usage: "framework generate app <name> [options]",
  summary: "Add an app: a folder with app.toml and views.ts, listed in framework.toml.",
  details: "Instead of the name, you may give the method and path that its first handler serves.",
  takesMore: true,
  options: { prefix: PREFIX_OPTION, guard: GUARD_OPTION },
  examples: [
    "framework generate app orders",
    "framework generate app orders --prefix /api/v1/orders",
    "framework generate app GET /api/v1/orders",
    "framework generate app orders --guard current_user",
  ],
  read,
  plan: planApp,
});

/** `orders --prefix /api/orders`, and also `GET /api/orders`, which gives the app its name and its prefix. */
function read({ words, values }: CommandInput): AppInput {
  const { methods, path, rest } = readTurned(words);
  const [method, ...others] = methods;
  const prefix = values.prefix ?? path;
  const [name, extra] =
    path === undefined ? words : [path.split("/").findLast((part) => part !== ""), ...others, ...rest];
  if (name === undefined)
    throw new UsageError(
      `\`${path}\` has no segment to name the app after.`,
      "As in: framework generate app shop --prefix /",
    );
  if (extra !== undefined || (path !== undefined && prefix !== path))
    throw new UsageError(
      `Unexpected \`${escapeControl(extra ?? "--prefix")}\`: give one name and one prefix.`,
      "As in: framework generate app orders",
    );
  return { name, prefix, method, guard: values.guard };
}
