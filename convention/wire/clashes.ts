/** Reports takes (values that a function reads from the request) that conflict with each other or with the method, such as two bodies. */

import type { Location, RouteMethod } from "#runtime/routing/route";
import { isCredential } from "#runtime/wire/credentials";
import type { DeclaredInput, Place } from "#runtime/wire/inputs";
import type { Definitions } from "#runtime/wire/shape";
import { toHeaderName } from "#runtime/wire/texts";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { formatTake } from "./format-take.ts";
import { objectsOf } from "./texts.ts";

export interface PlacedTake {
  readonly take: DeclaredInput;
  readonly location: Location;
}

/**
 * Checks the takes of one handler.
 *
 * @param handler the handler's name, for messages.
 * @param method undefined for a function that runs for several methods.
 */
export function checkTakes(
  handler: string,
  method: RouteMethod | undefined,
  takes: readonly PlacedTake[],
  definitions: Definitions,
): Diagnostic[] {
  const bodies = takes.filter(({ take }) => isBody(take));
  const [first] = bodies;
  const second = bodies.slice(1).find(({ take }) => take.in === "body" || first?.take.in === "body");
  const unsent = method === "GET" || method === "HEAD" ? first : undefined;
  return [
    ...(unsent && method
      ? [diagnose("FW343", { handler, request: `a ${method} request` }, unsent.location)]
      : []),
    ...(second && !unsent ? [diagnose("FW344", { handler, what: "a body" }, second.location)] : []),
    ...findRepeated(takes, definitions).map(({ take, key, location }) =>
      diagnose("FW344", { handler, what: `${describePlace(take)} \`${key}\`` }, location),
    ),
  ];
}

export function isBody({ in: place }: { readonly in: Place | "path" }): boolean {
  return place === "body" || place === "form";
}

/** The name of a take's place for messages, as in "the header". */
function describePlace(take: DeclaredInput): string {
  if (take.in === "form") return "the form field";
  const place = isCredential(take.in) ? (take.from ?? "header") : take.in;
  return place === "query" ? "the query value" : `the ${place}`;
}

function findRepeated(
  takes: readonly PlacedTake[],
  definitions: Definitions,
): (PlacedTake & { readonly key: string })[] {
  const known = new Set<string>();
  return takes.flatMap((placed) =>
    keysOf(placed.take, definitions).flatMap((key) => {
      const id = `${describePlace(placed.take)} ${key}`;
      if (known.has(id)) return [{ ...placed, key }];
      known.add(id);
      return [];
    }),
  );
}

/** The keys that a take reads from its place. Empty for a body, and for an optional credential, which may have alternatives. */
function keysOf(take: DeclaredInput, definitions: Definitions): readonly string[] {
  const { in: place, key, shape, optional } = take;
  if (isCredential(take.in) && place !== "api-key") return optional ? [] : ["authorization"];
  if (key !== undefined) return [key];
  if (place === "body") return [];
  const names = objectsOf(shape, definitions).flatMap(({ properties }) => properties.map(({ name }) => name));
  const keys = [...new Set(names)];
  return place === "header" ? keys.map(toHeaderName) : keys;
}

/** A take of one of the functions that run for a route. */
export interface SharedTake<Caller> extends PlacedTake {
  readonly caller: Caller;
}

/**
 * Checks the takes of a handler with those of its guards and providers. Two functions may take the same value as the same type.
 *
 * @param nameCaller returns the name of a function for messages.
 */
export function checkSharedTakes<Caller>(
  takes: readonly SharedTake<Caller>[],
  nameCaller: (caller: Caller) => string,
  definitions: Definitions,
): Diagnostic[] {
  const known = new Map<string, SharedTake<Caller>>();
  const [body, ...bodies] = takes.filter(({ take }) => isBody(take));
  const other = bodies.find((one) => body && one.caller !== body.caller && isOtherBody(one.take, body.take));
  const report = (one: SharedTake<Caller>, before: SharedTake<Caller>, what: string): Diagnostic =>
    diagnose(
      "FW361",
      {
        one: nameCaller(one.caller),
        take: formatTake(one.take),
        other: nameCaller(before.caller),
        otherTake: formatTake(before.take),
        what,
      },
      one.location,
      before.location,
    );
  const values = takes.flatMap((one) =>
    keysOf(one.take, definitions).flatMap((key) => {
      const what = `${describePlace(one.take)} ${key}`;
      const before = known.get(what);
      if (before === undefined) known.set(what, one);
      const isSame =
        !before ||
        before.caller === one.caller ||
        typeOfKey(one.take, key, definitions) === typeOfKey(before.take, key, definitions);
      return isSame ? [] : [report(one, before, `${describePlace(one.take)} \`${key}\``)];
    }),
  );
  return [...(other && body ? [report(other, body, "a body")] : []), ...values];
}

/** True if two functions read the body differently. Several forms are parts of one body. */
function isOtherBody(one: DeclaredInput, other: DeclaredInput): boolean {
  if (one.in === "form" && other.in === "form") return false;
  return one.in !== other.in || JSON.stringify(one.shape) !== JSON.stringify(other.shape);
}

/** The type of one key of a take, as text to compare. */
function typeOfKey(take: DeclaredInput, key: string, definitions: Definitions): string {
  const { in: place, key: own, shape } = take;
  if (place === "credential") return String(own).toLowerCase();
  if (own !== undefined || isCredential(take.in)) return JSON.stringify(shape);
  const toKey = (name: string): string => (place === "header" ? toHeaderName(name) : name);
  const types = objectsOf(shape, definitions).flatMap(({ properties }) =>
    properties.flatMap((one) => (toKey(one.name) === key ? [JSON.stringify(one.shape)] : [])),
  );
  return [...new Set(types)].sort().join(" | ");
}
