/** The rule: which route a handler's name or a route file's path stands for, and the same the other way round. */

import { isDots, PATH_SEGMENT, PREFIX_SEGMENT } from "#runtime/core/routing/pattern";
import { METHODS, type Method } from "#runtime/core/routing/route";
import { closest } from "../diagnostics/closest.ts";
import { suggestHandlerName } from "./near-miss.ts";

/** What the name of a handler in `views.ts` says: `get_featured_items` is GET, `["featured", "items"]`; `[]` is `index`. */
export interface HandlerName {
  readonly method: Method;
  /** Without the params that the name does not place: they follow at the end of the path. */
  readonly segments: readonly NamedSegment[];
}

/** What the path of a file under `routes/` says. */
export interface RouteFile {
  readonly segments: readonly NamedSegment[];
  /** Set where the same path has two files, and this is the folder's: `admin/index.ts`, not `admin.ts`. */
  readonly index?: true;
}

/** A segment as a name spells it: static text, or a param (`$id`, `[id]`), whose type the handler's signature tells. */
export type NamedSegment = string | { readonly param: string };

/** Why a name stands for no route, or a route for no name. */
export interface BadName {
  /**
   * `method`: the name does not begin with a method, so it may be meant for something else. `text`: it breaks the rule.
   * `param`: a `$name` in it is none of the params that were given.
   */
  readonly kind: "method" | "text" | "param";
  readonly why: string;
  readonly hint: string;
  /** The param that would have to be added; nothing where another one was probably meant. */
  readonly missing?: string;
}

const INDEX = "index";
/** Before the name of a param, as a word of an endpoint. */
const PLACED = "$";
const METHOD_BY_WORD: ReadonlyMap<string, Method> = new Map(
  METHODS.map((method) => [method.toLowerCase(), method]),
);
const HANDLER_NAME = /^([a-z]+)_(.*)$/s;

/** What an identifier may go on with, but for `_`, which is a slash, and the invisible joiners. */
const HANDLER_SEGMENT = /^[\p{ID_Continue}$]+$/u;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

export function isBadName<T extends object>(value: T | BadName): value is BadName {
  return "why" in value;
}

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

/** Whether an export of that name in `views.ts` is a handler, if its params are what the name asks for. */
export function isHandlerName(name: string): boolean {
  const parsed = parseHandlerName(name);
  return !isBadName(parsed) || parsed.kind === "param";
}

/**
 * The inverse of {@link parseHandlerName}.
 * @param params the names of all the handler's params. A name that they would make mean another route is refused.
 * @example formatHandlerName({ method: "GET", segments: [] }) // "get_index"
 */
export function formatHandlerName(
  { method, segments }: HandlerName,
  params: readonly string[] = paramsIn(segments),
): string | BadName {
  const word = method.toLowerCase();
  if (segments.length === 0) return `${word}_${INDEX}`;
  if (segments.length === 1 && segments[0] === INDEX) {
    return {
      kind: "text",
      why: `\`${word}_${INDEX}\` stands for the root of the app, so no handler name stands for \`/${INDEX}\``,
      hint: `Serve it from a file: routes/…/${INDEX}/${INDEX}.ts.`,
    };
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
  return typeof segment === "string" ? segment : `${PLACED}${segment.param}`;
}

export function paramsIn(segments: readonly NamedSegment[]): string[] {
  return segments.flatMap((segment) => (typeof segment === "string" ? [] : [segment.param]));
}

function isSamePath(one: readonly NamedSegment[], other: readonly NamedSegment[]): boolean {
  return one.map(toEndpointWord).join("/") === other.map(toEndpointWord).join("/");
}

/** The words of an endpoint as segments. A param's name may hold a `_`: the longest that fits after a `$` is meant. */
function placeParams(words: readonly string[], params: readonly string[]): NamedSegment[] | BadName {
  const segments: NamedSegment[] = [];
  for (let at = 0; at < words.length; ) {
    const word = words[at] ?? "";
    if (!word.startsWith(PLACED)) {
      segments.push(word);
      at++;
      continue;
    }
    const param = longestOf(
      params.filter((name) => beginsWith(words.slice(at), toEndpointWord({ param: name }))),
    );
    if (param === undefined) return noSuchParam(words, at, params);
    segments.push({ param });
    at += param.split("_").length;
  }
  return segments;
}

function beginsWith(words: readonly string[], text: string): boolean {
  return `${words.join("_")}_`.startsWith(`${text}_`);
}

function longestOf(names: readonly string[]): string | undefined {
  return names.toSorted((one, other) => other.length - one.length)[0];
}

function noSuchParam(words: readonly string[], at: number, params: readonly string[]): BadName {
  const next = words.findIndex((word, index) => index > at && word.startsWith(PLACED));
  const run = words.slice(at, next < 0 ? undefined : next);
  const names = run.map((_, index) =>
    run
      .slice(0, index + 1)
      .join("_")
      .slice(PLACED.length),
  );
  const meant = names
    .toReversed()
    .map((name) => closest(name, params))
    .find((param) => param !== undefined);
  const [name = ""] = names;
  const bad = meant === undefined ? badParamName(name) : undefined;
  if (bad !== undefined) {
    const why = name === "" ? "A `$` needs the name of a param after it" : bad.why;
    return {
      kind: "param",
      why,
      hint: "Write a param of the handler after the `$`, as in `get_$id(id: int)`.",
    };
  }
  return {
    kind: "param",
    why: `\`${run.join("_")}\` places a param, but no parameter has that name`,
    ...(meant === undefined
      ? { hint: `Add the parameter \`${name}: string\`, or remove the \`${PLACED}\`.`, missing: name }
      : { hint: `Did you mean \`${PLACED}${meant}\`?` }),
  };
}

function ambiguousName(name: string, segments: readonly NamedSegment[]): BadName {
  return {
    kind: "text",
    why: `\`${name}\` would be read as /${segments.map((segment) => (typeof segment === "string" ? segment : `<${segment.param}>`)).join("/")}`,
    hint: "Give one of the params another name, or serve the path from a file.",
  };
}

function noMethod(name: string): BadName {
  const suggestion = suggestHandlerName(name);
  const words = [...METHOD_BY_WORD.keys()].join(", ");
  const hint =
    suggestion === undefined
      ? `Begin it with one of ${words} and a \`_\`.`
      : `Did you mean \`${suggestion}\`?`;
  return { kind: "method", why: `\`${name}\` does not begin with a method`, hint };
}

function emptySegment(method: Method, segments: readonly NamedSegment[]): BadName {
  const word = method.toLowerCase();
  const kept = segments.filter((segment) => segment !== "").map(toEndpointWord);
  const name = kept.length === 0 ? `${word}_${INDEX}` : `${word}_${kept.join("_")}`;
  return {
    kind: "text",
    why: `\`${word}_${segments.map(toEndpointWord).join("_")}\` has an empty segment: each \`_\` stands for a slash, and a path can't hold \`//\``,
    hint: `Did you mean \`${name}\`? A segment with a \`_\` in it needs a file under routes/.`,
  };
}

function badWord(word: string): BadName {
  return {
    kind: "text",
    why: `The segment \`${word}\` can't stand in a function's name`,
    hint: isBadSegment(toRouteSegment(word))
      ? "Handler names hold letters, digits and `$`, with `_` between segments."
      : `Serve it from a file instead: routes/…/${word}.ts.`,
  };
}

/**
 * @param path relative to `routes/`, with forward slashes: `admin/[id].ts`.
 * @returns undefined for a file that is no route file by rule: one that begins with `_` or `.`, or lies in such a
 * folder, a test, a declaration file, or anything but `.ts`.
 */
export function parseRouteFile(path: string): RouteFile | BadName | undefined {
  if (!isRouteFile(path)) return undefined;
  const names = path.slice(0, -".ts".length).split("/");
  const index = names.at(-1) === INDEX;
  const segments: NamedSegment[] = [];
  for (const name of index ? names.slice(0, -1) : names) {
    const segment = toRouteSegment(name);
    if (isBadSegment(segment)) return segment;
    segments.push(segment);
  }
  const repeated = repeatedParam(segments);
  if (repeated) return repeated;
  return index && hasTwoFiles(segments) ? { segments, index: true } : { segments };
}

/**
 * The inverse of {@link parseRouteFile}.
 * @returns the file's path relative to `routes/`: `[]` is `index.ts`, `["admin", { param: "id" }]` is `admin/[id].ts`.
 */
export function formatRouteFile({ segments, index }: RouteFile): string | BadName {
  for (const segment of segments) {
    const name = toFileName(segment);
    const back = toRouteSegment(name);
    if (isBadSegment(back)) return back;
    if (name.startsWith("_") || name.startsWith(".")) return hiddenName(name);
    if (typeof segment === "string" && typeof back !== "string") return badSegment(name);
  }
  const repeated = repeatedParam(segments);
  if (repeated) return repeated;
  const names = segments.map(toFileName);
  if (index || !hasTwoFiles(segments)) names.push(INDEX);
  return `${names.join("/")}.ts`;
}

/**
 * The root, a page named `index` and one named as a test is have only the folder's file; every other path has `x.ts` and
 * `x/index.ts`.
 */
function hasTwoFiles(segments: readonly NamedSegment[]): boolean {
  const last = segments.at(-1);
  return last !== undefined && last !== INDEX && isRouteFile(`${toFileName(last)}.ts`);
}

function isRouteFile(path: string): boolean {
  if (!path.endsWith(".ts") || /\.(d|test|spec)\.ts$/.test(path)) return false;
  return path.split("/").every((name) => !name.startsWith("_") && !name.startsWith("."));
}

function isBadSegment(segment: NamedSegment | BadName): segment is BadName {
  return typeof segment === "object" && "why" in segment;
}

function toFileName(segment: NamedSegment): string {
  return typeof segment === "string" ? segment : `[${segment.param}]`;
}

function toRouteSegment(name: string): NamedSegment | BadName {
  if (!name.includes("[") && !name.includes("]")) return PATH_SEGMENT.test(name) ? name : badSegment(name);
  const param = /^\[([^[\]]*)\]$/.exec(name)?.[1];
  if (param === undefined || param.startsWith(".")) return badBrackets(name);
  return badParamName(param) ?? { param };
}

function badSegment(name: string): BadName {
  return {
    kind: "text",
    why:
      name === ""
        ? "A path can't have an empty segment"
        : `\`${name}\` holds a character that a path would have to encode`,
    hint: "Use letters, digits, `-`, `_`, `.` and `~`.",
  };
}

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$]*/u;
const WORD_IN_BRACKET = new RegExp(`(?<=\\[\\W*)${WORD.source}`, "u");

function badBrackets(name: string): BadName {
  const [inner] = WORD_IN_BRACKET.exec(name) ?? WORD.exec(name) ?? ["id"];
  return {
    kind: "text",
    why: `\`${name}\` mixes brackets with other text; a param is a whole segment, and there are no optional or catch-all ones`,
    hint: `Did you mean \`[${inner}]\`?`,
  };
}

/** Why a word can't be the name of a param, if so: it has to be the name of a function's parameter too. */
export function badParamName(param: string): BadName | undefined {
  if (param === "request") {
    const hint = "Give the param the name of what it holds, such as `[request_id]`.";
    return {
      kind: "text",
      why: "A param can't be named `request`: a parameter of that name is the request",
      hint,
    };
  }
  if (RESERVED_WORDS.has(param)) {
    const why = `\`${param}\` is a word of the language, so no parameter can have that name`;
    return { kind: "text", why, hint: `Choose another name, such as \`${param}_id\`.` };
  }
  if (IDENTIFIER.test(param)) return undefined;
  return {
    kind: "text",
    why: `\`${param}\` can't be the name of a parameter, so no handler could receive the param`,
    hint: "Use letters, digits and `_`, the first one no digit, as in `[item_id]`.",
  };
}

function repeatedParam(segments: readonly NamedSegment[]): BadName | undefined {
  const params = paramsIn(segments);
  const repeated = params.find((param, position) => params.indexOf(param) !== position);
  if (repeated === undefined) return undefined;
  return {
    kind: "text",
    why: `The param \`${repeated}\` appears twice in the path`,
    hint: "Give each param of a path its own name.",
  };
}

function hiddenName(name: string): BadName {
  if (isDots(name))
    return {
      kind: "text",
      why: `\`${name}\` is a dot segment, which no request can reach`,
      hint: "Leave it out of the path.",
    };
  return {
    kind: "text",
    why: `Files and folders that begin with \`_\` or \`.\` are no routes, so \`${name}\` can't be served from a file`,
    hint: PREFIX_SEGMENT.test(name)
      ? `Serve it from an app whose prefix ends in \`/${name}\`.`
      : "Choose another name.",
  };
}

/**
 * The method that an export of a route file serves: `get` → GET; `delete` and `del` → DELETE.
 * @returns undefined for any other name.
 */
export function parseMethodExport(exportName: string): Method | undefined {
  return exportName === "del" ? "DELETE" : METHOD_BY_WORD.get(exportName);
}

/** The inverse of {@link parseMethodExport}; of DELETE's two names the one that a function may have. */
export function formatMethodExport(method: Method): string {
  return method === "DELETE" ? "del" : method.toLowerCase();
}

/** Words that can't name a parameter in a module (ECMAScript, ReservedWord in strict mode, with `await`). */
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally " +
    "for function if implements import in instanceof interface let new null package private protected public return static " +
    "super switch this throw true try typeof var void while with yield"
  ).split(" "),
);
