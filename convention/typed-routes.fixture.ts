/** For tests: routes with providers, guards and hooks, made by hand. */

import type { Location, Method } from "#runtime/routing/route";
import type { DeclaredInput, Place } from "#runtime/wire/inputs";
import type { Call, Shared, TypedRoute } from "./wire/typed-route.ts";

/** @example createTake("bearer"), createTake("cookie session?") */
export function createTake(typed: string): DeclaredInput {
  const [place = "", key] = typed.replace("?", "").split(" ");
  const optional = typed.endsWith("?");
  const named = key === undefined ? {} : { key };
  return { in: place as Place, name: key ?? "given", ...named, shape: { kind: "string" }, optional };
}

/** @param place as in "lib/auth.ts:3" */
export function createShared(name: string, place: string): Shared {
  const location = toLocation(place);
  return { name, module: location.file, exported: name, location };
}

/** What a call takes, the indices of the calls that it needs, and whether it can throw. */
export interface Inside {
  readonly takes?: readonly string[];
  readonly provided?: readonly number[];
  readonly canRefuse?: boolean;
}

export function createCall(
  kind: Call["kind"],
  name: string,
  place: string,
  { takes = [], provided = [], canRefuse = kind === "guard" }: Inside = {},
): Call {
  const inputs = { arguments: [], takes: takes.map(createTake), provided, canRefuse };
  return { ...createShared(name, place), ...inputs, kind, isEarly: kind === "guard" };
}

/** @param line method and pattern without params, as in "GET /admin". */
export function createRoute(
  line: string,
  { takes = [], ...more }: Partial<Pick<TypedRoute, "calls" | "hooks">> & { takes?: readonly string[] } = {},
): TypedRoute {
  const [method = "", pattern = ""] = line.split(" ");
  const module = `routes${pattern === "/" ? "/index" : pattern}.ts`;
  return {
    method: method as Method,
    pattern,
    segments: pattern.split("/").filter((segment) => segment !== ""),
    arguments: [],
    handler: method.toLowerCase(),
    module,
    app: null,
    convention: "routes",
    location: toLocation(`${module}:1`),
    takes: takes.map(createTake),
    provided: [],
    calls: [],
    hooks: [],
    ...more,
  };
}

function toLocation(place: string): Location {
  const [file = "", line = "1"] = place.split(":");
  return { file, line: Number(line), column: 17 };
}
