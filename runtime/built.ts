/** The entry of a built server on each platform: reads the address, exports `fetch`, and reports errors at start. */

import type { App } from "./app.ts";
import { type LoadedProject, setLaunch } from "./launch.ts";
import { consoleLog } from "./log/log.ts";
import { createProductionLog } from "./log/production.ts";
import { adviseOnListenError } from "./node/listen-error.ts";
import { closeServers, type Server } from "./node/server.ts";
import { isServer } from "./platform.ts";
import { Problem } from "./problem.ts";
import { parsePort } from "./settings.ts";

/** The default export that Cloudflare, `deno serve` and Bun expect of a server. */
export interface FetchHandler {
  readonly fetch: App["fetch"];
}

export interface BuiltExports extends FetchHandler {
  /** Undefined once the app listens: Bun would serve it a second time, and Deno would warn. */
  readonly served: FetchHandler | undefined;
}

let created: App | undefined;
let listens = false;

/** Runs before the project's first module. Until {@link finishStart}, an uncaught error ends the process with a message. */
export function beginStart(loadProject: () => Promise<LoadedProject>): void {
  setLaunch({ adopt, loadProject });
  if (!isServer()) return;
  setLaunch({ log: createProductionLog() });
  process.on("uncaughtException", endWithMessage);
  process.env.NODE_ENV ??= "production";
  readAddress(process.argv.slice(2));
}

/**
 * Checks that modules export the functions that the build read in their source text: a build never runs project code.
 *
 * @throws {Problem} for the first failed check.
 */
export function requireExports(
  checks: readonly (readonly [isRight: boolean, message: string, hint: string])[],
): void {
  const wrong = checks.find(([isRight]) => !isRight);
  if (wrong) throw new Problem(wrong[1], wrong[2]);
}

/** @throws {Problem} if the main file has not created an app. */
export function finishStart(): BuiltExports {
  if (created === undefined)
    throw new Problem("app.ts did not create an app.", "It has to call `await createApp()`.");
  if (isServer()) process.off("uncaughtException", endWithMessage);
  const { fetch } = created;
  return { fetch, served: listens ? undefined : { fetch } };
}

/** A platform without sockets serves the exports, so the main file's `app.listen()` does nothing there. */
function adopt(app: App): App {
  created ??= app;
  return {
    ...app,
    async listen(options) {
      if (!isServer()) return NOT_LISTENING;
      listens = true;
      return app.listen(options);
    },
  };
}

/** `closed` never resolves: a platform without sockets does not report its end. */
const NOT_LISTENING: Server = {
  url: "",
  host: "",
  port: 0,
  get node(): never {
    throw new Problem(
      "This platform has no server of `node:http`.",
      "Use what the platform has for WebSockets.",
    );
  },
  close: async () => {},
  closed: new Promise(() => {}),
};

/** `--port` and `--host` override the environment variables, as with `framework start`. Other arguments are left to the project. */
function readAddress(args: readonly string[]): void {
  for (const [index, arg] of args.entries()) {
    const [, name, value = args[index + 1] ?? ""] = /^--(port|host)(?:=(.*))?$/s.exec(arg) ?? [];
    if (name === "port") process.env.PORT = String(parsePort(value, "--port"));
    else if (name === "host") process.env.HOST = value;
  }
}

/** Prints the error, and ends the process even if the project has opened a resource that keeps it alive. */
async function endWithMessage(error: unknown): Promise<void> {
  const advice = error instanceof Problem ? error : adviseOnListenError(error);
  const hint = advice?.hint === undefined ? "" : `\n  hint: ${advice.hint}`;
  consoleLog.error(
    advice ? { message: advice.message + hint } : { message: "The server could not start.", error },
  );
  process.exitCode = 1;
  await closeServers();
  process.exit();
}
