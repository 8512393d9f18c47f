/** From handlers of both conventions to the one table: builds paths, reports conflicts, orders the routes by path. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { compareLocations, compareText } from "#runtime/convention/diagnostics/order";
import { formatPattern } from "#runtime/core/routing/pattern";
import { type Location, METHODS, type Param, type Route, type Segment } from "#runtime/core/routing/route";
import { isProbe } from "#runtime/core/settings";
import type { TypedRoute } from "#runtime/core/wire/take";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Modules } from "../source/modules.ts";
import type { FindDefinition } from "../wire/shapes.ts";
import { bindCalls, checkGuards } from "./calls.ts";
import type { FoundHandler } from "./discovery.ts";
import { type FoundHooks, type Hooks, hooksAround, toFolderHooks } from "./hooks.ts";
import type { NamedSegment } from "./naming.ts";
import { checkParams, takesOtherForBracket } from "./param-places.ts";
import { shapeOf } from "./path-shape.ts";
import { checkTogether } from "./providers.ts";
import { canRefuse } from "./refusals.ts";
import type { Caller } from "./splice.ts";

export interface Table {
  /** Without conflict: of routes that serve the same requests, the one declared first stays. */
  readonly routes: readonly TypedRoute[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What the handlers share. */
export interface Surroundings {
  readonly hooks: Hooks;
  readonly find: FindDefinition;
  readonly modules: Modules;
}

/** @param health the path that the server answers itself, before any route; "" is none. */
export function buildTable(
  handlers: readonly FoundHandler[],
  health: string,
  { hooks, find, modules }: Surroundings,
): Table {
  const read = handlers.map((handler) => {
    const around = hooksAround(hooks, handler.module);
    return {
      handler,
      guards: around.flatMap(({ guard }) => guard ?? []),
      route: toRoute(handler, around, modules),
    };
  });
  const diagnostics = read.flatMap(({ handler, guards, route }) => [
    ...checkParams(handler, route.pattern),
    ...checkGuards(route, guards),
    ...(guards.length > 0 ? checkTogether([...guards, nameHandler(handler)], find, route.method, route) : []),
  ]);
  const routes = read
    .filter(({ handler }) => !takesOtherForBracket(handler))
    .map(({ route }) => route)
    .sort(compareRoutes);
  const byShape = new Map<string, TypedRoute[]>();
  for (const route of routes) {
    const shape = `${route.method} ${shapeOf(route.segments)}`;
    byShape.set(shape, [...(byShape.get(shape) ?? []), route]);
  }
  const groups = [...byShape.values()];
  const conflicts = groups.filter(({ length }) => length > 1).map((group) => diagnoseConflict(group, routes));
  return {
    routes: groups.flatMap((group) => group.slice(0, 1)),
    diagnostics: [
      ...firstUnsent(diagnostics),
      ...conflicts,
      ...routes.flatMap((route) => checkHealth(route, health)),
    ],
  };
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
function checkHealth({ method, segments, location }: Route, health: string): Diagnostic[] {
  const isHidden = isProbe(health, method, `/${segments.join("/")}`);
  return isHidden ? [diagnose("FW404", { method, path: health }, location)] : [];
}

function nameHandler({ handler, parameters }: FoundHandler): Caller {
  return { name: handler, parameters };
}

/** A handler's path with its params typed by the signatures, and what to call it with. */
function toRoute(found: FoundHandler, around: readonly FoundHooks[], modules: Modules): TypedRoute {
  const { method, handler, module, app, convention, location, index } = found;
  const segments = bindParams(found.path, found.params);
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
    (call) => canRefuse(modules, call),
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
  };
}

/**
 * A path with its params typed, and those that it does not place at its end, in declared order.
 * A bracket that no parameter takes is text; the handler can read it from `request.params`.
 */
export function bindParams(path: readonly NamedSegment[], params: readonly Param[]): readonly Segment[] {
  const types = new Map(params.map(({ name, type }) => [name, type]));
  const placed = path.map((segment): Segment => {
    if (typeof segment === "string") return segment;
    const type = types.get(segment.param) ?? "str";
    types.delete(segment.param);
    return { name: segment.param, type };
  });
  return [...placed, ...[...types].map(([name, type]): Param => ({ name, type }))];
}

function diagnoseConflict(group: readonly Route[], routes: readonly Route[]): Diagnostic {
  const declared = group.toSorted((one, other) => compareLocations(one.location, other.location));
  const handlers = declared.map(({ handler, module }) => `\`${handler}\` in ${module}`);
  const [first] = group;
  const method = first?.method ?? "GET";
  const segments = first?.segments ?? [];
  const url = formatSample(segments, routes);
  const hasParams = segments.some((segment) => typeof segment !== "string");
  return diagnose("FW401", { handlers, method, url, hasParams }, ...declared.map(({ location }) => location));
}

/** A path that these segments serve, and no route more specific: its values are not static text anywhere in the table. */
function formatSample(segments: readonly Segment[], routes: readonly Route[]): string {
  const texts = new Set(routes.flatMap((route) => route.segments));
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
