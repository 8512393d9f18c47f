import { currentLaunch, loadFromSource, createCoreApp } from "./runtime/app.js";
export { replace } from "./runtime/app.js";
import { toLog, withEnvironment } from "./runtime/log.js";
export {
  ApiKey,
  Basic,
  Bearer,
  Body,
  Cookie,
  DateOnly,
  DateTime,
  Duration,
  Email,
  ExclusiveMax,
  ExclusiveMin,
  Form,
  From,
  Header,
  Hostname,
  Ipv4,
  Ipv6,
  Max,
  MaxItems,
  MaxLength,
  Min,
  MinItems,
  MinLength,
  MultipleOf,
  Pattern,
  Query,
  TimeOnly,
  UniqueItems,
  Uri,
  Uuid,
} from "./http.js";
export { HttpError, Request, event, events, reply } from "./runtime/message.js";
export { int, str } from "./runtime/routing.js";

/** The package `framework`: everything that a project's own code imports. */

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
async function createApp({ logger, providers = [] } = {}) {
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

export { createApp };
