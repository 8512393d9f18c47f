/** For tests: what a generator plans for a line as it is typed, and why it refuses. */

import { readProject } from "#convention/project";
import { METHODS, type RouteMethod } from "#runtime/routing/route";
import { planApp } from "./app.ts";
import { planHandler, planRoute } from "./handlers.ts";
import type { Made, Plan } from "./plan.ts";
import { orRefused, Refused } from "./refused.ts";
import { parseFields } from "./target/fields.ts";
import { parseParams } from "./target/words.ts";

/** @param line what follows `generate`, with methods in capitals: `handler GET /products/x --body a:int`. */
export function plan(root: string, line: string): Plan | Refused {
  return orRefused(() => planLine(root, line));
}

/** @throws {Refused} */
export function accept(planned: Plan | Refused): Plan {
  if (planned instanceof Refused) throw planned;
  return planned;
}

/** Each reason in a line: its code, its message and its hint. "" for a plan. */
export function refusal(planned: Plan | Refused): string {
  const diagnostics = planned instanceof Refused ? planned.diagnostics : [];
  return diagnostics.map(({ code, message, hint }) => `${code} ${message} ${hint}`).join("\n");
}

/** @example routes(planned.made) // ["GET /products/x"] */
export function routes(made: readonly Made[]): readonly string[] {
  return made.map(({ route }) => route);
}

export function files({ changes }: Plan): readonly string[] {
  return changes.map(({ file }) => file);
}

function planLine(root: string, line: string): Plan {
  const [typed = "", ...options] = line.split(" --");
  const option = (name: string): string | undefined =>
    options.find((one) => one.startsWith(`${name} `))?.slice(name.length + 1);
  const [kind, first = "", ...rest] = typed.split(" ");
  const project = readProject(root);
  if (kind === "app") return planApp(project, { name: first, prefix: option("prefix") });
  const [body, query] = (["body", "query"] as const).map((place) => {
    const text = option(place);
    return text ? parseFields(place, text) : [];
  });
  const taken = { body: body ?? [], query: query ?? [] };
  const params = (words: readonly string[]) => parseParams(words.filter((word) => !isMethod(word)));
  if (kind === "route")
    return planRoute(project, { path: first, methods: rest.filter(isMethod), params: params(rest), taken });
  const [path = "", ...others] = rest;
  const [target, words] = isMethod(first) ? [{ method: first, path }, others] : [{ name: first }, rest];
  return planHandler(project, { target, params: params(words), taken, app: option("app") });
}

function isMethod(word: string): word is RouteMethod {
  return word === "ALL" || METHODS.some((method) => method === word);
}
