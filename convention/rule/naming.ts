/** The rule: which route a handler's name or a route file's path means, and the same the other way round. */

import { METHODS, type RouteMethod } from "#runtime/routing/route";
import { explainDeviceName } from "../config/folder-name.ts";
import { closest } from "../diagnostics/closest.ts";
import { isDots, PATH_SEGMENT, PREFIX_SEGMENT } from "../pattern.ts";
import { suggestHandlerName } from "./near-miss.ts";

/** What the name of a handler in `views.ts` says: `get_featured_items` is GET, `["featured", "items"]`; `[]` is `index`. */
export interface HandlerName {
  readonly method: RouteMethod;
  /** Without the params that the name does not place: they follow at the end of the path. */
  readonly segments: readonly NamedSegment[];
}

/** What the path of a file under `routes/` says. */
export interface RouteFile {
  readonly segments: readonly NamedSegment[];
  /** Set where the same path has two files, and this is the folder's: `admin/index.ts`, not `admin.ts`. */
  readonly index?: true;
  readonly groups?: readonly RouteGroup[];
}

/** A folder in parentheses, as in `(internal)/`: it adds no segment to the path, and may have hooks. */
export interface RouteGroup {
  readonly name: string;
  /** How many segments are before it. */
  readonly at: number;
}

/**
 * A segment as a name spells it: static text, or a param (`$id`, `[id]`), whose type is in the handler's signature. A whole path
 * (`$$path`, `[...path]`) is a param for all segments that are left, and the last one.
 */
export type NamedSegment = string | { readonly param: string; readonly whole?: true };

/** Why a name gives no route, or a route no name. */
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
/** The same for the param of a whole path. */
const WHOLE = "$$";
const METHOD_BY_WORD: ReadonlyMap<string, RouteMethod> = new Map(
  [...METHODS, "ALL" as const].map((method) => [method.toLowerCase(), method]),
);
const HANDLER_NAME = /^([a-z]+)_(.*)$/s;

/** What an identifier may go on with, but for `_`, which is a slash, and the invisible joiners. */
const HANDLER_SEGMENT = /^[\p{ID_Continue}$]+$/u;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

function badName(why: string, hint: string, kind: BadName["kind"] = "text"): BadName {
  return { kind, why, hint };
}

export function isBadName<T>(value: T | BadName): value is BadName {
  return typeof value === "object" && value !== null && "why" in value;
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

export function paramsIn(segments: readonly NamedSegment[]): string[] {
  return segments.flatMap((segment) => (typeof segment === "string" ? [] : [segment.param]));
}

/** The param of the whole path that the segments end in. */
export function wholeOf(segments: readonly NamedSegment[]): string | undefined {
  const last = segments.at(-1);
  return typeof last === "object" && last.whole ? last.param : undefined;
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
  const former = `${PLACED}${name}`;
  return params.includes(former)
    ? badName(
        `\`${text}\` is the whole path of a param \`${name}\`, so it can't place the parameter \`${former}\``,
        `Rename the parameter, to \`${name}: string[]\` if you mean the whole path.`,
        "param",
      )
    : badName(
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
 * @param path relative to `routes/`, with forward slashes: `admin/[id].ts`.
 * @returns undefined for a file that is not a route file by rule: one that begins with `_` or `.`, or is in such a
 * folder (but `.well-known`), a test, a declaration file, or anything but `.ts`.
 */
export function parseRouteFile(path: string): RouteFile | BadName | undefined {
  if (!isRouteFile(path)) return undefined;
  const folders = path.slice(0, -".ts".length).split("/");
  const file = folders.pop() ?? INDEX;
  const { names, groups } = splitGroups(folders);
  const segments: NamedSegment[] = [];
  for (const name of file === INDEX ? names : [...names, file]) {
    const segment = toRouteSegment(name);
    if (isBadName(segment)) return segment;
    segments.push(segment);
  }
  const bad = repeatedParam(segments) ?? wholeInside(segments);
  if (bad) return bad;
  const found: RouteFile = groups.length > 0 ? { segments, groups } : { segments };
  return file === INDEX && hasTwoFiles(found) ? { ...found, index: true } : found;
}

const GROUP = /^\([\p{L}\p{N}_][\p{L}\p{N}\p{M}\-._~]*\)$/u;

/** Whether a folder of that name adds no segment to the paths of its files. */
export function isGroup(name: string): boolean {
  return GROUP.test(name);
}

/** The names of folders that are segments, and the groups among them. */
export function splitGroups(folders: readonly string[]): {
  readonly names: readonly string[];
  readonly groups: readonly RouteGroup[];
} {
  const names = folders.filter((name) => !isGroup(name));
  const groups = folders.flatMap((name, index) => {
    const at = folders.slice(0, index).filter((before) => !isGroup(before)).length;
    return isGroup(name) ? [{ name, at }] : [];
  });
  return { names, groups };
}

/**
 * The inverse of {@link parseRouteFile}.
 * @returns the file's path relative to `routes/`: `[]` is `index.ts`, `["admin", { param: "id" }]` is `admin/[id].ts`.
 */
export function formatRouteFile(file: RouteFile): string | BadName {
  const { segments, index, groups = [] } = file;
  for (const segment of segments) {
    const name = toFileName(segment);
    const back = toRouteSegment(name);
    if (isBadName(back)) return back;
    if (isHidden(name)) return hiddenName(name);
    if (typeof segment === "string" && typeof back !== "string") return badSegment(name);
  }
  const bad = repeatedParam(segments) ?? wholeInside(segments);
  if (bad) return bad;
  const names = segments.map(toFileName);
  for (const { name, at } of groups.toReversed()) names.splice(at, 0, name);
  if (index || !hasTwoFiles(file)) names.push(INDEX);
  return `${names.join("/")}.ts`;
}

/**
 * The root, a page named `index` and one named as a test is have only the folder's file, as has a path that ends in a group; every
 * other path has `x.ts` and `x/index.ts`.
 */
function hasTwoFiles({ segments, groups }: RouteFile): boolean {
  const last = segments.at(-1);
  if (last === undefined || groups?.at(-1)?.at === segments.length) return false;
  return last !== INDEX && isRouteFile(`${toFileName(last)}.ts`);
}

function isRouteFile(path: string): boolean {
  if (!path.endsWith(".ts") || /\.(d|test|spec)\.ts$/.test(path)) return false;
  return !path.split("/").some(isHidden);
}

/** Whether the rule leaves out a file or a folder by its name. `.well-known` is where RFC 8615 puts paths of the whole site. */
export function isHidden(name: string): boolean {
  return /^[._]/.test(name) && name !== ".well-known";
}

export function toFileName(segment: NamedSegment): string {
  return typeof segment === "string" ? segment : `[${segment.whole ? "..." : ""}${segment.param}]`;
}

function toRouteSegment(name: string): NamedSegment | BadName {
  const device = explainDeviceName(name);
  if (device) return badName(`\`${name}\` can't be the name of a file: ${device}`, "Choose another name.");
  if (/^\(.*\)$/.test(name)) return badGroup(name);
  if (!name.includes("[") && !name.includes("]")) return PATH_SEGMENT.test(name) ? name : badSegment(name);
  const [, dots, param] = /^\[(\.\.\.)?([^[\]]*)\]$/.exec(name) ?? [];
  if (param === undefined || param.startsWith(".")) return badBrackets(name);
  return badParamName(param) ?? (dots === undefined ? { param } : { param, whole: true });
}

function badSegment(name: string): BadName {
  const why =
    name === ""
      ? "A path can't have an empty segment"
      : `\`${name}\` has a character that a path would have to encode`;
  return badName(why, "Use letters, digits, `-`, `_`, `.` and `~`.");
}

function badGroup(name: string): BadName {
  return isGroup(name)
    ? badName(
        `\`${name}\` is a route group, and a group is a folder`,
        `Write the file as ${name}/${INDEX}.ts, or leave out the parentheses.`,
      )
    : badName(
        `\`${name}\` can't be the name of a route group`,
        "Write one word between the parentheses, such as `(internal)`: letters, digits, `-`, `_` and `.`.",
      );
}

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$]*/u;
const WORD_IN_BRACKET = new RegExp(`(?<=\\[\\W*)${WORD.source}`, "u");

function badBrackets(name: string): BadName {
  const [inner] = WORD_IN_BRACKET.exec(name) ?? WORD.exec(name) ?? ["id"];
  return badName(
    `\`${name}\` mixes brackets with other text: a param is one whole segment, and never optional`,
    `Did you mean \`[${name.includes("...") ? "..." : ""}${inner}]\`?`,
  );
}

/** Why a word can't be the name of a param, which is the name of a function's parameter too; undefined where it can. */
export function badParamName(param: string): BadName | undefined {
  if (param === "request")
    return badName(
      "A param can't be named `request`: a parameter of that name is the request",
      "Name the param after its value, such as `[request_id]`.",
    );
  if (RESERVED_WORDS.has(param))
    return badName(
      `\`${param}\` is a reserved word, so no parameter can have that name`,
      `Choose another name, such as \`${param}_id\`.`,
    );
  if (IDENTIFIER.test(param)) return undefined;
  return badName(
    `\`${param}\` can't be the name of a parameter, so no handler could receive the param`,
    "Use letters, digits and `_`, and begin with a letter, as in `[item_id]`.",
  );
}

function repeatedParam(segments: readonly NamedSegment[]): BadName | undefined {
  const params = paramsIn(segments);
  const repeated = params.find((param, position) => params.indexOf(param) !== position);
  if (repeated === undefined) return undefined;
  return badName(
    `The param \`${repeated}\` appears twice in the path`,
    "Give each param of a path its own name.",
  );
}

function wholeInside(segments: readonly NamedSegment[]): BadName | undefined {
  const whole = segments.slice(0, -1).find((segment) => typeof segment !== "string" && segment.whole);
  if (whole === undefined) return undefined;
  const name = toFileName(whole);
  return badName(
    `\`${name}\` is all that is left of a path, so nothing can follow it`,
    `Name the file ${name}.ts, or write a param: \`${name.replace("...", "")}\`.`,
  );
}

function hiddenName(name: string): BadName {
  if (isDots(name))
    return badName(`\`${name}\` is a dot segment, which no request can reach`, "Leave it out of the path.");
  return badName(
    `Files and folders that begin with \`_\` or \`.\` are not routes, so no file can serve \`${name}\``,
    PREFIX_SEGMENT.test(name)
      ? `Serve it from an app whose prefix ends in \`/${name}\`.`
      : "Choose another name.",
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

/** Whether a function of the project can have this name, whatever the rule makes of it. */
export function isFunctionName(name: string): boolean {
  return IDENTIFIER.test(name) && !RESERVED_WORDS.has(name);
}

/** Words that can't name a parameter in a module (ECMAScript, ReservedWord in strict mode, with `await`). */
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally " +
    "for function if implements import in instanceof interface let new null package private protected public return static " +
    "super switch this throw true try typeof var void while with yield"
  ).split(" "),
);
