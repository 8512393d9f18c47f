/** `framework generate handler | app | route | provider | hooks`: reads the words, plans, applies the plan, and prints what now exists. */

import { kleur } from "#convention/deps/kleur";
import { formatLocation } from "#convention/diagnostics/format";
import { planApp } from "#generators/app/plan";
import { planHandler } from "#generators/handler/plan";
import { planHooks } from "#generators/hooks/plan";
import type { Made, Plan } from "#generators/plan";
import { planProvider } from "#generators/provider/plan";
import { planRoute } from "#generators/route/plan";
import { escapeControl } from "#runtime/escape";
import type { Command, CommandInput, CommandOption } from "../command.ts";
import { carryOut, PLAN_OPTIONS, printPlan } from "./run.ts";
import {
  readAppInput,
  readHandlerInput,
  readHooksInput,
  readProviderInput,
  readRouteInput,
  requireApp,
} from "./words.ts";

const TAKES_OPTIONS: Readonly<Record<"body" | "query", CommandOption>> = {
  body: {
    type: "string",
    value: "<fields>",
    description: "The fields of the JSON body, as an interface beside the handler.",
  },
  query: { type: "string", value: "<fields>", description: "The values of the query, each a parameter." },
};

export const GUARD_OPTION: CommandOption = {
  type: "string",
  value: "<provider>",
  description: "A guard that asks for this provider.",
};

const TAKES_DETAILS =
  'Write the fields of --body and --query as \'name:string tags:string[]? role:"admin"|"user"\', where ? is for optional ones.\n' +
  "Their types are string, number, int, boolean and Date, each also with [], and lists of texts or numbers.";

export const generateHandler: Command = {
  usage: "framework generate handler <name> [param:type …] [options]",
  summary: "Add a handler to an app.",
  details:
    "Instead of the name, you may give the method and path that it serves. The app is then the one whose prefix fits.\n" +
    "Write a param as order_id:int. Its type is int, number, str or string; without one it is string.\n" +
    "A $order_id in the name places the param there. Put such a name in single quotes for the shell.\n" +
    `The word request among the params adds the request in that place.\n${TAKES_DETAILS}`,
  takesWords: true,
  options: {
    app: { type: "string", value: "<name>", description: "The app that gets the handler." },
    ...TAKES_OPTIONS,
    ...PLAN_OPTIONS,
  },
  examples: [
    "framework generate handler post_index --app products",
    "framework generate handler get_by_id order_id:int --app orders",
    "framework generate handler GET /products/featured/items",
    'framework generate handler DELETE "/products/<slug>/reviews/<id:int>"',
    "framework generate handler POST /products --body 'name:string price:number'",
    "framework generate handler GET /products/found --query 'q:string page:int?'",
  ],
  run(input) {
    const plan: typeof planHandler = (project, wanted) => {
      requireApp(project, wanted);
      return planHandler(project, wanted);
    };
    return carryOut(input, readHandlerInput, plan, printResult);
  },
};

export const generateApp: Command = {
  usage: "framework generate app <name> [options]",
  summary: "Add an app: a folder with app.toml and views.ts, listed in framework.toml.",
  details: "Instead of the name, you may give the method and path that its first handler serves.",
  takesWords: true,
  options: {
    prefix: {
      type: "string",
      value: "<path>",
      description: "The path before its routes; /<name> by default.",
    },
    guard: GUARD_OPTION,
    ...PLAN_OPTIONS,
  },
  examples: [
    "framework generate app orders",
    "framework generate app orders --prefix /api/v1/orders",
    "framework generate app GET /api/v1/orders",
    "framework generate app orders --guard current_user",
  ],
  run: (input) => carryOut(input, readAppInput, planApp, printResult),
};

export const generateRoute: Command = {
  usage: "framework generate route <path> <method …> [param:type …] [options]",
  summary: "Add handlers to a file under routes/.",
  details:
    "The path is that of the URL and of the file. Write a param in it as [item_id], in quotes for the shell.\n" +
    `Any other param becomes a further segment after it.\n${TAKES_DETAILS}`,
  takesWords: true,
  options: { ...TAKES_OPTIONS, ...PLAN_OPTIONS },
  examples: [
    "framework generate route reviews get post",
    "framework generate route reviews get review_id:int",
    'framework generate route "users/[user_id]/posts" get user_id:int',
    "framework generate route GET POST /reviews",
    "framework generate route POST /reviews --body 'stars:1|2|3|4|5 text:string?'",
  ],
  run: (input) => carryOut(input, readRouteInput, planRoute, printResult),
};

export const generateProvider: Command = {
  usage: "framework generate provider <name> [param:type …] [options]",
  summary: "Add a provider: a function whose result handlers ask for.",
  details:
    "It takes the token of a request, and refuses every one until you write the look-up.\n" +
    "With params of the path, such as slug or id:int, it takes these instead.\n" +
    "Without --app, it is in a file of its own in providers/.",
  takesWords: true,
  options: {
    app: { type: "string", value: "<name>", description: "The app whose providers.ts gets it." },
    ...PLAN_OPTIONS,
  },
  examples: [
    "framework generate provider current_user",
    "framework generate provider currentUser --app users",
    "framework generate provider article_by_slug slug --app blog",
  ],
  run: (input) => carryOut(input, readProviderInput, planProvider, printResult),
};

export const generateHooks: Command = {
  usage: "framework generate hooks <folder> [options]",
  summary: "Add a guard, middleware or an error hook for the routes of a folder.",
  details:
    "The folder is an app's name, a folder in routes/, or . for the root. The hooks are in its _hooks.ts.\n" +
    "If several files export the provider, name its file, too: --guard auth.ts#current_user",
  takesWords: true,
  options: {
    guard: GUARD_OPTION,
    middleware: { type: "boolean", description: "A middleware that measures the time." },
    error: { type: "boolean", description: "An error hook that gives errors a shape." },
    ...PLAN_OPTIONS,
  },
  examples: [
    "framework generate hooks users --guard current_user",
    "framework generate hooks routes/admin --guard require_admin",
    "framework generate hooks . --middleware --error",
  ],
  run: (input) => carryOut(input, readHooksInput, planHooks, printResult),
};

export function printResult(input: CommandInput, plan: Plan): number {
  kleur.enabled = input.terminal.color;
  const { changes, made, present, notes } = plan;
  const result = { made: made.map(toRecord), present: present.map(toRecord), notes };
  const already = present.map(
    ({ route, location }) => `${escapeControl(route)} is there already: ${formatLocation(location)}`,
  );
  const isBlock = (note: string): boolean => note.includes("\n");
  const blocks = notes.filter(isBlock).map((text) => text.split("\n").map(escapeControl));
  const lines = notes.filter((note) => !isBlock(note)).map(escapeControl);
  return printPlan(input, changes, result, [alignRoutes(made), already, ...blocks, lines]);
}

function toRecord({ route, url, location }: Made): object {
  return { route, url, ...location };
}

function alignRoutes(made: readonly Made[]): string[] {
  const methods = Math.max(0, ...made.map(({ route }) => route.indexOf(" ")));
  const urls = Math.max(0, ...made.map(({ url }) => url.length));
  return made.map(({ route, url, location }) => {
    const method = route.slice(0, route.indexOf(" ")).padEnd(methods);
    return `${kleur.bold(method)} ${kleur.cyan(url.padEnd(urls))}  ${formatLocation(location)}`;
  });
}
