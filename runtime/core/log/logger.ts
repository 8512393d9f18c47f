/** A logger of the project's choice in place of ours. */

import type { Log, LogEvent } from "./log.ts";

/** What is asked of it: pino has it, and whatever takes an object and then a message. */
export interface Logger {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * What was thrown is in `err`, where pino's serializer looks for it.
 *
 * @example toLog(pino()).info({ message: "Listening on http://localhost:8000" })
 */
export function toLog(logger: Logger): Log {
  return {
    info: (event) => logger.info(toFields(event), event.message || REQUEST),
    error: (event) => logger.error(toFields(event), event.message),
  };
}

/** What the line of a request says besides its fields. */
const REQUEST = "request";

function toFields({ message: _, error, ...fields }: LogEvent): object {
  return error === undefined ? fields : { ...fields, err: error };
}
