/** `framework routes match`: which route serves a request and with what values, or why each near route does not. */

import { kleur } from "#convention/deps/kleur";
import { columnsOf } from "#convention/diagnostics/columns";
import { hasErrors } from "#convention/diagnostics/diagnostic";
import { formatLocation } from "#convention/diagnostics/format";
import { type Explanation, explainTarget, type Missed, type Served } from "#convention/explain/explain";
import type { NearMiss } from "#convention/explain/near-misses";
import { formatSummary } from "#convention/explain/prose";
import { type Project, readProject } from "#convention/project";
import { formatShape } from "#convention/wire/format-shape";
import { NOTHING_TYPED, type TypedRoute } from "#convention/wire/typed-route";
import { escapeControl, formatJson } from "#runtime/escape";
import { METHODS, type Route } from "#runtime/routing/route";
import type { RouteLimits } from "#runtime/settings";
import { isCredential } from "#runtime/wire/credentials";
import type { DeclaredInput } from "#runtime/wire/inputs";
import type { Definitions } from "#runtime/wire/shape";
import { type Command, type CommandInput, flag, type Terminal, UsageError } from "../command.ts";
import { requireProjectRoot } from "../project-root.ts";
import { formatColumns, formatParamType, labelsOf } from "../route-formats.ts";
import { type Step, stepsOf, takesOf } from "../route-steps.ts";
import { suggest } from "../suggest.ts";
import { alignRows, colorMethod, GAP } from "../table.ts";
import { toRecord } from "./record.ts";

export const routesMatch: Command = {
  usage: "framework routes match <method> <path> [options]",
  summary: "Show which route serves a request, what it wants and what runs, or why none does.",
  details:
    "It answers as the server does, and runs nothing of the project. If no route matches, it shows the nearest ones, each\n" +
    "with the reason. The exit status is 0 if the request is served, and 1 if it would get a 400, 404 or 405.",
  options: { json: flag("Print a JSON object, for programs.") },
  examples: [
    "framework routes match GET /users/by/id/7",
    "framework routes match GET /users/by/id/abc",
    "framework routes match POST /items --json",
  ],
  async run(input) {
    const { flags, terminal } = input;
    const { method, target } = readRequest(input);
    const project = readProject(requireProjectRoot(input));
    const explanation = explainTarget(project, project.settings.health, method, target);
    if (flags.json) terminal.print(formatJson(toMatchRecord(explanation, project), 2));
    else if (explanation.kind === "match") printServed(explanation, project, terminal);
    else printMissed(explanation, project, terminal);
    if (hasErrors(project.diagnostics)) printCaution(terminal);
    return explanation.kind === "match" || explanation.status < 400 ? 0 : 1;
  },
};

/**
 * @returns the target as it is sent, with a query if there is one: a path, or `*` for OPTIONS.
 * @throws {UsageError} where the words are not a method and a path.
 */
function readRequest({ words }: Pick<CommandInput, "words">): { method: string; target: string } {
  const [word = "", target = ""] = words;
  const method = word.toUpperCase();
  // Not imported: it takes long, and every command would wait for it.
  const { METHODS: all } = process.getBuiltinModule("node:http");
  if (method === "CONNECT" || !all.includes(method))
    throw new UsageError(`There is no method ${JSON.stringify(word)}.`, suggest(word, METHODS));
  if (target.startsWith("/") || (target === "*" && method === "OPTIONS")) return { method, target };
  throw new UsageError(
    `A path begins with a slash. This one does not: ${JSON.stringify(target)}.`,
    `Write the path alone: framework routes match ${method} /items`,
  );
}

function printServed(served: Served, project: Project, { columns, color, print }: Terminal): void {
  const { method, route, values } = served;
  print(formatColumns([{ ...route, ...NOTHING_TYPED }], columns, color));
  kleur.enabled = color;
  const lines = values.map(({ param, value }) => {
    const shown = typeof value === "number" ? String(value) : JSON.stringify(value);
    return `${escapeControl(param.name)} = ${kleur.bold(escapeControl(shown))} ${kleur.dim(`(${formatParamType(param)})`)}`;
  });
  if (lines.length > 0) print(`\n${lines.join("\n")}`);
  const takes = takesOf(route);
  if (takes.length > 0) print(`\n${formatWants(takes, project.definitions, columns).join("\n")}`);
  const steps = stepsOf(route);
  if (steps.length > 0) print(`\n${formatSteps(steps, route).join("\n")}`);
  if (route.limits) print(`\n${formatLimits(route.limits)}`);
  if (method === "HEAD" && route.method === "GET")
    print("\nHEAD is answered by the GET of the same path, without a body.");
}

/** A line for each function that runs, in order: what it is, its name where that says more, and its place. */
function formatSteps(steps: readonly Step[], { handler, location }: Route): string[] {
  const called = steps.map((step) => ({
    ...step,
    name: step.kind === step.name ? step.kind : `${step.kind} ${step.name}`,
  }));
  const rows = [...called, { name: `handler ${handler}`, location }].map((step) => [
    escapeControl(step.name),
    formatLocation(step.location),
  ]);
  const lines = alignRows(rows).map(([name, place = ""]) => `${GAP}${name}${GAP}${kleur.dim(place)}`);
  return ["It runs, in this order:", ...lines];
}

/** @example "The limits of its folder: a body of at most 20000000 bytes, 30 seconds." */
function formatLimits({ bodyLimit, handlerTimeout }: RouteLimits): string {
  const limits = [
    ...(bodyLimit === undefined ? [] : [`a body of at most ${bodyLimit} bytes`]),
    ...(handlerTimeout === undefined
      ? []
      : [handlerTimeout === 0 ? "any time" : `${handlerTimeout} seconds`]),
  ];
  return `The limits of its folder: ${limits.join(", ")}.`;
}

/** A line for each take: its place and key, its type, and whether a request has to have it. */
function formatWants(takes: readonly DeclaredInput[], definitions: Definitions, columns: number): string[] {
  const places = takes.map(({ in: place, key }) => (key === undefined ? place : `${place} ${key}`));
  const needs = takes.map(formatNeed);
  const [left = 0, right = 0] = [places, needs].map((texts) => Math.max(...texts.map(columnsOf)));
  const types = takes.map((take) =>
    formatWantedType(take, definitions, columns - left - right - 2 * GAP.length),
  );
  const hasTypes = types.some((type) => type !== "");
  const rows = places.map((place, at) => [place, ...(hasTypes ? [types[at] ?? ""] : []), needs[at] ?? ""]);
  return alignRows(rows).map((cells) => escapeControl(cells.join(GAP)));
}

function formatNeed({ optional, default: value }: DeclaredInput): string {
  if (!optional) return "required";
  return value === undefined ? "optional" : `optional, ${JSON.stringify(value)} by default`;
}

/** With what a name means behind it. */
function formatWantedType(take: DeclaredInput, definitions: Definitions, room: number): string {
  if (isCredential(take.in)) return "";
  const { shape } = take;
  const named = shape.kind === "reference" ? definitions[shape.name] : undefined;
  if (shape.kind !== "reference" || named === undefined) return formatShape(shape, room);
  return `${shape.name} ${formatShape(named, room - shape.name.length - 1)}`;
}

function printMissed(missed: Missed, { routes }: Pick<Project, "routes">, { color, print }: Terminal): void {
  kleur.enabled = color;
  const { kind, suggestion, near } = missed;
  print(escapeControl(formatSummary(missed)));
  if (suggestion !== null) print(`Did you mean ${escapeControl(suggestion)}?`);
  for (const miss of near) print(`\n${formatNearMiss(miss)}`);
  const lost = kind === "no-match" && suggestion === null && near.length === 0;
  if (lost && routes.length > 0) print("\nNo route comes near: framework routes list shows them all.");
}

function formatNearMiss(miss: NearMiss): string {
  const { method, pattern, location } = miss.route;
  const place = kleur.dim(formatLocation(location));
  return `  ${colorMethod(method)} ${escapeControl(pattern)}  ${place}\n    ${escapeControl(miss.reason)}`;
}

function printCaution({ printError }: Terminal): void {
  printError(
    "\nThe project has errors, and handlers that have them are missing here: npx framework routes check",
  );
}

/** What `--json` gives: for a miss `route` is null, for a match `near` is empty. */
function toMatchRecord(explanation: Explanation, project: Project): object {
  const { kind, method, path } = explanation;
  const labels = labelsOf(project.apps);
  const toRouteRecord = (route: TypedRoute): object => toRecord(route, labels, project.definitions);
  const request = { method, path, outcome: kind };
  if (explanation.kind === "match") {
    const values = explanation.values.map(({ param: { name, type }, value }) => ({ name, type, value }));
    const served = { route: toRouteRecord(explanation.route), values };
    return { ...request, ...served, status: null, allow: [], reason: null, suggestion: null, near: [] };
  }
  const { status, allow, suggestion } = explanation;
  const near = explanation.near.map((miss) => ({
    route: toRouteRecord(miss.route),
    reason: miss.reason,
    suggestion: miss.suggestion,
  }));
  const reason = formatSummary(explanation);
  return { ...request, route: null, values: [], status, allow, reason, suggestion, near };
}
