/** The server's log: formats events as text for stdout and stderr, or passes them to the project's own logger. */

import { escapeLines, formatJson } from "../escape.ts";
import type { Location } from "../routing/route.ts";

export interface LogEvent {
  readonly message: string;
  /** The thrown value. */
  readonly error?: unknown;
  readonly method?: string;
  /** The path as the client sent it. */
  readonly path?: string;
  /** The pattern of the route, such as `/users/by/id/<user_id>`. */
  readonly route?: string;
  readonly status?: number;
  /** Milliseconds from the request's head to its answer. */
  readonly duration?: number;
  /** The request's id: the client's `x-request-id`, or a new one. */
  readonly id?: string;
  /** The name of the handler that was running, such as `get_by_id`. */
  readonly handler?: string;
  readonly location?: Location;
  /** The fields that the project passed to `request.log`. */
  readonly fields?: object;
}

export interface Log {
  info(event: LogEvent): void;
  error(event: LogEvent): void;
}

/**
 * A logger for `createApp({ logger })`: pino, or any other whose methods take an object and then a message.
 *
 * @example createApp({ logger: pino() })
 */
export interface Logger {
  /** Receives requests and other events of the server. */
  info(fields: object, message: string): void;
  /** Receives errors, with the thrown value in `fields.err`. */
  error(fields: object, message: string): void;
}

/**
 * Adapts a logger. The thrown value becomes `err`, as pino's serializer expects.
 *
 * @example toLog(pino()).info({ message: "Listening on http://localhost:8000" })
 */
export function toLog(logger: Logger): Log {
  return {
    info: (event) => logger.info(toFields(event), event.message || REQUEST),
    error: (event) => logger.error(toFields(event), event.message),
  };
}

/** The message for a request, whose event has fields only. */
const REQUEST = "request";

function toFields({ message: _, error, fields, ...own }: LogEvent): object {
  return { ...fields, ...own, ...(error !== undefined && { err: error }) };
}

/** Names in a JSON line that the project's fields can't use. */
const RESERVED: readonly string[] = ["level", "time", "pid", "message", "error"];

/** Formats the project's fields as JSON, without the server's own names; "{}" if there are none. */
export function formatFields({ fields = {}, ...event }: LogEvent): string {
  try {
    const entries = Object.entries(fields).filter(
      // Functions have no JSON, and a `toJSON` among them would replace the whole object.
      ([name, value]) => !(name in event || RESERVED.includes(name) || typeof value === "function"),
    );
    return formatJson(Object.fromEntries(entries));
  } catch {
    // A BigInt, a cycle or a getter that throws must not fail the request.
    return formatJson({ fields: tagOf(fields) });
  }
}

export const consoleLog: Log = {
  info: (event) => console.log(formatLogEvent(event)),
  error: (event) => console.error(formatLogEvent(event)),
};

/**
 * @returns one line, followed by the stack of the error, if any.
 * @example formatLogEvent({ message: "…", method: "GET", path: "/", handler: "get_index", location, error })
 * // GET / → get_index (apps/shop/views.ts:3:17): The handler failed.
 * //   TypeError: x is not a function
 * //     at …
 */
export function formatLogEvent(event: LogEvent): string {
  const request = event.method === undefined ? "" : `${event.method} ${event.path}`;
  const answer = event.status === undefined ? "" : ` ${event.status}`;
  const time = event.duration === undefined ? "" : ` ${event.duration.toFixed(1)} ms`;
  const { file, line, column } = event.location ?? {};
  const place = event.location ? ` → ${event.handler} (${file}:${line}:${column})` : "";
  const head = `${request}${answer}${time}${place}`;
  const stack = event.error === undefined ? "" : `\n${formatThrown(event.error).replace(/^/gm, "  ")}`;
  const fields = event.fields === undefined ? "{}" : formatFields(event);
  const own = [event.message, fields].filter((text) => text !== "" && text !== "{}").join(" ");
  // Paths and messages can contain text from clients.
  return escapeLines(`${head === "" || own === "" ? head : `${head}: `}${own}${stack}`);
}

/** True for an error, also of another realm such as `node:vm`. */
export function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error || Object.prototype.toString.call(thrown) === "[object Error]";
  } catch {
    // A Proxy may throw at any access.
    return false;
  }
}

/** Formats an error with its stack and causes, and any other thrown value as text. */
export function formatThrown(thrown: unknown, depth = 0): string {
  try {
    if (isError(thrown)) return formatError(thrown, depth);
    return (typeof thrown === "object" ? JSON.stringify(thrown) : String(thrown)) ?? tagOf(thrown);
  } catch {
    return tagOf(thrown);
  }
}

function formatError(error: Error, depth: number): string {
  const hint = "hint" in error && typeof error.hint === "string" ? `\n  hint: ${error.hint}` : "";
  const text = `${error.stack ?? error}${hint}`;
  if (error.cause === undefined || depth === 4) return text;
  return `${text}\ncaused by ${formatThrown(error.cause, depth + 1)}`;
}

/** @example tagOf({ toJSON: () => undefined }) // "[object Object]" */
function tagOf(thrown: unknown): string {
  try {
    return Object.prototype.toString.call(thrown);
  } catch {
    return "(unreadable)";
  }
}
