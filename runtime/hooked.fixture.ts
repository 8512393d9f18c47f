/** For tests: an app whose routes have hooks around them, and what it logged. */

import { type App, type BoundRoute, type CoreOptions, createCoreApp, type Handler } from "./app.ts";
import { type BoundHooks, type HookFunction, toAround } from "./hooks/hooks.ts";
import type { LogEvent } from "./log/log.ts";
import type { Method } from "./routing/route.ts";
import { DEFAULT_SETTINGS, type ServerSettings } from "./settings.ts";

/** A handler, and the folders around it, the outer first. */
export type HookedRoute = readonly [Handler, ...BoundHooks[]];

export interface HookedApp extends App {
  readonly logged: readonly LogEvent[];
}

/**
 * @param routes by method and path, as in "GET /items".
 * @param root the hooks around what no route serves.
 */
export function createHookedApp(
  routes: Readonly<Record<string, HookedRoute>>,
  root: readonly BoundHooks[] = [],
  {
    settings,
    ...options
  }: Partial<Omit<CoreOptions, "settings">> & { settings?: Partial<ServerSettings> } = {},
): HookedApp {
  const logged: LogEvent[] = [];
  const app = createCoreApp(Object.entries(routes).map(bind), {
    settings: { ...DEFAULT_SETTINGS, host: "127.0.0.1", port: 0, ...settings },
    log: { info: () => {}, error: (event) => logged.push(event) },
    ...(root.length > 0 && { unmatched: toAround(root) }),
    ...options,
  });
  return { ...app, logged };
}

function bind([text, [handler, ...folders]]: readonly [string, HookedRoute]): BoundRoute {
  const [method, pattern = ""] = text.split(" ");
  const location = { file: "routes/x.ts", line: 1, column: 1 };
  return {
    handler,
    ...(folders.length > 0 && { around: toAround(folders) }),
    route: {
      method: method as Method,
      pattern,
      segments: pattern.split("/").filter(Boolean),
      arguments: handler.length === 0 ? [] : ["request"],
      handler: "get",
      module: "routes/x.ts",
      app: null,
      convention: "routes",
      location,
    },
  };
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
