/** For tests: an app with one route, POST and GET /, that calls guards and providers. Their readers are written by hand. */

import { type App, type BoundRoute, type CoreOptions, createCoreApp, type Handler } from "./app.ts";
import type { HookChain } from "./hooks/hooks.ts";
import type { LogEvent } from "./log/log.ts";
import type { Method, Route } from "./routing/route.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";
import type { BoundCall, BoundInput, FunctionInputs, Place } from "./wire/inputs.ts";
import { toServe } from "./wire/serve.ts";
import type { Shape } from "./wire/shape.ts";
import { isTextPlace } from "./wire/texts.ts";

export const TEXT: Shape = { kind: "string", minLength: 1 };

export function take(place: Place, given: Partial<BoundInput> = {}): BoundInput {
  const { key = "" } = given;
  const value: BoundInput["value"] = (reader) => (isTextPlace(place) ? reader.raw(place, key) : reader.body);
  return { in: place, name: "it", shape: TEXT, optional: false, value, ...given };
}

/** One function of the route: what it takes, and which calls it is given by their places. */
export interface Called {
  readonly takes?: readonly BoundInput[];
  readonly needs?: readonly number[];
  /** By default it reads what it needs, and nothing off the wire. */
  readonly read?: FunctionInputs["read"];
}

export interface CalledProvider extends Called, Partial<Omit<BoundCall, "run">> {
  readonly run: BoundCall["run"];
}

export interface Served extends Called {
  readonly calls: readonly CalledProvider[];
  readonly handler?: Handler;
  readonly hooks?: HookChain;
}

export interface Created {
  readonly app: App;
  readonly logged: LogEvent[];
}

export function bindServed({ calls, handler = giveAll, hooks, ...own }: Served): BoundRoute[] {
  const inputs = { ...toReader(own), definitions: {}, calls: calls.map(toReader) };
  const serve = toServe(inputs, calls.map(toCall), own.needs ?? []);
  return (["GET", "POST"] as const).map((method) => ({
    route: toRoute(method),
    handler,
    serve,
    ...(hooks && { hooks }),
  }));
}

export function createServed(served: Served, settings: Partial<CoreOptions["settings"]> = {}): Created {
  const logged: LogEvent[] = [];
  const log = { info() {}, error: (event: LogEvent) => void logged.push(event) };
  const app = createCoreApp(bindServed(served), { settings: { ...DEFAULT_SETTINGS, ...settings }, log });
  return { app, logged };
}

function giveAll(...args: readonly unknown[]): unknown {
  return { args };
}

function toReader({ takes = [], needs = [], read }: Called): FunctionInputs {
  return { takes, read: read ?? (({ results }) => needs.map((index) => results[index])) };
}

function toCall({ run, kind = "provider", needs = [], ...given }: CalledProvider, index: number): BoundCall {
  const location = { file: "apps/shop/providers.ts", line: index + 1, column: 1 };
  return { kind, name: run.name, isEarly: kind === "guard", provided: needs, location, run, ...given };
}

function toRoute(method: Method): Route {
  return {
    method,
    pattern: "/",
    segments: [],
    arguments: [],
    handler: "post_index",
    module: "apps/shop/views.ts",
    app: "shop",
    convention: "views",
    location: { file: "apps/shop/views.ts", line: 3, column: 17 },
  };
}
