/** The rule: which route a handler's name or a route file's path stands for, and the same the other way round. */

import { METHODS, type Method, type Segment } from "../core/route.ts";
import { suggestHandlerName } from "./near-miss.ts";

/** What the name of a handler in `views.ts` says: `get_featured_items` is GET, `["featured", "items"]`; `[]` is `index`. */
export interface HandlerName {
  readonly method: Method;
  readonly segments: readonly string[];
}

/** What the path of a file under `routes/` says. */
export interface RouteFile {
  readonly segments: readonly RouteFileSegment[];
  /** Set where the same path has two files, and this is the folder's: `admin/index.ts`, not `admin.ts`. */
  readonly index?: true;
}

/** Static text, or a param in brackets, whose type the handler's signature tells. */
export type RouteFileSegment = string | { readonly param: string };

/** Why a name stands for no route, or a route for no name. */
export interface NameRefusal {
  /** `method`: the name does not begin with a method, so it may be meant for something else. `text`: it breaks the rule. */
  readonly kind: "method" | "text";
  readonly refusal: string;
  readonly hint: string;
}

const INDEX = "index";
const METHOD_BY_WORD: ReadonlyMap<string, Method> = new Map(
  METHODS.map((method) => [method.toLowerCase(), method]),
);
const HANDLER_NAME = /^([a-z]+)_(.*)$/s;

/** What an identifier may go on with, but for `_`, which is a slash, and the invisible joiners. */
const HANDLER_SEGMENT = /^[\p{ID_Continue}$]+$/u;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** What stands in a path without encoding (RFC 3986 section 3.3), and the letters and digits of other scripts. */
const PATH_SEGMENT = /^[\p{L}\p{N}\p{M}\-._~!$&'()*+,;=:@]+$/u;
const PREFIX_SEGMENT = /^[A-Za-z0-9\-._~!$&'()*+,;=:@]+$/;

export function isRefusal<T extends object>(value: T | NameRefusal): value is NameRefusal {
  return "refusal" in value;
}

/**
 * @returns what the name says, or why it says nothing.
 * @example parseHandlerName("get_featured_items") // { method: "GET", segments: ["featured", "items"] }
 */
export function parseHandlerName(name: string): HandlerName | NameRefusal {
  const match = HANDLER_NAME.exec(name);
  const method = METHOD_BY_WORD.get(match?.[1] ?? "");
  const endpoint = match?.[2];
  if (method === undefined || endpoint === undefined) return noMethod(name);
  if (endpoint === INDEX) return { method, segments: [] };
  const segments = endpoint.split("_");
  return refuseHandlerSegments(method, segments) ?? { method, segments };
}

/**
 * The inverse of {@link parseHandlerName}.
 * @example formatHandlerName({ method: "GET", segments: [] }) // "get_index"
 */
export function formatHandlerName({ method, segments }: HandlerName): string | NameRefusal {
  const word = method.toLowerCase();
  if (segments.length === 0) return `${word}_${INDEX}`;
  if (segments.length === 1 && segments[0] === INDEX) {
    return {
      kind: "text",
      refusal: `\`${word}_${INDEX}\` stands for the root of the app, so no handler name stands for \`/${INDEX}\``,
      hint: `Serve it from a file: routes/…/${INDEX}/${INDEX}.ts.`,
    };
  }
  return refuseHandlerSegments(method, segments) ?? `${word}_${segments.join("_")}`;
}

function noMethod(name: string): NameRefusal {
  const suggestion = suggestHandlerName(name);
  const words = [...METHOD_BY_WORD.keys()].join(", ");
  const hint =
    suggestion === undefined
      ? `Begin it with one of ${words} and a \`_\`.`
      : `Did you mean \`${suggestion}\`?`;
  return { kind: "method", refusal: `\`${name}\` does not begin with a method`, hint };
}

function refuseHandlerSegments(method: Method, segments: readonly string[]): NameRefusal | undefined {
  const word = method.toLowerCase();
  if (segments.includes("")) {
    const kept = segments.filter((segment) => segment !== "");
    const name = kept.length === 0 ? `${word}_${INDEX}` : `${word}_${kept.join("_")}`;
    return {
      kind: "text",
      refusal: `\`${word}_${segments.join("_")}\` has an empty segment: each \`_\` stands for a slash, and a path can't hold \`//\``,
      hint: `Did you mean \`${name}\`? A segment with a \`_\` in it needs a file under routes/.`,
    };
  }
  const bad = segments.find((segment) => segment.includes("_") || !HANDLER_SEGMENT.test(segment));
  if (bad === undefined) return undefined;
  return {
    kind: "text",
    refusal: `The segment \`${bad}\` can't stand in a function's name`,
    hint: isRouteSegmentRefusal(toRouteSegment(bad))
      ? "Handler names hold letters, digits and `$`, with `_` between segments."
      : `Serve it from a file instead: routes/…/${bad}.ts.`,
  };
}

/**
 * @param path relative to `routes/`, with forward slashes: `admin/[id].ts`.
 * @returns undefined for a file that is no route file by rule: one that begins with `_` or `.`, or lies in such a
 * folder, a test, a declaration file, or anything but `.ts`.
 */
export function parseRouteFile(path: string): RouteFile | NameRefusal | undefined {
  if (!isRouteFile(path)) return undefined;
  const names = path.slice(0, -".ts".length).split("/");
  const index = names.at(-1) === INDEX;
  const segments: RouteFileSegment[] = [];
  for (const name of index ? names.slice(0, -1) : names) {
    const segment = toRouteSegment(name);
    if (isRouteSegmentRefusal(segment)) return segment;
    segments.push(segment);
  }
  const refusal = refuseRepeatedParams(segments);
  if (refusal) return refusal;
  return index && hasTwoFiles(segments) ? { segments, index: true } : { segments };
}

/**
 * The inverse of {@link parseRouteFile}.
 * @returns the file's path relative to `routes/`: `[]` is `index.ts`, `["admin", { param: "id" }]` is `admin/[id].ts`.
 */
export function formatRouteFile({ segments, index }: RouteFile): string | NameRefusal {
  for (const segment of segments) {
    const name = toFileName(segment);
    const back = toRouteSegment(name);
    if (isRouteSegmentRefusal(back)) return back;
    if (name.startsWith("_") || name.startsWith(".")) return hiddenName(name);
    if (typeof segment === "string" && typeof back !== "string") return badSegment(name);
  }
  const refusal = refuseRepeatedParams(segments);
  if (refusal) return refusal;
  const names = segments.map(toFileName);
  if (index || !hasTwoFiles(segments)) names.push(INDEX);
  return `${names.join("/")}.ts`;
}

/**
 * The root, a page named `index` and one named as a test is have only the folder's file; every other path has `x.ts` and
 * `x/index.ts`.
 */
function hasTwoFiles(segments: readonly RouteFileSegment[]): boolean {
  const last = segments.at(-1);
  return last !== undefined && last !== INDEX && isRouteFile(`${toFileName(last)}.ts`);
}

function isRouteFile(path: string): boolean {
  if (!path.endsWith(".ts") || /\.(d|test|spec)\.ts$/.test(path)) return false;
  return path.split("/").every((name) => !name.startsWith("_") && !name.startsWith("."));
}

function isRouteSegmentRefusal(segment: RouteFileSegment | NameRefusal): segment is NameRefusal {
  return typeof segment === "object" && "refusal" in segment;
}

function toFileName(segment: RouteFileSegment): string {
  return typeof segment === "string" ? segment : `[${segment.param}]`;
}

function toRouteSegment(name: string): RouteFileSegment | NameRefusal {
  if (!name.includes("[") && !name.includes("]")) return PATH_SEGMENT.test(name) ? name : badSegment(name);
  const param = /^\[([^[\]]*)\]$/.exec(name)?.[1];
  if (param === undefined || param.startsWith(".")) return badBrackets(name);
  return refuseParamName(param) ?? { param };
}

function badSegment(name: string): NameRefusal {
  return {
    kind: "text",
    refusal:
      name === ""
        ? "A path can't have an empty segment"
        : `\`${name}\` holds a character that a path would have to encode`,
    hint: "Use letters, digits, `-`, `_`, `.` and `~`.",
  };
}

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$]*/u;
const WORD_IN_BRACKET = new RegExp(`(?<=\\[\\W*)${WORD.source}`, "u");

function badBrackets(name: string): NameRefusal {
  const [inner] = WORD_IN_BRACKET.exec(name) ?? WORD.exec(name) ?? ["id"];
  return {
    kind: "text",
    refusal: `\`${name}\` mixes brackets with other text; a param is a whole segment, and there are no optional or catch-all ones`,
    hint: `Did you mean \`[${inner}]\`?`,
  };
}

/** Why a word can't be the name of a param, if so: it has to be the name of a function's parameter too. */
export function refuseParamName(param: string): NameRefusal | undefined {
  if (param === "request") {
    const hint = "Give the param the name of what it holds, such as `[request_id]`.";
    return {
      kind: "text",
      refusal: "A param can't be named `request`: a parameter of that name is the request",
      hint,
    };
  }
  if (RESERVED_WORDS.has(param)) {
    const refusal = `\`${param}\` is a word of the language, so no parameter can have that name`;
    return { kind: "text", refusal, hint: `Choose another name, such as \`${param}_id\`.` };
  }
  if (IDENTIFIER.test(param)) return undefined;
  return {
    kind: "text",
    refusal: `\`${param}\` can't be the name of a parameter, so no handler could receive the param`,
    hint: "Use letters, digits and `_`, the first one no digit, as in `[item_id]`.",
  };
}

function refuseRepeatedParams(segments: readonly RouteFileSegment[]): NameRefusal | undefined {
  const params = segments.flatMap((segment) => (typeof segment === "string" ? [] : [segment.param]));
  const repeated = params.find((param, position) => params.indexOf(param) !== position);
  if (repeated === undefined) return undefined;
  return {
    kind: "text",
    refusal: `The param \`${repeated}\` stands twice in the path`,
    hint: "Give each param of a path its own name.",
  };
}

function hiddenName(name: string): NameRefusal {
  if (isDots(name))
    return {
      kind: "text",
      refusal: `\`${name}\` is a dot segment, which no request can reach`,
      hint: "Leave it out of the path.",
    };
  return {
    kind: "text",
    refusal: `Files and folders that begin with \`_\` or \`.\` are no routes, so \`${name}\` can't be served from a file`,
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

/**
 * An app's prefix, as `app.toml` or `--prefix` give it: `/api/v1/products`; "" and "/" are the root.
 * @returns its segments, or what is wrong with it.
 */
export function parsePrefix(prefix: string): readonly string[] | NameRefusal {
  if (prefix === "" || prefix === "/") return [];
  const path = prefix.replace(/^[a-z]+:\/\/[^/]*/i, "");
  const segments = path.split("/").filter((segment) => segment !== "");
  const better = formatPrefix(segments.filter((segment) => PREFIX_SEGMENT.test(segment) && !isDots(segment)));
  const hint = `Did you mean \`${better}\`?`;
  const refuse = (refusal: string): NameRefusal => ({ kind: "text", refusal, hint });
  if (path !== prefix) return refuse("it is a whole URL, and a prefix is only the path of one");
  if (prefix.includes("//")) return refuse("it holds `//`, and a path can't have an empty segment");
  if (!prefix.startsWith("/")) return refuse("it does not begin with a slash");
  if (prefix.endsWith("/")) return refuse("it ends with a slash");
  if (segments.some(isDots)) return refuse("it holds a dot segment, which no request can reach");
  const bad = segments.find((segment) => !PREFIX_SEGMENT.test(segment));
  if (bad === undefined) return segments;
  const why = /[<>[\]{}]/.test(bad)
    ? "a prefix is fixed text and has no params"
    : "a path would have to encode it";
  return {
    kind: "text",
    refusal: `\`${bad}\` can't stand in it: ${why}`,
    hint: "Use letters, digits, `-`, `_`, `.` and `~`.",
  };
}

/** The inverse of {@link parsePrefix}; the root is "/". */
export function formatPrefix(segments: readonly string[]): string {
  return `/${segments.join("/")}`;
}

function isDots(segment: string): boolean {
  return segment === "." || segment === "..";
}

/**
 * A route's printed path. Static text stands in it as a client sends it, but for the letters of other scripts, which stay readable.
 * @param trailingSlash for an app's root, which keeps its slash: `/products/`.
 * @example formatPattern(["users", { name: "id", type: "int" }], false) // "/users/<id>"
 */
export function formatPattern(segments: readonly Segment[], trailingSlash: boolean): string {
  if (segments.length === 0) return "/";
  const parts = segments.map((segment) =>
    typeof segment === "string" ? encodeStatic(segment) : `<${segment.name}>`,
  );
  return `/${parts.join("/")}${trailingSlash ? "/" : ""}`;
}

function encodeStatic(text: string): string {
  return PATH_SEGMENT.test(text)
    ? text
    : [...text].map((char) => (PATH_SEGMENT.test(char) ? char : encodeURIComponent(char))).join("");
}

/** Words that can't name a parameter in a module (ECMAScript, ReservedWord in strict mode, with `await`). */
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally " +
    "for function if implements import in instanceof interface let new null package private protected public return static " +
    "super switch this throw true try typeof var void while with yield"
  ).split(" "),
);
