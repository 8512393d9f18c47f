/** The package `framework`: everything that a project's own code imports. */

import { type App, createCoreApp } from "./core/app.ts";
import { type Logger, toLog } from "./core/log/log.ts";
import { withEnvironment } from "./core/settings.ts";
import { currentLaunch } from "./launch.ts";
import { loadFromSource } from "./toolchain/load/source.ts";

export type { App } from "./core/app.ts";
export type { Logger } from "./core/log/log.ts";
export type { ListenOptions, Server } from "./core/node/server.ts";
export * from "./http.ts";
export type { Diagnostic, ProjectError, Severity } from "./toolchain/load/project-error.ts";

/** What `createApp` takes. */
export interface AppOptions {
  /** Gets everything that the server logs, instead of the framework's own log: pino, or a logger like it. */
  readonly logger?: Logger;
}

/**
 * Creates the app of the project: all handlers under `apps/` and `routes/`, with the settings of `framework.toml`.
 *
 * @param options.logger gets everything that the server logs.
 * @returns the app. `await app.listen()` serves it, `app.fetch(request)` answers one request without a socket.
 * @throws {ProjectError} when the project has errors. The message shows each with its file and line.
 * @example
 * import { createApp } from "framework";
 * export const app = await createApp();
 * await app.listen();
 */
export async function createApp({ logger }: AppOptions = {}): Promise<App> {
  const launch = currentLaunch();
  const log = logger ? toLog(logger) : launch.log;
  const project = await (launch.loadProject ?? loadFromSource)();
  const app = createCoreApp(project.routes, {
    settings: withEnvironment(project.settings, globalThis.process?.env ?? {}),
    dev: launch.dev,
    log,
    explainMiss: launch.explainMiss,
    unmatched: project.unmatched,
    cors: project.cors,
  });
  return launch.adopt?.(app) ?? app;
}
