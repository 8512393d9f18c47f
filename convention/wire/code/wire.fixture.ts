/** Generates wire modules from shapes, loads them as the framework does, and calls them with in-memory requests, for tests. */

import { Request } from "#runtime/message/request";
import type { DeclaredInput, Place, RouteInputs, WireModule } from "#runtime/wire/inputs";
import type { Raw, RequestReader, TextPlace } from "#runtime/wire/request-reader";
import type { Definitions, ObjectShape, Property, Shape } from "#runtime/wire/shape";
import { type Call, NOTHING_TYPED, type TypedRoute } from "../typed-route.ts";
import { writeWireModule } from "./module.ts";

const RUNTIME = import.meta.resolve("#runtime/wire/imports");

export function routeOf(takes: readonly DeclaredInput[], changes: Partial<TypedRoute> = {}): TypedRoute {
  return {
    ...NOTHING_TYPED,
    method: "POST",
    pattern: "/things/",
    segments: ["things"],
    arguments: takes.map(() => "taken"),
    handler: "post_index",
    module: "apps/things/views.ts",
    app: "things",
    convention: "views",
    location: { file: "apps/things/views.ts", line: 1, column: 1 },
    takes,
    ...changes,
  };
}

/** A call of a provider, or with `changes` of a guard. */
export function callOf(name: string, changes: Partial<Call> = {}): Call {
  const { takes = [] } = changes;
  return {
    kind: "provider",
    name,
    module: "lib/shared.ts",
    exported: name,
    location: { file: "lib/shared.ts", line: 1, column: 17 },
    arguments: takes.map(() => "taken"),
    takes,
    provided: [],
    isEarly: false,
    canRefuse: true,
    ...changes,
  };
}

export function textOf(routes: readonly TypedRoute[], definitions: Definitions = {}): string {
  const toSpecifier = (file: string): string =>
    import.meta.resolve(`#convention/wire/code/${file.replace(/^\.\/|\.ts$/g, "")}`);
  return writeWireModule({ routes, definitions }, { runtime: RUNTIME, toSpecifier }) ?? "";
}

export async function inputsOf(
  takes: readonly DeclaredInput[],
  definitions: Definitions = {},
  changes: Partial<TypedRoute> = {},
): Promise<RouteInputs> {
  const text = textOf([routeOf(takes, changes)], definitions);
  const { routeInputs }: WireModule = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  const inputs = routeInputs["POST /things/"];
  if (inputs === undefined) throw new Error("The module has no inputs for the route.");
  return inputs;
}

export function bodyOf(shape: Shape, optional = false): DeclaredInput {
  return { in: "body", name: "body", shape, optional };
}

/** @param key undefined for an object whose property names are the keys. */
export function textTake(place: TextPlace, shape: Shape, key?: string, optional = false): DeclaredInput {
  return { in: place, name: key ?? "", shape, optional, ...(key !== undefined && { key }) };
}

export function object(
  properties: Readonly<Record<string, Shape>>,
  optional: readonly string[] = [],
  others?: Shape,
): ObjectShape {
  const list = Object.entries(properties).map(
    ([name, shape]): Property => ({ name, shape, optional: optional.includes(name) }),
  );
  return { kind: "object", properties: list, ...(others && { others }) };
}

/** @param raws the raw values by place and key. */
export function readerOf(
  raws: Partial<Record<TextPlace, Readonly<Record<string, Raw>>>> = {},
  body?: unknown,
  results: unknown[] = [],
): RequestReader {
  return {
    values: [7],
    body,
    results,
    request: new Request("http://localhost/"),
    raw: (place: TextPlace, key: string) =>
      Object.hasOwn(raws[place] ?? {}, key) ? raws[place]?.[key] : undefined,
    all: (place: TextPlace) => Object.assign(Object.create(null), raws[place]),
    credential: (place: Place, key?: string, from = "header") =>
      place === "api-key" ? `key of ${from} ${key}` : { bearer: "token", basic: "ada" }[String(place)],
  } as Partial<RequestReader> as RequestReader;
}
