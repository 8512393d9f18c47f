/** The settings in `[server]` of `framework.toml`, with their defaults. Sizes are in bytes, times in seconds. */

import { Problem } from "./problem.ts";

export interface ServerSettings {
  /** `localhost` means both loopback addresses, 127.0.0.1 and ::1. */
  readonly host: string;
  /** 0 asks the system for a free port. */
  readonly port: number;
  readonly bodyLimit: number;
  /** From the connection to the end of the request's headers. */
  readonly headersTimeout: number;
  /** From the connection to the end of the request's body. Also how long a client may take nothing of its response. */
  readonly requestTimeout: number;
  /** From the request to the handler's result, including the first piece of a stream; 0 is no limit. */
  readonly handlerTimeout: number;
  readonly keepAliveTimeout: number;
  /** How long a stopping server waits for what is in flight. */
  readonly shutdownTimeout: number;
  /** A path that answers 200, or 503 while the server stops, before any route; "" is none. */
  readonly health: string;
  /** A line in the log for each request, and an `x-request-id` in each response. */
  readonly accessLog: boolean;
  /** Serves the contract and its docs page in production, too. */
  readonly docs: boolean;
  /** Compresses answers that are sent whole, for clients that take it. */
  readonly compression: boolean;
  /** Takes bodies that are compressed with gzip, deflate or Brotli. The body limit counts what comes out. */
  readonly decompress: boolean;
  /** A weak `ETag` for JSON, and 304 for who has it. */
  readonly etag: boolean;
  /**
   * The proxies whose `Forwarded` and `X-Forwarded-*` are believed: addresses, networks and the names `loopback`, `linklocal` and
   * `uniquelocal`, or how many proxies are in front. 0 is none.
   */
  readonly trustProxy: number | readonly string[];
}

/** What `limits` of a `_hooks.ts` puts in place of the server's settings, for the routes of its folder and below. */
export type RouteLimits = Partial<Pick<ServerSettings, "bodyLimit" | "handlerTimeout">>;

/** The settings in `[cors]` of `framework.toml`. */
export interface CorsSettings {
  /** As in `https://shop.example`, or `*` alone for every origin. */
  readonly origins: readonly string[];
  /** Browsers may send cookies and HTTP authentication. Never together with `*`. */
  readonly credentials: boolean;
  /** For how many seconds a browser may keep the answer to a preflight. */
  readonly maxAge: number;
  /** The response headers that scripts may read, besides the safelisted ones. */
  readonly expose: readonly string[];
}

/** The settings in `[files]` of `framework.toml`. */
export interface FilesSettings {
  /** The folder at each path, the longest path first. A folder is relative to the project's. */
  readonly folders: readonly { readonly at: string; readonly folder: string }[];
  /** The file of a folder that answers for a page that is none of its files. */
  readonly fallback: string | undefined;
  /** How the names begin of files that never change. */
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
 * The settings with `PORT` and `HOST` of the environment, which override `framework.toml`. `--port` and `--host` of the command line
 * arrive here, too: the command puts them into the environment of the process that serves.
 *
 * @throws {Problem} when `PORT` is not a port.
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

/** True if the server answers a request itself, before any route. @param health as in the settings; "" is none. */
export function isProbe(health: string, method: string, path: string): boolean {
  return path === health && health !== "" && (method === "GET" || method === "HEAD");
}

/**
 * @param source what the message calls the text: `PORT`, `--port`.
 * @throws {Problem} when the text is not a whole number from 0 to 65535.
 */
export function parsePort(text: string, source: string): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65535) return port;
  throw new Problem(`${source} is ${JSON.stringify(text)}: a port is a whole number from 0 to 65535.`);
}
