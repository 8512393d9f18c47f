/** The package `framework`: everything that a project's own code imports. */

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

/** What `createApp` takes. */
export interface AppOptions {
  /** Gets everything that the server logs, instead of the framework's own log: pino, or a logger like it. */
  readonly logger?: Logger;
  /** What runs in place of providers and guards of the project, in a test: `[replace(currentUser).with(() => ada)]`. */
  readonly providers?: readonly Replacement[];
}

/**
 * Creates the app of the project: all handlers under `apps/` and `routes/`, with the settings of `framework.toml`.
 *
 * @param options.logger gets everything that the server logs.
 * @param options.providers replaces some for a test: `[replace(currentUser).with(() => ada)]`.
 * @returns the app. `await app.listen()` serves it, `app.fetch(request)` answers one request without a socket.
 * @throws {ProjectError} when the project has errors. The message shows each with its file and line.
 * @example
 * import { createApp } from "framework";
 * export const app = await createApp();
 * await app.listen();
 */
export async function createApp({ logger, providers = [] }: AppOptions = {}): Promise<App> {
  const launch = currentLaunch();
  // Only here it names the module that calls: what runs after an `await` may have lost it.
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
