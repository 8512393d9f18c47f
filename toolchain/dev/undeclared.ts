/** Finds the keys of a request that nothing of its route declares. They are dropped without an error, and may be slips of the keyboard. */

import { closest } from "#convention/diagnostics/closest";
import type { TypedRoute } from "#convention/wire/typed-route";
import { escapeControl, escapeKey } from "#runtime/escape";
import type { DeclaredInput, RouteInputs } from "#runtime/wire/inputs";
import { formatPlace } from "#runtime/wire/issues";
import type { RequestReader } from "#runtime/wire/request-reader";
import {
  candidatesOf,
  type Definitions,
  itemOf,
  type ObjectShape,
  resolve,
  type Shape,
} from "#runtime/wire/shape";

/** How many keys of a request are named, and how many characters of each: clients choose them. */
const SHOWN = 3;
const KEY_LENGTH = 60;

/** Nobody writes deeper values by hand, and walking them would run out of stack. */
const MAX_DEPTH = 100;

interface Undeclared {
  readonly in: "body" | "query" | "form";
  /** A JSON pointer. */
  readonly pointer: string;
  readonly key: string;
  /** What may be in its place. */
  readonly declared: readonly string[];
}

/** @param tell gets one line for a request with keys that nothing of its route declares. No value is in it. */
export function watchUndeclared(
  inputs: RouteInputs,
  route: TypedRoute,
  tell: (line: string) => void,
): RouteInputs {
  return {
    ...inputs,
    read(reader) {
      const found = findUndeclared(inputs, route, reader);
      if (found.length > 0) tell(escapeControl(`${route.method} ${reader.request.path}: ${format(found)}`));
      return inputs.read(reader);
    },
  };
}

/** @example "nmae in the body is not declared (did you mean name?)" */
function format(found: readonly Undeclared[]): string {
  const named = found.slice(0, SHOWN).map(({ in: place, pointer, key, declared }) => {
    const nearest = closest(key, declared);
    const hint = nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
    return `${formatPlace({ in: place, pointer }).slice(0, KEY_LENGTH)} in the ${place} is not declared${hint}`;
  });
  return named.join(", ") + (found.length > SHOWN ? `, and ${found.length - SHOWN} more` : "");
}

function findUndeclared(inputs: RouteInputs, route: TypedRoute, reader: RequestReader): Undeclared[] {
  const { calls = [], definitions } = inputs;
  const takes = [...calls, inputs].flatMap((one) => one?.takes ?? []);
  const hasRequest = [route, ...route.calls].some((inputs) => inputs.arguments.includes("request"));
  return (["body", "query", "form"] as const).flatMap((place) => {
    const taken = takes.filter((take) => (take.from ?? take.in) === place);
    // A function with the request may look there for more.
    if (taken.length === 0 || (place === "query" && hasRequest)) return [];
    const isBody = place === "body";
    const shape = isBody ? taken[0]?.shape : toKeys(taken, definitions);
    const others = shape ? findOthers(isBody ? reader.body : reader.all(place), shape, definitions) : [];
    return others.map((other) => ({ in: place, ...other }));
  });
}

/** @returns an object with the keys that are taken; undefined where they are not known. */
function toKeys(takes: readonly DeclaredInput[], definitions: Definitions): ObjectShape | undefined {
  const names: string[] = [];
  for (const { key, shape } of takes) {
    const known = settle(shape, definitions);
    if (key !== undefined) names.push(key);
    else if (known?.kind !== "object" || known.others !== undefined) return undefined;
    else names.push(...known.properties.map(({ name }) => name));
  }
  return { kind: "object", properties: names.map((name) => ({ name, shape: ANY, optional: true })) };
}

const ANY: Shape = { kind: "unknown" };

type Other = Omit<Undeclared, "in">;

/** @returns the keys in a value that its shape does not have, where that is known. */
export function findOthers(
  value: unknown,
  given: Shape,
  definitions: Definitions,
  pointer = "",
  depth = 0,
): Other[] {
  const shape = settle(given, definitions, value);
  if (typeof value !== "object" || value === null || shape === undefined || depth === MAX_DEPTH) return [];
  const inner = (key: string, item: unknown, itemShape: Shape): Other[] =>
    findOthers(item, itemShape, definitions, `${pointer}/${escapeKey(key)}`, depth + 1);
  if (Array.isArray(value))
    return value.flatMap((item, index) => {
      const itemShape = itemOf(shape, index);
      return itemShape ? inner(String(index), item, itemShape) : [];
    });
  if (shape.kind !== "object") return [];
  const declared = shape.properties.map(({ name }) => name);
  return Object.entries(value).flatMap(([key, item]) => {
    const property = shape.properties.find(({ name }) => name === key)?.shape ?? shape.others;
    if (property) return inner(key, item, property);
    return [{ pointer: `${pointer}/${escapeKey(key)}`, key, declared }];
  });
}

/** @returns the shape without a name, and of a union the one member that the value can be. */
function settle(shape: Shape, definitions: Definitions, value?: unknown): Shape | undefined {
  const known = resolve(shape, definitions);
  if (known.kind !== "union") return known;
  const [only, ...more] = candidatesOf(known, value, definitions);
  return more.length === 0 ? only : undefined;
}
