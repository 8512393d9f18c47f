/** How `open` under `[exposure]` in `framework.toml` lists the routes that anyone may call. */

import { type Location, METHODS, type RouteMethod } from "#runtime/routing/route";
import { listed } from "../diagnostics/entry.ts";
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

const ALL_METHODS: readonly RouteMethod[] = [...METHODS, "ALL"];

/** @returns undefined for a text that is no route as lists print it. */
export function parseOpenRoute(text: string): OpenRoute | Refusal | undefined {
  const [, word, pattern] = /^(?:([A-Z]+) )?(\/\S*)$/.exec(text) ?? [];
  if (pattern === undefined) return undefined;
  const method = ALL_METHODS.find((known) => known === word) ?? null;
  if (word !== undefined && method === null)
    return { why: `there is no method ${word}`, hint: `The methods are ${listed(METHODS)}.` };
  return { method, pattern };
}

/** The inverse of {@link parseOpenRoute}. */
export function formatEntry({ method, pattern }: OpenRoute): string {
  return method === null ? pattern : `${method} ${pattern}`;
}
