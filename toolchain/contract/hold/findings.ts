/** What is wrong with the results of a route, as diagnostics at its handler: each only once. */

import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Route } from "#runtime/routing/route";
import type { Difference } from "./compare.ts";

type Named = Pick<Route, "method" | "pattern" | "location">;

export function diagnoseDifferences(
  { method, pattern, location }: Named,
  [first, ...more]: readonly Difference[],
): Diagnostic | undefined {
  if (first === undefined) return undefined;
  const what = more.length === 0 ? first.text : `${first.text}, and ${more.length} more`;
  return diagnose("FW970", { route: `${method} ${pattern}`, what }, location);
}

/** @param pointers to what is sent, and is not in the type. */
export function diagnoseExcess(
  { method, pattern, location }: Named,
  pointers: readonly string[],
): Diagnostic | undefined {
  if (pointers.length === 0) return undefined;
  return diagnose("FW971", { route: `${method} ${pattern}`, pointers }, location);
}

/** @returns whether something of that kind is found there for the first time. What is in one item of a list is in the others, too. */
export function createNews(): (found: { readonly code: string; readonly pointer: string }) => boolean {
  const known = new Set<string>();
  return ({ code, pointer }) => {
    const key = `${code} ${pointer.replace(/\/\d+(?=\/|$)/g, "/*")}`;
    const isNew = !known.has(key);
    known.add(key);
    return isNew;
  };
}
