/** How `open` under `[exposure]` in `framework.toml` lists the routes that anyone may call. */

import { type Location, METHODS, type Method, type Segment } from "#runtime/routing/route";
import { closest } from "../diagnostics/closest.ts";
import { listed } from "../diagnostics/entry.ts";
import { formatPattern } from "../pattern.ts";
import type { Refusal } from "../refusal.ts";

export interface Exposure {
  readonly open: readonly OpenEntry[];
  readonly location: Location;
}

/** `"GET /"`, or `"/docs"` for each method. */
export interface OpenRoute {
  readonly method: Method | null;
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

/** A route must have one spelling, because an entry is compared with what lists print. */
export function parseOpenRoute(text: string): OpenRoute | Refusal {
  const { word, path } = splitRoute(text.trim());
  const pattern = toPattern(path);
  const method = METHODS.find((known) => known === word.toUpperCase()) ?? null;
  if (path.split("/").some(isWildcard))
    return { why: "a `*` does not match other routes", hint: "List each route as `routes list` prints it." };
  if (word !== "" && method === null) return badMethod(word, pattern);
  const route = formatEntry({ method, pattern });
  if (route === text) return { method, pattern };
  const meant = { method, pattern };
  const why = "lists print it in another form";
  const refused: Refused = { why, hint: `Did you mean "${route}"?`, meant };
  return refused;
}

/** The inverse of {@link parseOpenRoute}. */
export function formatEntry({ method, pattern }: OpenRoute): string {
  return method === null ? pattern : `${method} ${pattern}`;
}

/** A method without the space after it, or alone. */
const METHOD_ALONE = new RegExp(`^(${METHODS.join("|")})(/.*|)$`, "is");

/** @returns what is in the place of the method, and the rest. */
function splitRoute(text: string): { word: string; path: string } {
  const [, word = "", path = text] = /^([^\s/]+)\s+(.*)$/s.exec(text) ?? METHOD_ALONE.exec(text) ?? [];
  return { word, path };
}

function badMethod(word: string, pattern: string): Refusal {
  const why = `there is no method ${word}`;
  if (/^(?:\*|all|any)$/i.test(word))
    return { why, hint: `Did you mean "${pattern}", which is every method?` };
  const nearest = closest(word, METHODS);
  if (nearest === undefined) return { why, hint: `The methods are ${listed(METHODS)}.` };
  return { why, hint: `Did you mean "${nearest} ${pattern}"?` };
}

const isWildcard = (segment: string): boolean => /^\*+$/.test(segment);

/** The pattern that a path most likely means. */
function toPattern(path: string): string {
  const plain = path.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/[?#].*$/s, "");
  const segments = plain.split("/").filter((segment) => segment !== "");
  return formatPattern(segments.map(toSegment), plain.endsWith("/"));
}

/** `<id>`, and how route files, types and other frameworks write it. */
const PARAM =
  /^(?::|[<{[]+(?:\.{3})?(?:(?:int|str|string|path):)?(?=.*[>}\]]$))(?<name>[\p{ID_Continue}$]+)/u;

function toSegment(text: string): Segment {
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
