/** From handlers of both conventions to the one table: builds paths, reports conflicts, orders the routes by path. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { compareLocations } from "#convention/diagnostics/order";
import type { Location, Route } from "#runtime/routing/route";
import { isProbe } from "#runtime/settings";
import type { Definitions } from "#runtime/wire/shape";
import { diagnose } from "../diagnostics/catalogue.ts";
import { formatPattern } from "../pattern.ts";
import { paramsOf, type TypedParam, type TypedRoute, type TypedSegment } from "../wire/typed-route.ts";
import { bindCalls, checkGuards } from "./calls.ts";
import type { FoundHandler } from "./discovery.ts";
import { type FoundHooks, type Hooks, hooksAround, nearestLimits, toFolderHooks } from "./hooks.ts";
import { checkParams, takesOtherForBracket } from "./param-places.ts";
import { createSamples, sampleOf, spreadWhole } from "./path-shape.ts";
import { checkTogether } from "./providers.ts";
import { comparePaths, compareRoutes } from "./route-order.ts";
import type { NamedSegment } from "./segments.ts";
import type { Caller } from "./splice.ts";

export interface Table {
  /** Without conflict: of routes that serve the same requests, the one declared first stays. */
  readonly routes: readonly TypedRoute[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * @param handlers of each file.
 * @param health the path that the server answers itself, before any route; "" is none.
 */
export function buildTable(
  handlers: readonly (readonly FoundHandler[])[],
  health: string,
  hooks: Hooks,
  definitions: Definitions,
): Table {
  const read = handlers.map((found) => readRows(found, hooks, definitions));
  const routes = read.flatMap((one) => one.routes).sort(compareRoutes);
  const repeated = findRivals(routes);
  const hidden = new Set(repeated.flatMap((group) => group.slice(1)));
  return {
    routes: hidden.size === 0 ? routes : routes.filter((route) => !hidden.has(route)),
    diagnostics: [
      ...firstUnsent(read.flatMap((one) => one.diagnostics)),
      ...repeated.map((group) => diagnoseConflict(group, routes)),
      ...(health === "" ? [] : routes.flatMap((route) => checkHealth(route, health))),
    ],
  };
}

/** The routes of one file, and what is wrong with them by themselves. */
interface Rows {
  readonly routes: readonly TypedRoute[];
  readonly diagnostics: readonly Diagnostic[];
}

function readRows(found: readonly FoundHandler[], hooks: Hooks, definitions: Definitions): Rows {
  const [first] = found;
  const around = first ? hooksAround(hooks, first.module) : [];
  const guards = around.flatMap(({ guard }) => guard ?? []);
  const read = found.map((handler) => ({ handler, route: toRoute(handler, around) }));
  return {
    routes: read.filter(({ handler }) => !takesOtherForBracket(handler)).map(({ route }) => route),
    diagnostics: read.flatMap(({ handler, route }) => [
      ...checkParams(handler, route.pattern),
      ...(guards.length > 0
        ? [
            ...checkGuards(route, guards),
            ...checkTogether([...guards, nameHandler(handler)], definitions, route.method, route),
          ]
        : []),
    ]),
  };
}

/** The groups that serve the same requests. @param routes in order, where these are beside each other. */
function findRivals(routes: readonly TypedRoute[]): (readonly TypedRoute[])[] {
  const groups: TypedRoute[][] = [];
  let group: TypedRoute[] = [];
  for (const route of routes) {
    const [first] = group;
    if (first && first.method === route.method && comparePaths(first, route) === 0) {
      if (group.push(route) === 2) groups.push(group);
    } else group = [route];
  }
  return groups;
}

/** A guard that takes a body is one mistake, however many GET routes it is around. */
function firstUnsent(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const known = new Set<Location | undefined>();
  return diagnostics.filter(({ code, locations: [location] }) => {
    const isRepeated = code === "FW343" && known.has(location);
    known.add(location);
    return !isRepeated;
  });
}

/** A route with a param serves more than that one path. */
function checkHealth(route: Route, health: string): Diagnostic[] {
  const { segments, handler, module, location } = route;
  const method = route.method === "ALL" ? "GET" : route.method;
  const isHidden = isProbe(health, method, `/${segments.join("/")}`);
  if (!isHidden) return [];
  const handlers = ["`health` under `[server]` in framework.toml", `\`${handler}\` in ${module}`];
  const clash = `serve the same requests, such as ${method} ${health}`;
  return [diagnose("FW401", { handlers, clash, apart: "texts" }, location)];
}

function nameHandler({ handler, parameters }: FoundHandler): Caller {
  return { name: handler, parameters };
}

/** A handler's path with its params typed by the signatures, and what to call it with. */
function toRoute(found: FoundHandler, around: readonly FoundHooks[]): TypedRoute {
  const { method, handler, module, app, convention, location, index } = found;
  const segments = bindParams(found.path, found.params);
  const limits = nearestLimits(around);
  const params = segments.filter((segment) => typeof segment !== "string");
  const {
    arguments: passed,
    takes,
    provided,
    calls,
  } = bindCalls(
    found.parameters,
    around.flatMap(({ guard }) => guard ?? []),
    params,
  );
  return {
    method,
    pattern: formatPattern(segments, index && found.params.length === 0),
    segments,
    arguments: passed,
    handler,
    module,
    app,
    convention,
    location,
    takes,
    provided,
    calls,
    hooks: around.flatMap((one) => toFolderHooks(one) ?? []),
    ...(limits && { limits }),
  };
}

/**
 * A path with its params typed, and those that it does not place at its end, in declared order.
 * A bracket that no parameter takes is text; the handler can read it from `request.params`.
 */
export function bindParams(
  path: readonly NamedSegment[],
  params: readonly TypedParam[],
): readonly TypedSegment[] {
  const left = new Map(
    params.map(({ name, type, shape }) => [name, { name, type, ...(shape && { shape }) }]),
  );
  const placed = path.map((segment): TypedSegment => {
    if (typeof segment === "string") return segment;
    const { param: name, whole } = segment;
    const param = left.get(name) ?? { name, type: whole ? "str[]" : "str" };
    left.delete(name);
    return param;
  });
  return [...placed, ...left.values()];
}

function diagnoseConflict(group: readonly TypedRoute[], routes: readonly Route[]): Diagnostic {
  const declared = group.toSorted((one, other) => compareLocations(one.location, other.location));
  const handlers = declared.map(({ handler, module }) => `\`${handler}\` in ${module}`);
  const locations = declared.map(({ location }) => location);
  const { method = "GET", pattern = "/", segments = [] } = declared[0] ?? {};
  const shapes = group.map((route) => JSON.stringify(paramsOf(route.segments).map(({ shape }) => shape)));
  if (new Set(shapes).size > 1) {
    const clash = `share the path ${method} ${pattern}`;
    return diagnose("FW401", { handlers, clash, apart: "constraints" }, ...locations);
  }
  const samples = createSamples(routes);
  const url = formatPattern(
    spreadWhole(segments, segments.length + 1).map((segment) => sampleOf(segment, samples)),
    false,
  );
  const clash =
    method === "ALL"
      ? `serve the same requests, such as any other method of ${url}`
      : `serve the same requests, such as ${method} ${url}`;
  const apart = paramsOf(segments).length > 0 ? "names" : "texts";
  return diagnose("FW401", { handlers, clash, apart }, ...locations);
}
