/** `framework destroy handler | app | route`: takes back what a generator made, as long as it is unedited. */

import { planAppRemoval } from "#generators/app/destroy";
import { planHandlerRemoval } from "#generators/handler/destroy";
import type { Removal } from "#generators/removal";
import { planRouteRemoval } from "#generators/route/destroy";
import { escapeControl } from "#runtime/core/escape";
import type { Command, CommandInput } from "../command.ts";
import { formatBlocks, formatChanges, PLAN_OPTIONS, type Planner, runPlanner } from "./run.ts";
import { readAppInput, readHandlerInput, readRouteInput, requireApp } from "./words.ts";

const DETAILS =
  "What was edited since is shown and stays; then nothing is taken out.\n" +
  "The table of routes in README.md loses the rows of what goes.";

export const destroyHandler: Command = {
  usage: "framework destroy handler <name> [param:type …] [options]",
  summary: "Take a generated handler out of its app, with its test.",
  details: `Instead of the name, the method and path that it serves may be given.\n${DETAILS}\nA handler of a sample stays. \`framework destroy app\` takes the whole sample.`,
  takesWords: true,
  options: {
    app: { type: "string", value: "<name>", description: "The app that has the handler." },
    ...PLAN_OPTIONS,
  },
  examples: [
    "framework destroy handler post_index --app products",
    "framework destroy handler GET /products/featured/items",
  ],
  run: (input) =>
    destroy(input, {
      read: (typed) => readHandlerInput("destroy", typed),
      plan(project, words) {
        requireApp("destroy", project, words);
        return planHandlerRemoval(project, words);
      },
    }),
};

export const destroyApp: Command = {
  usage: "framework destroy app <name> [options]",
  summary: "Take a generated app back, with its tests and its name in framework.toml.",
  details:
    "Instead of the name, the method and path that it was made from may be given.\n" +
    `An app with handlers of your own stays. A sample app goes if none of its files was edited.\n${DETAILS}`,
  takesWords: true,
  options: PLAN_OPTIONS,
  examples: ["framework destroy app orders", "framework destroy app orders --dry-run"],
  run: (input) =>
    destroy(input, {
      read: (typed) => readAppInput("destroy", typed),
      plan: (project, { name }) => planAppRemoval(project, name),
    }),
};

export const destroyRoute: Command = {
  usage: "framework destroy route <path> [method …] [param:type …] [options]",
  summary: "Take generated handlers out of a file under routes/, with their tests.",
  details: `Without a method, all of the file's are meant. The file goes with the last of what it holds.\nA file of the samples goes only as a whole, and if it was not edited.\n${DETAILS}`,
  takesWords: true,
  options: PLAN_OPTIONS,
  examples: [
    "framework destroy route reviews",
    "framework destroy route reviews get post",
    "framework destroy route GET /reviews",
    'framework destroy route "users/[user_id]/posts" get',
  ],
  run: (input) =>
    destroy(input, { read: (typed) => readRouteInput("destroy", typed), plan: planRouteRemoval }),
};

function destroy<Words extends object>(
  input: CommandInput,
  planner: Planner<Words, Removal>,
): Promise<number> {
  return runPlanner(input, planner, {
    toText: (removal) => formatRemoval(removal),
    toJson: ({ gone, absent, notes }) => ({ gone: gone.map(({ route }) => route), absent, notes }),
  });
}

function formatRemoval({ changes, gone, absent, notes }: Removal): string {
  const routes = gone.map(({ route }) => `${escapeControl(route)} is served no more.`);
  return formatBlocks([formatChanges(changes), routes, absent.map(escapeControl), notes.map(escapeControl)]);
}
