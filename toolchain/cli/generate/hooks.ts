/** `framework generate hooks`: what runs around all routes of a folder. */

import { planHooks } from "#generators/hooks";
import type { HooksInput } from "#generators/target/hooks";
import { escapeControl } from "#runtime/escape";
import { type Command, type CommandInput, flag, UsageError } from "../command.ts";
import { defineGenerator } from "./run.ts";
import { GUARD_OPTION } from "./words.ts";

export const generateHooks: Command = defineGenerator({
  usage: "framework generate hooks <folder> [options]",
  summary: "Add a guard, middleware or an error hook for the routes of a folder.",
  details:
    "The folder is an app's name, a folder in routes/, or . for the root. The hooks are in its _hooks.ts.\n" +
    "If several files export the provider, name its file, too: --guard auth.ts#current_user",
  options: {
    guard: GUARD_OPTION,
    middleware: flag("A middleware that measures the time."),
    error: flag("An error hook that gives errors a shape."),
  },
  examples: [
    "framework generate hooks users --guard current_user",
    "framework generate hooks routes/admin --guard require_admin",
    "framework generate hooks . --middleware --error",
  ],
  read,
  plan: planHooks,
});

function read({ words: [folder = ""], flags, values }: CommandInput): HooksInput {
  const [middleware, error] = [flags.middleware === true, flags.error === true];
  const wanted = { folder, guard: values.guard, middleware, error };
  if (wanted.guard !== undefined || middleware || error) return wanted;
  throw new UsageError(
    `Which hooks should \`${escapeControl(folder)}\` get?`,
    "Add --guard <provider>, --middleware or --error.",
  );
}
