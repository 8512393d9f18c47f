/** The settings in `[server]` of `framework.toml`, with their defaults. Sizes are in bytes, times in seconds. */

import { Problem } from "./problem.ts";

export interface ServerSettings {
  /** `localhost` means both loopback addresses, 127.0.0.1 and ::1. */
  readonly host: string;
  /** 0 asks the system for a free port. */
  readonly port: number;
  readonly bodyLimit: number;
  /** From the start of the connection to the end of the request's headers. */
  readonly headersTimeout: number;
  /** From the start of the connection to the end of the request's body. Also how long a client may read nothing of its response. */
  readonly requestTimeout: number;
  /** From the request to the handler's result, including the first chunk of a stream; 0 disables it. */
  readonly handlerTimeout: number;
  readonly keepAliveTimeout: number;
  /** How long a stopping server waits for requests in flight. */
  readonly shutdownTimeout: number;
  /** The path of the health probe, which answers 200, or 503 while the server stops; "" disables it. */
  readonly health: string;
  /** Logs a line for each request, and adds an `x-request-id` to each response. */
  readonly accessLog: boolean;
  /** Serves the contract and its docs page in production, too. */
  readonly docs: boolean;
  /** Compresses answers that are not streams, for clients that accept it. */
  readonly compression: boolean;
  /** Accepts bodies that are compressed with gzip, deflate or Brotli. The body limit applies to the decompressed size. */
  readonly decompress: boolean;
  /** Adds a weak `ETag` to JSON, and answers 304 to clients that have it. */
  readonly etag: boolean;
  /**
   * The proxies whose `Forwarded` and `X-Forwarded-*` are trusted: addresses, networks and the names `loopback`, `linklocal` and
   * `uniquelocal`, or the number of proxies in front of the server. 0 trusts none.
   */
  readonly trustProxy: number | readonly string[];
}

/** The `limits` of a `_hooks.ts`, which override the server's settings for the routes of its folder and below. */
export type RouteLimits = Partial<Pick<ServerSettings, "bodyLimit" | "handlerTimeout">>;

/** The settings in `[cors]` of `framework.toml`. */
export interface CorsSettings {
  /** Origins such as `https://shop.example`, or `*` alone for every origin. */
  readonly origins: readonly string[];
  /** Allows browsers to send cookies and HTTP authentication. Never together with `*`. */
  readonly credentials: boolean;
  /** Seconds for which a browser may cache the answer to a preflight. */
  readonly maxAge: number;
  /** The response headers that scripts may read, besides the safelisted ones. */
  readonly expose: readonly string[];
}

/** The settings in `[files]` of `framework.toml`. */
export interface FilesSettings {
  /** The folder that serves each path, the longest path first. A folder is relative to the project's root. */
  readonly folders: readonly { readonly at: string; readonly folder: string }[];
  /** The file that a folder serves for a page that it does not contain. */
  readonly fallback: string | undefined;
  /** The prefix of the names of files that never change. */
  readonly immutable: string | undefined;
}

export const DEFAULT_SETTINGS: ServerSettings = {
  host: "localhost",
  port: 8000,
  bodyLimit: 1024 * 1024,
  headersTimeout: 15,
  requestTimeout: 60,
  // Longer than a body may take to arrive, so that a slow client gets a 408 and not a 503.
  handlerTimeout: 120,
  keepAliveTimeout: 65,
  shutdownTimeout: 10,
  health: "",
  accessLog: false,
  docs: false,
  compression: false,
  decompress: false,
  etag: false,
  trustProxy: 0,
};

/**
 * Overrides the settings of `framework.toml` with the environment variables `PORT` and `HOST`. The command line's `--port` and
 * `--host` arrive here, too: the command sets these variables for the server's process.
 *
 * @throws {Problem} if `PORT` is not a port.
 */
export function withEnvironment(
  settings: ServerSettings,
  environment: Readonly<Record<string, string | undefined>>,
): ServerSettings {
  const { HOST, PORT } = environment;
  return {
    ...settings,
    ...(HOST ? { host: HOST } : {}),
    ...(PORT ? { port: parsePort(PORT, "PORT") } : {}),
  };
}

/** True for a health probe, which the server answers before any route. @param health the path in the settings; "" for none. */
export function isProbe(health: string, method: string, path: string): boolean {
  return path === health && health !== "" && (method === "GET" || method === "HEAD");
}

/**
 * @param source the setting that the message names: `PORT`, `--port`.
 * @throws {Problem} if the text is not a whole number from 0 to 65535.
 */
export function parsePort(text: string, source: string): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65535) return port;
  throw new Problem(`${source} is ${JSON.stringify(text)}: a port is a whole number from 0 to 65535.`);
}
