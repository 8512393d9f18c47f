/** `framework generate handler | app | route`: reads the words, plans, shows or applies the plan, and tells what now exists. */

import { planApp } from "#generators/app/plan";
import { planHandler } from "#generators/handler/plan";
import type { Made, Plan } from "#generators/plan";
import { planRoute } from "#generators/route/plan";
import { formatLocation } from "#runtime/convention/diagnostics/format";
import { escapeControl } from "#runtime/core/escape";
import type { ServerSettings } from "#runtime/core/settings";
import { kleur } from "#runtime/deps/kleur";
import type { Command, CommandInput } from "../command.ts";
import { formatBlocks, formatChanges, PLAN_OPTIONS, type Planner, runPlanner } from "./run.ts";
import { readAppInput, readHandlerInput, readRouteInput, requireApp } from "./words.ts";

export const generateHandler: Command = {
  usage: "framework generate handler <name> [param:type …] [options]",
  summary: "Add a handler to an app.",
  details:
    "Instead of the name, the method and path that it shall serve may be given; the app is then the one whose prefix fits.\n" +
    "A param is written order_id:int; its type is int, number, str or string, which it is without one.\n" +
    "A $order_id in the name places the param there; put such a name in single quotes for the shell.\n" +
    "The word request among the params gives the handler the request there.",
  takesWords: true,
  options: {
    app: { type: "string", value: "<name>", description: "The app that gets the handler." },
    ...PLAN_OPTIONS,
  },
  examples: [
    "framework generate handler post_index --app products",
    "framework generate handler get_by_id order_id:int --app orders",
    "framework generate handler GET /products/featured/items",
    'framework generate handler DELETE "/products/<slug>/reviews/<id:int>"',
  ],
  run: (input) =>
    generate(input, {
      read: (typed) => readHandlerInput("generate", typed),
      plan(project, words) {
        requireApp("generate", project, words);
        return planHandler(project, words);
      },
    }),
};

export const generateApp: Command = {
  usage: "framework generate app <name> [options]",
  summary: "Add an app: a folder with app.toml and views.ts, listed in framework.toml.",
  details: "Instead of the name, the method and path that its first handler shall serve may be given.",
  takesWords: true,
  options: {
    prefix: {
      type: "string",
      value: "<path>",
      description: "The path before its routes; /<name> without it.",
    },
    ...PLAN_OPTIONS,
  },
  examples: [
    "framework generate app orders",
    "framework generate app orders --prefix /api/v1/orders",
    "framework generate app GET /api/v1/orders",
  ],
  run: (input) => generate(input, { read: (typed) => readAppInput("generate", typed), plan: planApp }),
};

export const generateRoute: Command = {
  usage: "framework generate route <path> <method …> [param:type …] [options]",
  summary: "Add handlers to a file under routes/.",
  details:
    "The path is the URL's, which is the file's too; a param in it is written [item_id], in quotes for the shell.\n" +
    "A param that the path does not have becomes a further segment after it.",
  takesWords: true,
  options: PLAN_OPTIONS,
  examples: [
    "framework generate route reviews get post",
    "framework generate route reviews get review_id:int",
    'framework generate route "users/[user_id]/posts" get user_id:int',
    "framework generate route GET POST /reviews",
  ],
  run: (input) => generate(input, { read: (typed) => readRouteInput("generate", typed), plan: planRoute }),
};

function generate<Words extends object>(input: CommandInput, planner: Planner<Words, Plan>): Promise<number> {
  return runPlanner(input, planner, {
    toText: (planned, { settings }) => formatPlan(settings, planned),
    toJson: (planned, { settings }) => toJson(settings, planned),
  });
}

function toJson(settings: ServerSettings, { made, present, notes }: Plan): object {
  const show = ({ route, location }: Made): object => ({ route, url: urlOf(settings, route), ...location });
  return { made: made.map(show), present: present.map(show), notes };
}

function formatPlan(settings: ServerSettings, plan: Plan): string {
  const made = alignRoutes(
    plan.made.map(({ route, location }) => [
      methodOf(route),
      urlOf(settings, route),
      formatLocation(location),
    ]),
  );
  const present = plan.present.map(
    ({ route, location }) => `${escapeControl(route)} is there already: ${formatLocation(location)}`,
  );
  return formatBlocks([formatChanges(plan.changes), made, present, plan.notes.map(escapeControl)]);
}

function alignRoutes(rows: readonly (readonly [string, string, string])[]): string[] {
  const methods = Math.max(0, ...rows.map(([method]) => method.length));
  const urls = Math.max(0, ...rows.map(([, url]) => url.length));
  return rows.map(
    ([method, url, location]) =>
      `${kleur.bold(method.padEnd(methods))} ${kleur.cyan(url.padEnd(urls))}  ${location}`,
  );
}

function methodOf(route: string): string {
  return route.slice(0, route.indexOf(" "));
}

/** Where the project listens unless it is told otherwise when it starts; an address for all is reached as localhost. */
function urlOf({ host, port }: ServerSettings, route: string): string {
  const isAll = host === "0.0.0.0" || host === "::";
  const name = isAll ? "localhost" : host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return escapeControl(`http://${name}:${port}${route.slice(route.indexOf(" ") + 1)}`);
}
