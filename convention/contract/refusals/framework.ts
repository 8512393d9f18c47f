/** What the framework refuses before the handler of a route is called, each only where it can happen. 500 and 503 can come from any route. */

import type { Location } from "#runtime/routing/route";
import { isCredential, toKind } from "#runtime/wire/credentials";
import type { DeclaredInput } from "#runtime/wire/inputs";
import { type Definitions, resolve, type Shape } from "#runtime/wire/shape";
import { isBody } from "../../wire/clashes.ts";
import { objectsOf } from "../../wire/texts.ts";
import type { TypedRoute } from "../../wire/typed-route.ts";
import type { Answer } from "../contract.ts";
import { functionsOf } from "../inputs.ts";
import { ERROR_BODY, INVALID_BODY } from "./bodies.ts";

/** A take, and the function that has it. */
interface Placed {
  readonly take: DeclaredInput;
  readonly location: Location;
}

/** With the limit in it for the number of bytes: that of a route is known only to `createRefusalReader`. */
export const TOO_LARGE = "The request body is larger than {limit} bytes";

export function readFrameworkRefusals(route: TypedRoute, definitions: Definitions): readonly Answer[] {
  const takes = functionsOf(route).flatMap(({ takes, location }) =>
    takes.map((take) => ({ take, location })),
  );
  const body = takes.find(({ take }) => isBody(take));
  const misfit = takes.find(({ take }) => canMisfit(take, definitions));
  const answers: Answer[] = takes.flatMap(refuseCredential);
  const query = takes.find(({ take }) => take.in === "query" || take.from === "query");
  if (query) answers.push(answer(400, "The query is not valid UTF-8", query.location));
  if (body) answers.push(...refuseBody(body));
  if (misfit) answers.push(answer(422, "A value does not fit what the operation takes", misfit.location));
  return answers;

  function answer(status: number, description: string, location: Location, ...headers: string[]): Answer {
    return { status, description, bodies: [status === 422 ? INVALID_BODY : ERROR_BODY], headers, location };
  }

  function refuseCredential({ take, location }: Placed): readonly Answer[] {
    const kind = toKind(take);
    return kind && !take.optional ? [answer(401, kind.missing, location, "www-authenticate")] : [];
  }

  function refuseBody({ take, location }: Placed): readonly Answer[] {
    const [what, kind] = take.in === "form" ? ["form data", "a form"] : ["valid JSON", "JSON"];
    return [
      answer(400, `The request body is not ${what}`, location),
      answer(413, TOO_LARGE, location),
      answer(415, `The request body must be ${kind}`, location, "accept", "accept-encoding"),
    ];
  }
}

/** False for a take that fits whatever the request has in its place. */
function canMisfit({ in: place, key, shape, optional }: DeclaredInput, definitions: Definitions): boolean {
  if (isCredential(place)) return false;
  if (place === "body") return resolve(shape, definitions).kind !== "unknown";
  const objects = key === undefined ? objectsOf(shape, definitions) : [];
  if (objects.length === 0) return !optional || !fitsEachText(shape, place, definitions);
  return objects.some(
    ({ properties, others }) =>
      objects.length > 1 ||
      (others !== undefined && !fitsEachText(others, place, definitions)) ||
      properties.some((one) => !one.optional || !fitsEachText(one.shape, place, definitions)),
  );
}

/** A query can repeat a key, and a form can have a file in each place. */
function fitsEachText(
  given: Shape,
  place: "query" | "header" | "cookie" | "form",
  definitions: Definitions,
): boolean {
  const shape = resolve(given, definitions);
  if (place === "form") return false;
  if (shape.kind === "array" && place === "query")
    return Object.keys(shape).length === 2 && isAnyText(resolve(shape.items, definitions));
  return place !== "query" && isAnyText(shape);
}

function isAnyText(shape: Shape): boolean {
  return shape.kind === "string" && Object.keys(shape).length === 1;
}
