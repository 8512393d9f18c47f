/** How `open` under `[exposure]` in `framework.toml` lists the routes that anyone may call. */

import { type Location, METHODS, type RouteMethod, type Segment } from "#runtime/routing/route";
import { listed } from "../diagnostics/entry.ts";
import { formatPattern } from "../pattern.ts";
import type { Refusal } from "../refusal.ts";

export interface Exposure {
  readonly open: readonly OpenEntry[];
  readonly location: Location;
}

/** `"GET /"`, or `"/docs"` for each method. */
export interface OpenRoute {
  readonly method: RouteMethod | null;
  /** As lists print it, as in `/users/<id>`. */
  readonly pattern: string;
}

export interface OpenEntry extends OpenRoute {
  readonly location: Location;
}

/** The entry that is most likely meant: the route that it lists is not reported as well. */
interface Refused extends Refusal {
  readonly meant?: OpenRoute;
}

const ALL_METHODS: readonly RouteMethod[] = [...METHODS, "ALL"];

/** A route must have one spelling, because an entry is compared with what lists print. */
export function parseOpenRoute(text: string): OpenRoute | Refusal {
  const [, word = "", path = ""] = /^(?:([^\s/]+)\s+)?(.*)$/s.exec(text.trim()) ?? [];
  const method = ALL_METHODS.find((known) => known === word.toUpperCase()) ?? null;
  if (/\*(?![\p{ID_Continue}$]+\/?$)/u.test(path))
    return { why: "a `*` does not match other routes", hint: "List each route as `routes list` prints it." };
  if (word !== "" && method === null)
    return { why: `there is no method ${word}`, hint: `The methods are ${listed(METHODS)}.` };
  const meant = { method, pattern: toPattern(path) };
  const route = formatEntry(meant);
  if (route === text) return meant;
  const refused: Refused = { why: "lists print it in another form", hint: `Did you mean "${route}"?`, meant };
  return refused;
}

/** The inverse of {@link parseOpenRoute}. */
export function formatEntry({ method, pattern }: OpenRoute): string {
  return method === null ? pattern : `${method} ${pattern}`;
}

/** The pattern that a path most likely means. */
function toPattern(path: string): string {
  const plain = path.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/[?#].*$/s, "");
  const segments = plain.split("/").filter((segment) => segment !== "");
  return formatPattern(segments.map(toSegment), plain.endsWith("/"));
}

/** `<id>`, and how route files and other frameworks write it. */
const PARAM = /^(?::|[<{[]+(?:\.{3})?(?:int:)?(?=.*[>}\]]$))(?<name>[\p{ID_Continue}$]+)/u;

function toSegment(text: string): Segment {
  const whole = /^(?:\*|\[\.{3})([\p{ID_Continue}$]+)\]?$/u.exec(text)?.[1];
  if (whole !== undefined) return { name: whole, type: "str[]" };
  const name = PARAM.exec(text)?.groups?.name;
  return name === undefined ? decode(text) : { name, type: "str" };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
