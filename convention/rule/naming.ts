/** Which route a handler's name means, and the same the other way round. */

import { METHODS, type RouteMethod } from "#runtime/routing/route";
import { closest } from "../diagnostics/closest.ts";
import { toRouteSegment } from "./file-naming.ts";
import { suggestHandlerName } from "./near-miss.ts";
import {
  type BadName,
  badName,
  badParamName,
  INDEX,
  isBadName,
  type NamedSegment,
  paramsIn,
  repeatedParam,
} from "./segments.ts";

/** What the name of a handler in `views.ts` says: `get_featured_items` is GET, `["featured", "items"]`; `[]` is `index`. */
export interface HandlerName {
  readonly method: RouteMethod;
  /** Without the params that the name does not place: they follow at the end of the path. */
  readonly segments: readonly NamedSegment[];
}

/** Before the name of a param, as a word of an endpoint. */
const PLACED = "$";
/** The same for the param of a whole path. */
const WHOLE = "$$";
const METHOD_BY_WORD: ReadonlyMap<string, RouteMethod> = new Map(
  [...METHODS, "ALL" as const].map((method) => [method.toLowerCase(), method]),
);
const HANDLER_NAME = /^([a-z]+)_(.*)$/s;

/** What an identifier may go on with, but for `_`, which is a slash, and the invisible joiners. */
const HANDLER_SEGMENT = /^[\p{ID_Continue}$]+$/u;

/**
 * @param params the names of the handler's params: each `$name` in the handler's name places one of them.
 * @returns what the name says, or why it says nothing.
 * @example parseHandlerName("get_featured_items") // { method: "GET", segments: ["featured", "items"] }
 * @example parseHandlerName("get_$id_parts", ["id"]) // { method: "GET", segments: [{ param: "id" }, "parts"] }
 */
export function parseHandlerName(name: string, params: readonly string[] = []): HandlerName | BadName {
  const match = HANDLER_NAME.exec(name);
  const method = METHOD_BY_WORD.get(match?.[1] ?? "");
  const endpoint = match?.[2];
  if (method === undefined || endpoint === undefined) return noMethod(name);
  if (endpoint === INDEX) return { method, segments: [] };
  const words = endpoint.split("_");
  const bad = words.find((word) => word !== "" && !HANDLER_SEGMENT.test(word));
  if (bad !== undefined) return badWord(bad);
  const segments = placeParams(words, params);
  if (isBadName(segments)) return segments;
  if (segments.includes("")) return emptySegment(method, segments);
  return repeatedParam(segments) ?? { method, segments };
}

/** The method of a handler's name, whether its params are what the name asks for or not. */
export function methodOf(name: string): RouteMethod | undefined {
  return parseMethodExport(name) ?? METHOD_BY_WORD.get(HANDLER_NAME.exec(name)?.[1] ?? "");
}

/** The param of the whole path in a handler's name. @example wholePathOf("get_files_$$path") // "path" */
export function wholePathOf(name: string): string | undefined {
  return /_\$\$(.+)$/s.exec(name)?.[1];
}

/** Whether an export of that name in `views.ts` is a handler, if its params are what the name asks for. */
export function isHandlerName(name: string): boolean {
  const parsed = parseHandlerName(name);
  return !isBadName(parsed) || parsed.kind === "param";
}

/**
 * The inverse of {@link parseHandlerName}.
 * @param params the names of all the handler's params: with them the name has to mean the same route.
 * @example formatHandlerName({ method: "GET", segments: [] }) // "get_index"
 */
export function formatHandlerName(
  { method, segments }: HandlerName,
  params: readonly string[] = paramsIn(segments),
): string | BadName {
  const word = method.toLowerCase();
  if (segments.length === 0) return `${word}_${INDEX}`;
  if (segments.length === 1 && segments[0] === INDEX) {
    const why = `\`${word}_${INDEX}\` serves the root of the app, so no handler name can serve \`/${INDEX}\``;
    return badName(why, `Serve it from a file: routes/…/${INDEX}/${INDEX}.ts.`);
  }
  if (segments.includes("")) return emptySegment(method, segments);
  const bad = segments.find((segment) => typeof segment === "string" && !isStaticWord(segment));
  if (typeof bad === "string") return badWord(bad);
  const name = `${word}_${segments.map(toEndpointWord).join("_")}`;
  const back = parseHandlerName(name, params);
  if (isBadName(back)) return back;
  return isSamePath(back.segments, segments) ? name : ambiguousName(name, back.segments);
}

function isStaticWord(text: string): boolean {
  return HANDLER_SEGMENT.test(text) && !text.includes("_") && !text.startsWith(PLACED);
}

function toEndpointWord(segment: NamedSegment): string {
  return typeof segment === "string" ? segment : `${segment.whole ? WHOLE : PLACED}${segment.param}`;
}

function isSamePath(one: readonly NamedSegment[], other: readonly NamedSegment[]): boolean {
  return one.map(toEndpointWord).join("/") === other.map(toEndpointWord).join("/");
}

/** The words of an endpoint as segments. A param's name may have a `_`: the longest that fits after a `$` is meant. */
function placeParams(words: readonly string[], params: readonly string[]): NamedSegment[] | BadName {
  const segments: NamedSegment[] = [];
  for (let rest = words; rest.length > 0; ) {
    const [word = ""] = rest;
    if (word.startsWith(WHOLE)) {
      const whole = toWhole(rest.join("_"), params);
      return isBadName(whole) ? whole : [...segments, whole];
    }
    const isPlaced = word.startsWith(PLACED);
    const param = isPlaced ? findPlaced(rest, params) : undefined;
    if (isPlaced && param === undefined) return noSuchParam(rest, params);
    segments.push(param === undefined ? word : { param });
    rest = rest.slice(param?.split("_").length ?? 1);
  }
  return segments;
}

/** @param text from the `$$` on: a whole path is the last segment, so all of it is the param's name. */
function toWhole(text: string, params: readonly string[]): NamedSegment | BadName {
  const name = text.slice(WHOLE.length);
  if (params.includes(name)) return { param: name, whole: true };
  const bad = badParamName(name);
  if (bad !== undefined)
    return badName(
      `\`${text}\` needs the name of the whole path's param`,
      "Write the param at the end, as in `get_files_$$path(path: string[])`.",
    );
  return badName(
    `\`${text}\` is a whole path, but no parameter is called \`${name}\``,
    `Add the parameter \`${name}: string[]\`. Nothing can follow it in the path.`,
    "param",
  );
}

/** The param that the words begin with. */
function findPlaced(words: readonly string[], params: readonly string[]): string | undefined {
  const text = `${words.join("_")}_`;
  const fitting = params.filter((param) => text.startsWith(`${toEndpointWord({ param })}_`));
  return fitting.sort((one, other) => other.length - one.length)[0];
}

/** @param words from the `$` on that places no param. */
function noSuchParam(words: readonly string[], params: readonly string[]): BadName {
  const next = words.findIndex((word, index) => index > 0 && word.startsWith(PLACED));
  const run = next < 0 ? words : words.slice(0, next);
  const names = run.map((_, index) =>
    run
      .slice(0, index + 1)
      .join("_")
      .slice(PLACED.length),
  );
  const meant = names.toReversed().flatMap((name) => closest(name, params) ?? [])[0];
  const why = `\`${run.join("_")}\` places a param, but no parameter has that name`;
  if (meant !== undefined) return badName(why, `Did you mean \`${PLACED}${meant}\`?`, "param");
  const [name = ""] = names;
  const bad = badParamName(name);
  if (bad === undefined) {
    const hint = `Add the parameter \`${name}: string\`, or remove the \`${PLACED}\`.`;
    return { ...badName(why, hint, "param"), missing: name };
  }
  return badName(
    name === "" ? "A `$` needs the name of a param after it" : bad.why,
    "Write a param of the handler after the `$`, as in `get_$id(id: int)`.",
    "param",
  );
}

function ambiguousName(name: string, segments: readonly NamedSegment[]): BadName {
  const path = segments.map((segment) => (typeof segment === "string" ? segment : `<${segment.param}>`));
  return badName(
    `\`${name}\` would be read as /${path.join("/")}`,
    "Give one of the params another name, or serve the path from a file.",
  );
}

function noMethod(name: string): BadName {
  const suggestion = suggestHandlerName(name);
  const hint =
    suggestion === undefined
      ? `Begin it with one of ${[...METHOD_BY_WORD.keys()].join(", ")} and a \`_\`.`
      : `Did you mean \`${suggestion}\`?`;
  return badName(`\`${name}\` does not begin with a method`, hint, "method");
}

function emptySegment(method: RouteMethod, segments: readonly NamedSegment[]): BadName {
  const words = [method.toLowerCase(), ...segments.map(toEndpointWord)];
  const kept = words.filter((word) => word !== "");
  if (kept.length === 1) kept.push(INDEX);
  return badName(
    `\`${words.join("_")}\` has an empty segment: each \`_\` is a slash, and no path has \`//\``,
    `Did you mean \`${kept.join("_")}\`? A segment with a \`_\` in it needs a file under routes/.`,
  );
}

function badWord(word: string): BadName {
  return badName(
    `A function's name can't contain the segment \`${word}\``,
    isBadName(toRouteSegment(word))
      ? "Use letters, digits and `$`, with `_` between segments."
      : `Serve it from a file instead: routes/…/${word}.ts.`,
  );
}

/**
 * The method that an export of a route file serves: `get` → GET; `delete` and `del` → DELETE; `all` → every other.
 * @returns undefined for any other name.
 */
export function parseMethodExport(exportName: string): RouteMethod | undefined {
  return exportName === "del" ? "DELETE" : METHOD_BY_WORD.get(exportName);
}

/** The inverse of {@link parseMethodExport}; of DELETE's two names the one that a function may have. */
export function formatMethodExport(method: RouteMethod): string {
  return method === "DELETE" ? "del" : method.toLowerCase();
}
