/** For tests: an app whose routes have hooks around them, and what it logged. */

import { connect } from "node:net";
import { type App, type CoreOptions, createCoreApp, type Handler } from "./app.ts";
import { bind } from "./bound.fixture.ts";
import { type BoundHooks, chainHooks, type HookFunction } from "./hooks/hooks.ts";
import type { LogEvent } from "./log/log.ts";
import type { Server } from "./node/server.ts";
import { DEFAULT_SETTINGS, type ServerSettings } from "./settings.ts";

/** A handler, and the folders around it, the outer first. */
export type HookedRoute = readonly [Handler, ...BoundHooks[]];

export interface HookedApp extends App {
  /** The errors. */
  readonly logged: readonly LogEvent[];
  /** The lines of requests. */
  readonly requests: readonly LogEvent[];
}

export type HookedOptions = Partial<Omit<CoreOptions, "settings">> & {
  readonly settings?: Partial<ServerSettings>;
};

/**
 * @param routes by method and path, as in "GET /items". A handler with a parameter gets the request.
 * @param root the hooks around what no route serves.
 */
export function createHookedApp(
  routes: Readonly<Record<string, HookedRoute>>,
  root: readonly BoundHooks[] = [],
  { settings, ...options }: HookedOptions = {},
): HookedApp {
  const logged: LogEvent[] = [];
  const requests: LogEvent[] = [];
  const bound = Object.entries(routes).map(([text, [handler, ...folders]]) => ({
    ...bind(text, handler, handler.length === 0 ? [] : ["request"]),
    ...(folders.length > 0 && { hooks: chainHooks(folders) }),
  }));
  const app = createCoreApp(bound, {
    settings: { ...DEFAULT_SETTINGS, host: "127.0.0.1", port: 0, ...settings },
    log: {
      info: (event) => void (event.message === "" && requests.push(event)),
      error: (event) => logged.push(event),
    },
    ...(root.length > 0 && { unmatched: chainHooks(root) }),
    ...options,
  });
  return { ...app, logged, requests };
}

/** Sends text over a connection of its own. @returns all that comes back until the server closes it, a character for each byte. */
export async function sendRaw({ port }: Server, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  socket.write(text, "latin1");
  return (await socket.toArray()).join("");
}

/** In the folder `apps/admin`. */
export function withMiddleware(middleware: HookFunction): BoundHooks {
  return { folder: "apps/admin", middleware };
}

/** In the folder `apps/admin`. */
export function withError(error: HookFunction): BoundHooks {
  return { folder: "apps/admin", error };
}

/** What comes over the wire of one response: the status, all headers but those of the connection, and the body. */
export interface Received {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** A character for each byte. */
  readonly body: string;
}

export async function receive(response: Response): Promise<Received> {
  const headers = [...response.headers].filter(([name]) => !/^(?:date|connection|keep-alive)$/.test(name));
  return {
    status: response.status,
    headers,
    body: Buffer.from(await response.arrayBuffer()).toString("latin1"),
  };
}
