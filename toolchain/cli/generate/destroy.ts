/** `framework destroy handler | app | route | provider | hooks`: takes out what a generator made, unless it was edited. */

import { planAppRemoval } from "#generators/app/destroy";
import { planHandlerRemoval } from "#generators/handler/destroy";
import { planHooksRemoval } from "#generators/hooks/destroy";
import { isNoPlan } from "#generators/plan";
import { planProviderRemoval } from "#generators/provider/destroy";
import type { Removal } from "#generators/removal";
import { planRouteRemoval } from "#generators/route/destroy";
import { escapeControl } from "#runtime/escape";
import type { Command, CommandInput } from "../command.ts";
import { carryOut, PLAN_OPTIONS, printPlan } from "./run.ts";
import {
  readAppInput,
  readHandlerInput,
  readHooksInput,
  readProviderInput,
  readRouteInput,
  requireApp,
} from "./words.ts";

export const EDITED: string = "If any of it was edited, the edit is shown, and nothing is taken out.";
export const DETAILS: string = `${EDITED}\nThe table of routes in README.md loses its rows.`;

export const destroyHandler: Command = {
  usage: "framework destroy handler <name> [param:type …] [options]",
  summary: "Take a generated handler out of its app, with its test.",
  details: `Instead of the name, you may give the method and path that it serves.\n${DETAILS}\nA handler of a sample stays. \`framework destroy app\` removes the whole sample.`,
  takesWords: true,
  options: {
    app: { type: "string", value: "<name>", description: "The app that has the handler." },
    ...PLAN_OPTIONS,
  },
  examples: [
    "framework destroy handler post_index --app products",
    "framework destroy handler GET /products/featured/items",
  ],
  run(input) {
    const plan: typeof planHandlerRemoval = (project, wanted) => {
      requireApp("destroy", project, wanted);
      return planHandlerRemoval(project, wanted);
    };
    return carryOut("destroy", input, readHandlerInput, plan, printDestroyed);
  },
};

export const destroyApp: Command = {
  usage: "framework destroy app <name> [options]",
  summary: "Remove a generated app, with its tests and its name in framework.toml.",
  details:
    "Instead of the name, you may give the method and path that it was made from.\n" +
    `An app with handlers of your own stays. So does a sample app with an edited file.\n${DETAILS}`,
  takesWords: true,
  options: PLAN_OPTIONS,
  examples: ["framework destroy app orders", "framework destroy app orders --dry-run"],
  async run(input) {
    const { diagnoseResourceApp } = await import("#generators/resource/destroy");
    const plan: typeof planAppRemoval = (project, wanted) => {
      const planned = planAppRemoval(project, wanted);
      return isNoPlan(planned) ? (diagnoseResourceApp(project, wanted.name) ?? planned) : planned;
    };
    return carryOut("destroy", input, readAppInput, plan, printDestroyed);
  },
};

export const destroyRoute: Command = {
  usage: "framework destroy route <path> [method …] [param:type …] [options]",
  summary: "Take generated handlers out of a file under routes/, with their tests.",
  details: `Without a method, all handlers of the file are taken out. An empty file is removed.\nA file of the samples is removed only as a whole, and only if it was not edited.\n${DETAILS}`,
  takesWords: true,
  options: PLAN_OPTIONS,
  examples: [
    "framework destroy route reviews",
    "framework destroy route reviews get post",
    "framework destroy route GET /reviews",
    'framework destroy route "users/[user_id]/posts" get',
  ],
  run: (input) => carryOut("destroy", input, readRouteInput, planRouteRemoval, printDestroyed),
};

export const destroyProvider: Command = {
  usage: "framework destroy provider <name> [options]",
  summary: "Take a generated provider out of its file, with its test.",
  details: `A provider that something else uses stays.\n${EDITED}`,
  takesWords: true,
  options: {
    app: { type: "string", value: "<name>", description: "The app whose providers.ts has it." },
    ...PLAN_OPTIONS,
  },
  examples: [
    "framework destroy provider current_user",
    "framework destroy provider currentUser --app users --dry-run",
  ],
  run: (input) => carryOut("destroy", input, readProviderInput, planProviderRemoval, printDestroyed),
};

export const destroyHooks: Command = {
  usage: "framework destroy hooks <folder> [options]",
  summary: "Take generated hooks out of a folder.",
  details: `The folder is an app's name, a folder in routes/, or . for the root.\n${EDITED}`,
  takesWords: true,
  options: PLAN_OPTIONS,
  examples: ["framework destroy hooks users", "framework destroy hooks routes/admin --dry-run"],
  run: (input) => carryOut("destroy", input, readHooksInput, planHooksRemoval, printDestroyed),
};

export function printDestroyed(input: CommandInput, removal: Removal): number {
  const { changes, absent, notes } = removal;
  const gone = removal.gone.map(({ route }) => route);
  const served = gone.map((route) => `${escapeControl(route)} is no longer served.`);
  return printPlan(input, changes, { gone, absent, notes }, [
    served,
    absent.map(escapeControl),
    notes.map(escapeControl),
  ]);
}
