/** The log of a server in production: JSON lines, or readable text if stdout is a terminal. */

import { formatJson } from "../escape.ts";
import { consoleLog, formatFields, formatThrown, type Log, type LogEvent } from "./log.ts";

/** The maximum of buffered output. If stdout's reader is too slow, lines are dropped so that the server does not run out of memory. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

/** How long lines are collected before they are written together. */
const BATCH_MS = 10;

/** Creates the log. Errors go to stdout, too, as with other loggers: a single stream keeps the events in order. */
export function createProductionLog(): Log {
  const { stdout } = process;
  if (stdout.isTTY) return consoleLog;
  // A closed pipe (`| head`) or a full disk must not end the server.
  stdout.on("error", () => undefined);
  let lines = "";
  let dropped = 0;
  const flush = (): void => {
    const message = `${dropped} lines of the log were lost: they came faster than they were read.`;
    if (dropped > 0) lines += formatJsonLine("warn", { message }, Date.now());
    if (lines !== "") stdout.write(lines);
    lines = "";
    dropped = 0;
  };
  const write = (line: string): void => {
    if (stdout.writableLength + lines.length > MAX_BUFFERED_BYTES) {
      dropped++;
      return;
    }
    if (lines === "") setTimeout(flush, BATCH_MS);
    lines += line;
  };
  process.on("exit", flush);
  return {
    info: (event: LogEvent) => write(formatJsonLine("info", event, Date.now())),
    error: (event: LogEvent) => write(formatJsonLine("error", event, Date.now())),
  };
}

type Level = "info" | "warn" | "error";

/**
 * Formats a line of JSON. Written by hand: a line takes 0.7 µs, with `formatJson` 2.4 (Node 24).
 *
 * @param at milliseconds since 1970.
 * @returns the line with its line break. The message comes last, because it is the longest.
 * @example formatJsonLine("info", { message: "", method: "GET", path: "/", status: 200 }, 0)
 * // {"level":"info","time":"1970-01-01T00:00:00.000Z","pid":7,"method":"GET","path":"/","status":200}
 */
export function formatJsonLine(level: Level, event: LogEvent, at: number): string {
  const { duration, error, handler, id, location, message, method, path, route, status } = event;
  let line = `{"level":"${level}","time":"${formatTime(at)}"${PID}`;
  if (method !== undefined) line += `,"method":${quote(method)}`;
  if (path !== undefined) line += `,"path":${quote(path)}`;
  if (route !== undefined) line += `,"route":${quote(route)}`;
  if (status !== undefined) line += `,"status":${status}`;
  if (duration !== undefined) line += `,"duration":${Math.round(duration * 1000) / 1000}`;
  if (id !== undefined) line += `,"id":${quote(id)}`;
  if (handler !== undefined) line += `,"handler":${quote(handler)}`;
  if (location !== undefined)
    line += `,"location":${quote(`${location.file}:${location.line}:${location.column}`)}`;
  if (event.fields !== undefined)
    line += formatFields(event).replace(/^\{(.*)\}$/, (_, inner) => inner && `,${inner}`);
  if (error !== undefined) line += `,"error":${quote(formatThrown(error))}`;
  return message === "" ? `${line}}\n` : `${line},"message":${quote(message)}}\n`;
}

/** The process id, to tell workers apart; "" on a platform without processes. */
const PID = globalThis.process?.pid ? `,"pid":${process.pid}` : "";

let last = Number.NaN;
let lastTime = "";

/** Formats a time, and caches it, because many events have the same millisecond. */
function formatTime(at: number): string {
  if (at === last) return lastTime;
  last = at;
  lastTime = new Date(at).toISOString();
  return lastTime;
}

/** Text that needs no escaping, neither in JSON nor for a terminal. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : formatJson(text);
}
