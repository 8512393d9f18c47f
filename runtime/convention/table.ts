/** From handlers of both conventions to the one table: paths put together, conflicts refused, in the order of the paths. */

import { type Argument, METHODS, type Param, type Route, type Segment } from "../core/route.ts";
import { isProbe } from "../core/settings.ts";
import { diagnose } from "./catalogue.ts";
import { closest } from "./closest.ts";
import { compareLocations, compareText, type Diagnostic } from "./diagnostics.ts";
import type { FoundHandler } from "./discovery.ts";
import { formatPattern } from "./naming.ts";
import { shapeOf } from "./shape.ts";
import type { SignatureParameter } from "./signature.ts";

export interface Table {
  /** Without conflict: of routes that serve the same requests, the one declared first stays. */
  readonly routes: readonly Route[];
  readonly diagnostics: readonly Diagnostic[];
}

/** @param health the path that the server answers itself, before any route; "" is none. */
export function buildTable(handlers: readonly FoundHandler[], health = ""): Table {
  const diagnostics = handlers.flatMap(checkBrackets);
  const routes = handlers
    .filter((handler) => !takesRequestForBracket(handler))
    .map(toRoute)
    .sort(compareRoutes);
  const byShape = new Map<string, Route[]>();
  for (const route of routes) {
    const shape = `${route.method} ${shapeOf(route.segments)}`;
    const same = byShape.get(shape);
    if (same) same.push(route);
    else byShape.set(shape, [route]);
  }
  const groups = [...byShape.values()];
  const conflicts = groups.filter((group) => group.length > 1).map((group) => refuseConflict(group, routes));
  return {
    routes: groups.flatMap((group) => group.slice(0, 1)),
    diagnostics: [...diagnostics, ...conflicts, ...routes.flatMap((route) => checkHealth(route, health))],
  };
}

/** A route with a param serves more than that one path. */
function checkHealth({ method, segments, location }: Route, health: string): Diagnostic[] {
  const isHidden = isProbe(health, method, `/${segments.join("/")}`);
  return isHidden ? [diagnose("FW404", { method, path: health }, location)] : [];
}

/** A handler's path with its params typed by the signature, and what to call it with. */
export function toRoute(found: FoundHandler): Route {
  const { method, handler, module, app, convention, location, index } = found;
  const params = found.parameters.filter((parameter) => parameter.kind === "param");
  const inPath = found.path.map(
    (segment): Segment => (typeof segment === "string" ? segment : bindBracket(segment.param, params)),
  );
  const bound = new Set(inPath.flatMap((segment) => (typeof segment === "string" ? [] : [segment.name])));
  const appended = params
    .filter(({ name }) => !bound.has(name))
    .map(({ name, type }): Param => ({ name, type }));
  const segments = [...inPath, ...appended];
  const names = segments.flatMap((segment) => (typeof segment === "string" ? [] : [segment.name]));
  return {
    method,
    pattern: formatPattern(segments, index && appended.length === 0),
    segments,
    arguments: found.parameters.map(
      ({ kind, name }): Argument => (kind === "request" ? "request" : names.indexOf(name)),
    ),
    handler,
    module,
    app,
    convention,
    location,
  };
}

/** A bracket that no parameter takes still has to be in the path; the handler can read it from `request.params`. */
function bindBracket(name: string, params: readonly (SignatureParameter & { kind: "param" })[]): Param {
  return { name, type: params.find((param) => param.name === name)?.type ?? "str" };
}

function bracketsOf({ convention, path }: FoundHandler): string[] {
  if (convention === "views") return [];
  return path.flatMap((segment) => (typeof segment === "string" ? [] : [segment.param]));
}

function takesRequestForBracket(handler: FoundHandler): boolean {
  const brackets = bracketsOf(handler);
  return handler.parameters.some(({ kind, name }) => kind === "request" && brackets.includes(name));
}

function checkBrackets(handler: FoundHandler): Diagnostic[] {
  const brackets = bracketsOf(handler);
  if (brackets.length === 0) return [];
  const free = brackets.filter((bracket) => !handler.parameters.some(({ name }) => name === bracket));
  return handler.parameters.flatMap(({ kind, name, location }) => {
    if (kind === "request") return brackets.includes(name) ? [diagnose("FW403", { name }, location)] : [];
    const meant = brackets.includes(name) ? undefined : findMeant(name, free);
    return meant === undefined ? [] : [diagnose("FW402", { name, bracket: meant }, location)];
  });
}

/** `itemId` and `item_id` are the same word to a person. */
function findMeant(name: string, brackets: readonly string[]): string | undefined {
  const plain = (text: string): string => text.replaceAll("_", "").toLowerCase();
  return brackets.find((bracket) => plain(bracket) === plain(name)) ?? closest(name, brackets);
}

function refuseConflict(group: readonly Route[], routes: readonly Route[]): Diagnostic {
  const declared = group.toSorted((one, other) => compareLocations(one.location, other.location));
  const handlers = declared.map(({ handler, module }) => `\`${handler}\` in ${module}`);
  const [first] = group;
  const method = first?.method ?? "GET";
  const segments = first?.segments ?? [];
  const url = formatSample(segments, routes);
  const hasParams = segments.some((segment) => typeof segment !== "string");
  return diagnose("FW401", { handlers, method, url, hasParams }, ...declared.map(({ location }) => location));
}

/** A path that the segments serve and nothing more specific does: its values are no static text of the table. */
function formatSample(segments: readonly Segment[], routes: readonly Route[]): string {
  const texts = new Set(
    routes.flatMap((route) => route.segments.filter((segment) => typeof segment === "string")),
  );
  let digits = 1;
  let letters = "x";
  while (texts.has(String(digits))) digits++;
  while (texts.has(letters)) letters += "x";
  const values = segments.map((segment) =>
    typeof segment === "string" ? segment : segment.type === "int" ? String(digits) : letters,
  );
  return formatPattern(values, false);
}

/** By path, segment by segment, static before int before str, as the router tries them; then by method and place. */
function compareRoutes(one: Route, other: Route): number {
  const shared = Math.min(one.segments.length, other.segments.length);
  for (let position = 0; position < shared; position++) {
    const order = compareSegments(one.segments[position] ?? "", other.segments[position] ?? "");
    if (order !== 0) return order;
  }
  return (
    one.segments.length - other.segments.length ||
    METHODS.indexOf(one.method) - METHODS.indexOf(other.method) ||
    compareLocations(one.location, other.location)
  );
}

function compareSegments(one: Segment, other: Segment): number {
  if (typeof one === "string" && typeof other === "string") return compareText(one, other);
  return rankOf(one) - rankOf(other);
}

function rankOf(segment: Segment): number {
  return typeof segment === "string" ? 0 : segment.type === "int" ? 1 : 2;
}
