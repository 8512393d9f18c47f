/** The id that a request has in the log, and in the logs of those it passed through before. */

/** Letters, digits and what ids of other systems have in them; nothing that a log or a header could take for something else. */
const WELL_FORMED = /^[\w.:=+/@-]{1,128}$/;

/**
 * @param given the client's own `x-request-id`, if it sent one.
 * @returns that one if it is well formed, else a new one.
 * @example toRequestId("req-7") // "req-7"
 */
export function toRequestId(given: string | undefined): string {
  return given !== undefined && WELL_FORMED.test(given) ? given : crypto.randomUUID();
}
