/** `framework destroy handler | app | route`: takes back what a generator made, as long as it is unedited. */

import { planAppRemoval } from "#generators/destroy-app";
import { planHandlerRemoval } from "#generators/destroy-handler";
import { planRouteRemoval } from "#generators/destroy-route";
import { isRefused, type Refusal } from "#generators/refusal";
import type { Removal } from "#generators/removal";
import { escapeControl } from "../convention/diagnostics.ts";
import type { Project } from "../convention/project.ts";
import type { Command, CommandInput } from "./command.ts";
import { formatBlocks, formatChanges, PLAN_OPTIONS, runPlanner } from "./generator-run.ts";
import { readAppInput, readHandlerInput, readRouteInput } from "./generator-words.ts";

const DETAILS = "What was edited since is shown and stays; then nothing is taken out.";

export const destroyHandler: Command = {
  usage: "framework destroy handler <name> [param:type …] [options]",
  summary: "Take a generated handler out of its app, with its test.",
  details: `Instead of the name, the method and path that it serves may be given.\n${DETAILS}`,
  takesWords: true,
  options: {
    app: { type: "string", value: "<name>", description: "The app that has the handler." },
    ...PLAN_OPTIONS,
  },
  examples: [
    "framework destroy handler post_index --app products",
    "framework destroy handler GET /products/featured/items",
  ],
  run: (input) => destroy(input, (project) => planHandlerWords(project, input)),
};

export const destroyApp: Command = {
  usage: "framework destroy app <name> [options]",
  summary: "Take a generated app back, with its tests and its name in framework.toml.",
  details:
    "Instead of the name, the method and path that it was made from may be given.\n" +
    `An app with handlers of your own stays.\n${DETAILS}`,
  takesWords: true,
  options: PLAN_OPTIONS,
  examples: ["framework destroy app orders", "framework destroy app orders --dry-run"],
  run: (input) => destroy(input, (project) => planAppRemoval(project, readAppInput("destroy", input).name)),
};

export const destroyRoute: Command = {
  usage: "framework destroy route <path> <method …> [param:type …] [options]",
  summary: "Take generated handlers out of a file under routes/, with their tests.",
  details: `The file goes with the last of what it holds.\n${DETAILS}`,
  takesWords: true,
  options: PLAN_OPTIONS,
  examples: [
    "framework destroy route reviews get post",
    "framework destroy route GET /reviews",
    'framework destroy route "users/[user_id]/posts" get',
  ],
  run: (input) => destroy(input, (project) => planRouteWords(project, input)),
};

function destroy(input: CommandInput, plan: (project: Project) => Removal | Refusal): Promise<number> {
  return runPlanner(input, plan, {
    toText: (removal) => formatRemoval(removal),
    toJson: ({ gone, absent, notes }) => ({ gone: gone.map(({ route }) => route), absent, notes }),
  });
}

function planHandlerWords(project: Project, input: CommandInput): Removal | Refusal {
  const wanted = readHandlerInput("destroy", project, input);
  return isRefused(wanted) ? wanted : planHandlerRemoval(project, wanted);
}

function planRouteWords(project: Project, input: CommandInput): Removal | Refusal {
  const wanted = readRouteInput("destroy", project, input);
  return isRefused(wanted) ? wanted : planRouteRemoval(project, wanted);
}

function formatRemoval({ changes, gone, absent, notes }: Removal): string {
  const routes = gone.map(({ route }) => `${escapeControl(route)} is served no more.`);
  return formatBlocks([formatChanges(changes), routes, absent.map(escapeControl), notes.map(escapeControl)]);
}
