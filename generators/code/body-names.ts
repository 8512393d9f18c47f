/** The names of the interfaces that generators write for bodies: `NewProduct` for POST `/products/`. */

import type { RouteMethod, Segment } from "#runtime/routing/route";
import { toSingular } from "./plural.ts";

/** The methods whose requests have a body, with the name of its type. */
const BODY_NAMES: ReadonlyMap<RouteMethod, (thing: string) => string> = new Map([
  ["POST", (thing) => `New${thing}`],
  ["PUT", (thing) => `${thing}Update`],
  ["PATCH", (thing) => `${thing}Patch`],
  ["DELETE", (thing) => `${thing}Deletion`],
]);

export const BODY_METHODS: readonly RouteMethod[] = [...BODY_NAMES.keys()];

/**
 * @returns undefined for a method whose requests have no body.
 * @example nameBody("PATCH", ["products", "by", "id", { name: "id", type: "int" }]) // "ProductPatch"
 */
export function nameBody(method: RouteMethod, segments: readonly Segment[]): string | undefined {
  return BODY_NAMES.get(method)?.(nameThing(segments));
}

/** What the path is about: its last word in the singular. Neither `new` nor the words of `/by/id` say that. */
function nameThing(segments: readonly Segment[]): string {
  const words = segments.filter((segment) => typeof segment === "string").filter((word) => word !== "new");
  const by = words.lastIndexOf("by");
  const last = (by > 0 ? words.slice(0, by) : words).at(-1) ?? "item";
  const parts = last.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== "");
  const singular = [...parts.slice(0, -1), toSingular(parts.at(-1) ?? "")];
  const name = singular.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("");
  return /^\p{L}/u.test(name) ? name : `Item${name}`;
}
