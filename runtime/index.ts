/** The package `framework`: the public API of an app. */

import { type App, createCoreApp } from "./app.ts";
import { currentLaunch } from "./launch.ts";
import { type Logger, toLog } from "./log/log.ts";
import type { Replacement } from "./replace.ts";
import { withEnvironment } from "./settings.ts";
import { loadFromSource } from "./source.ts";

export type { App } from "./app.ts";
export type { Diagnostic, ProjectError, Severity } from "./diagnostic.ts";
export * from "./http.ts";
export type { Logger } from "./log/log.ts";
export type { ListenOptions, Server } from "./node/server.ts";
export { type Replaced, type Replacement, replace, type Substitute } from "./replace.ts";

/** Options of `createApp`. */
export interface AppOptions {
  /** Replaces the framework's own log: pino, or a logger with the same methods. */
  readonly logger?: Logger;
  /** Substitutes for providers and guards in a test: `[replace(currentUser).with(() => ada)]`. */
  readonly providers?: readonly Replacement[];
}

/**
 * Creates the project's app from all handlers under `apps/` and `routes/` and the settings in `framework.toml`.
 *
 * @param options.logger receives all log events of the server.
 * @param options.providers substitutes for providers and guards in a test: `[replace(currentUser).with(() => ada)]`.
 * @returns the app. `await app.listen()` starts a server; `app.fetch(request)` answers one request without a socket.
 * @throws {ProjectError} if the project has errors. The message shows each with its file and line.
 * @example
 * import { createApp } from "framework";
 * export const app = await createApp();
 * await app.listen();
 */
export async function createApp({ logger, providers = [] }: AppOptions = {}): Promise<App> {
  const launch = currentLaunch();
  // Captured before the first `await`, after which the stack may no longer name the calling module.
  const stack = String(new Error().stack);
  const project = await (launch.loadProject ?? loadFromSource)(providers.length > 0, stack);
  const routes = providers[0]?.["~apply"](project.routes, providers) ?? project.routes;
  const app = createCoreApp(routes, {
    strict: launch.dev ?? false,
    ...launch,
    ...project,
    settings: withEnvironment(project.settings, globalThis.process?.env ?? {}),
    ...(logger ? { log: toLog(logger) } : {}),
  });
  return launch.adopt?.(app) ?? app;
}
