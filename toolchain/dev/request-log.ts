/** The log of dev: a line for each request, with status, time, method and path. */

import { kleur } from "#convention/deps/kleur";
import { formatLogEvent, type Log, type LogEvent } from "#runtime/log/log";

/** By the first digit of the status. */
const COLORS: Readonly<Record<string, (text: string) => string>> = {
  2: (text) => kleur.green(text),
  3: (text) => kleur.cyan(text),
  4: (text) => kleur.yellow(text),
  5: (text) => kleur.red(text),
};

export function createDevLog(color: boolean): Log {
  return {
    info: (event) => console.log(formatRequest(event, color)),
    error: (event) => console.error(formatLogEvent(event)),
  };
}

/** @example formatRequest(event, false) // "  200   0.4 ms  GET /users/by/id/7" */
function formatRequest(event: LogEvent, color: boolean): string {
  const { duration, message, method, path, status } = event;
  if (status === undefined || duration === undefined)
    return method === undefined ? message : `  ${formatLogEvent(event)}`;
  kleur.enabled = color;
  const shown = formatLogEvent({ message: "", ...(method && { method }), ...(path && { path }) });
  const paint = COLORS[Math.floor(status / 100)] ?? String;
  return `  ${paint(String(status))} ${kleur.dim(`${duration.toFixed(1).padStart(6)} ms`)}  ${shown}`;
}
