/** Lets the project use a logger of its choice instead of ours. */

import type { Log, LogEvent } from "./log.ts";

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

/**
 * Puts what was thrown into `err`, where pino's serializer looks for it.
 *
 * @example toLog(pino()).info({ message: "Listening on http://localhost:8000" })
 */
export function toLog(logger: Logger): Log {
  return {
    info: (event) => logger.info(toFields(event), event.message || REQUEST),
    error: (event) => logger.error(toFields(event), event.message),
  };
}

/** The message of a request, which has only fields. */
const REQUEST = "request";

function toFields({ message: _, error, ...fields }: LogEvent): object {
  return error === undefined ? fields : { ...fields, err: error };
}
