/** The package `framework`: everything that a project's own code imports. */
import type { Request, Route, Location, Provided } from "./http.js";
export * from "./http.js";
export { type Replacement };

export interface App {
  /**
   * Answers one request without a socket: for tests, and for platforms that call a `fetch` function.
   *
   * @param input what `fetch` takes, or a path alone.
   * @returns the response. An error in a handler is a response, too: 500.
   * @throws {TypeError} for input that `fetch` would refuse as well.
   * @example await app.fetch("/items", { method: "POST", body: JSON.stringify({ name: "lamp" }) })
   */
  fetch(input: string | URL | globalThis.Request | Request, init?: RequestInit): Promise<Response>;
  /**
   * Serves the app on Node, by default at the address in `[server]` of `framework.toml`.
   *
   * @returns the server, once it listens.
   * @throws the system's error when it can't listen, such as `EADDRINUSE`.
   * @example const server = await app.listen({ port: 0 });
   */
  listen(options?: ListenOptions): Promise<Server>;
  /** Every route of the app, in the order of `framework routes list`. */
  readonly routes: readonly Route[];
}

/**
 * Where `app.listen()` serves, in place of `[server]` in `framework.toml`.
 *
 * @example await app.listen({ port: 0, host: "127.0.0.1" });
 */
export interface ListenOptions {
  /** 0 to 65535; 0 asks the system for a free port. */
  readonly port?: number;
  /** An address or a name of this machine. `localhost` means both loopback addresses, `0.0.0.0` every address. */
  readonly host?: string;
}

/** A server that listens. */
export interface Server {
  /** As in `http://localhost:8000`. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /**
   * Stops accepting, finishes what is in flight, and closes the connections. A second call returns the same promise.
   *
   * @returns resolves when all connections are closed, at the latest after `[server] shutdown_timeout`. It never rejects.
   * @example await server.close();
   */
  close(): Promise<void>;
  /**
   * Resolves after the last answer, once `close()` or a signal has stopped the server. What the project closes then may take the
   * rest of `[server] shutdown_timeout`; under `framework dev`, two seconds. Don't await it at the top level of a module: the
   * module would never finish loading.
   *
   * @example server.closed.then(() => pool.end());
   */
  readonly closed: Promise<void>;
}

export interface Diagnostic {
  /** Permanent: `FW101`. FW1xx configuration, FW2xx names, FW3xx signatures, FW4xx table, FW5xx loading, FW6xx generators, FW7xx building, FW8xx upkeep, FW9xx the contract. */
  readonly code: string;
  readonly severity: Severity;
  /** What happened and why. It may hold raw text of the user: print it with `formatDiagnostic` or `escapeControl`. */
  readonly message: string;
  /** What to do; several lines where it shows an example. */
  readonly hint: string | null;
  /** The main place first; a conflict has several. Empty if there is no place. */
  readonly locations: readonly Location[];
}

export type Severity = "error" | "warning" | "info";

/** The one error for "this project has mistakes in it". */
export interface ProjectError extends Error {
  readonly name: "ProjectError";
  readonly diagnostics: readonly Diagnostic[];
  /** Every diagnostic with its code frame. */
  format(color: boolean): string;
}

/**
 * A logger for `createApp({ logger })`: pino, or any other whose methods take an object and then a message.
 *
 * @example createApp({ logger: pino() })
 */
export interface Logger {
  /** Takes requests and what the server reports. */
  info(fields: object, message: string): void;
  /** Takes errors; what was thrown is in `fields.err`. */
  error(fields: object, message: string): void;
}

/** A provider that waits for its substitute. */
export interface Replaced<T> {
  with(substitute: Substitute<T>): Replacement;
}

/** Gives what a provider gives: by returning it, a promise of it, or a generator that yields it. */
export type Substitute<T> = () =>
  | T
  | PromiseLike<T>
  | Generator<T, unknown, undefined>
  | AsyncGenerator<T, unknown, undefined>;

/** What `replace(…).with(…)` returns. */
declare class Replacement {
  #private;
}

/**
 * For `createApp({ providers })`: has another function called in place of a provider or a guard. Nothing that only the replaced function
 * takes is asked of a request.
 *
 * @param provider the function that the project exports.
 * @returns takes the substitute, which is called without arguments.
 * @example const app = await createApp({ providers: [replace(currentUser).with(() => ({ name: "Ada" }))] });
 */
export declare function replace<F extends (...args: never[]) => unknown>(
  provider: F,
): Replaced<Provided<ReturnType<F>>>;

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
export declare function createApp({ logger, providers }?: AppOptions): Promise<App>;
