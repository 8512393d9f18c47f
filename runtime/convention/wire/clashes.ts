/** Takes of one handler that can't be together, or that its method can't have. */

import type { Location, Method } from "#runtime/core/routing/route";
import { toHeaderName } from "#runtime/core/wire/header-name";
import type { Place, Take } from "#runtime/core/wire/take";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { FindDefinition } from "./shapes.ts";
import { objectsOf } from "./texts.ts";

export interface PlacedTake {
  readonly take: Take;
  readonly location: Location;
}

/** @param handler its name, for the messages. */
export function checkTakes(
  handler: string,
  method: Method,
  takes: readonly PlacedTake[],
  find: FindDefinition,
): Diagnostic[] {
  const bodies = takes.filter(({ take }) => take.in === "body" || take.in === "form");
  const [first] = bodies;
  const second = bodies.slice(1).find(({ take }) => take.in === "body" || first?.take.in === "body");
  const unsent = method === "GET" || method === "HEAD" ? first : undefined;
  return [
    ...(unsent ? [diagnose("FW343", { handler, method, mark: "Query" }, unsent.location)] : []),
    ...(second && !unsent ? [diagnose("FW342", { handler }, second.location)] : []),
    ...findRepeated(takes, find).map(({ take, key, location }) =>
      diagnose("FW344", { handler, what: PLACES[take.in], key }, location),
    ),
  ];
}

/** What a message calls the value of a place, before its name. */
const PLACES: Readonly<Record<Place, string>> = {
  body: "the body",
  form: "the form field",
  query: "the query value",
  header: "the header",
  cookie: "the cookie",
  bearer: "the header",
  basic: "the header",
  "api-key": "the header",
};

function findRepeated(
  takes: readonly PlacedTake[],
  find: FindDefinition,
): (PlacedTake & { readonly key: string })[] {
  const known = new Set<string>();
  return takes.flatMap((placed) =>
    keysOf(placed.take, find).flatMap((key) => {
      const id = `${PLACES[placed.take.in]} ${key}`;
      if (known.has(id)) return [{ ...placed, key }];
      known.add(id);
      return [];
    }),
  );
}

/** What it reads, as the request calls it. Nothing for a body, and for one of several ways to authenticate. */
function keysOf({ in: place, key, shape, optional }: Take, find: FindDefinition): readonly string[] {
  if (key !== undefined) return [key];
  if (place === "body") return [];
  if (place === "bearer" || place === "basic") return optional ? [] : ["authorization"];
  const names = objectsOf(shape, find).flatMap(({ properties }) => properties.map(({ name }) => name));
  const keys = [...new Set(names)];
  return place === "header" ? keys.map(toHeaderName) : keys;
}
