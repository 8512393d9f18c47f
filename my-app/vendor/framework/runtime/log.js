/** What a person has to fix, in the project or around it. It is shown as a message, without a stack. */

class Problem extends Error {
  name = "Problem";
  /** What to do. */
  hint;

  constructor(message, hint, options) {
    super(message, options);
    this.hint = hint;
  }
}

/** True for one of another copy of this file, too: a built server has its own. */
function isProblem(error) {
  return error instanceof Problem || (error instanceof Error && error.name === "Problem" && "hint" in error);
}

/** Text of the user's or a client's that may be printed: nothing in it moves the cursor, colours, hides or reorders (CWE-150, CVE-2021-42574). */

/** Control characters, which a terminal obeys, marks that reorder or hide text, and halves of characters. JSON escapes some itself. */
const UNSAFE_IN_JSON =
  /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const UNSAFE = new RegExp(`[\\x00-\\x1f]|${UNSAFE_IN_JSON.source}`, "gu");

/** @example escapeControl("a\x1b[31m") // "a\\x1b[31m" */
function escapeControl(text) {
  return text.replace(UNSAFE, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
  });
}

/** The same for a text of several lines, such as a stack: line feeds and tabs stay. */
function escapeLines(text) {
  return text.replace(/[^\n\t]+/g, escapeControl);
}

/** A key as a step of a JSON pointer (RFC 6901 section 3). */
function escapeKey(key) {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescapeKey(step) {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

/**
 * JSON for programs, which a person may look at in a terminal all the same: what would be escaped is `\uXXXX`, which JSON reads
 * back as it was.
 */
function formatJson(value, indent) {
  return JSON.stringify(value, null, indent).replace(UNSAFE_IN_JSON, (char) =>
    char.split("").map(escapeUnit).join(""),
  );
}

function escapeUnit(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The server's log: takes plain objects, and writes readable text to stdout and errors to stderr, unless the project has its own logger. */

/**
 * Puts what was thrown into `err`, where pino's serializer looks for it.
 *
 * @example toLog(pino()).info({ message: "Listening on http://localhost:8000" })
 */
function toLog(logger) {
  return {
    info: (event) => logger.info(toFields(event), event.message || REQUEST),
    error: (event) => logger.error(toFields(event), event.message),
  };
}

/** The message of a request, which has only fields. */
const REQUEST = "request";

function toFields({ message: _, error, ...fields }) {
  return error === undefined ? fields : { ...fields, err: error };
}

const consoleLog = {
  info: (event) => console.log(formatLogEvent(event)),
  error: (event) => console.error(formatLogEvent(event)),
};

/**
 * @returns one line, and below it the stack of what was thrown, if any.
 * @example formatLogEvent({ message: "…", method: "GET", path: "/", handler: "get_index", location, error })
 * // GET / → get_index (apps/shop/views.ts:3:17): The handler failed.
 * //   TypeError: x is not a function
 * //     at …
 */
function formatLogEvent(event) {
  const request = event.method === undefined ? "" : `${event.method} ${event.path}`;
  const answer = event.status === undefined ? "" : ` ${event.status}`;
  const time = event.duration === undefined ? "" : ` ${event.duration.toFixed(1)} ms`;
  const { file, line, column } = event.location ?? {};
  const place = event.location ? ` → ${event.handler} (${file}:${line}:${column})` : "";
  const head = `${request}${answer}${time}${place}`;
  const stack = event.error === undefined ? "" : `\n${formatThrown(event.error).replace(/^/gm, "  ")}`;
  // Clients choose paths and messages.
  return escapeLines(`${head === "" || event.message === "" ? head : `${head}: `}${event.message}${stack}`);
}

/** True for an error of another realm, too, such as `node:vm`. */
function isError(thrown) {
  try {
    return thrown instanceof Error || Object.prototype.toString.call(thrown) === "[object Error]";
  } catch {
    // A Proxy may throw at any access.
    return false;
  }
}

/** The stack of an error and of its causes; anything else that was thrown, as text. */
function formatThrown(thrown, depth = 0) {
  try {
    if (isError(thrown)) return formatError(thrown, depth);
    return (typeof thrown === "object" ? JSON.stringify(thrown) : String(thrown)) ?? tagOf(thrown);
  } catch {
    return tagOf(thrown);
  }
}

function formatError(error, depth) {
  const hint = "hint" in error && typeof error.hint === "string" ? `\n  hint: ${error.hint}` : "";
  const own = `${error.stack ?? error}${hint}`;
  if (error.cause === undefined || depth === 4) return own;
  return `${own}\ncaused by ${formatThrown(error.cause, depth + 1)}`;
}

/** @example tagOf({ toJSON: () => undefined }) // "[object Object]" */
function tagOf(thrown) {
  try {
    return Object.prototype.toString.call(thrown);
  } catch {
    return "(unreadable)";
  }
}

/** Tells a process that is one of several workers of node:cluster from one that runs alone, and sends messages to its primary. */

/** A process without a channel is not a worker, and need not load node:cluster to find out. */
function currentWorker() {
  if (!process.channel) return undefined;
  // Its types have a default export only.
  return process.getBuiltinModule("node:cluster").worker;
}

function isWorker() {
  return currentWorker() !== undefined;
}

/** @returns false in a process without a primary. */
function tellPrimary(message) {
  const worker = currentWorker();
  worker?.send(message);
  return worker !== undefined;
}

/** The settings in `[server]` of `framework.toml`, with their defaults. Sizes are in bytes, times in seconds. */

const DEFAULT_SETTINGS = {
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
};

/**
 * The settings with `PORT` and `HOST` of the environment, which override `framework.toml`. `--port` and `--host` of the command line
 * arrive here, too: the command puts them into the environment of the process that serves.
 *
 * @throws {Problem} when `PORT` is not a port.
 */
function withEnvironment(settings, environment) {
  const { HOST, PORT } = environment;
  return {
    ...settings,
    ...(HOST ? { host: HOST } : {}),
    ...(PORT ? { port: parsePort(PORT, "PORT") } : {}),
  };
}

/** True if the server answers a request itself, before any route. @param health as in the settings; "" is none. */
function isProbe(health, method, path) {
  return path === health && health !== "" && (method === "GET" || method === "HEAD");
}

/**
 * @param source what the message calls the text: `PORT`, `--port`.
 * @throws {Problem} when the text is not a whole number from 0 to 65535.
 */
function parsePort(text, source) {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65535) return port;
  throw new Problem(`${source} is ${JSON.stringify(text)}: a port is a whole number from 0 to 65535.`);
}

/** The log of a server in production: lines of JSON for programs, or readable text if stdout is a terminal. */

/** The limit for lines that wait for their reader. If it is too slow, lines are lost, but the server does not run out of memory. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
/** How long lines wait for others, to be written together. */
const BATCH_MS = 10;

/** Errors go to stdout, too, as with other loggers: one stream keeps the lines in the order of the events. */
function createProductionLog() {
  const { stdout } = process;
  if (stdout.isTTY) return consoleLog;
  // Nobody reads any more (`| head`), or the disk is full: that must not end the server.
  stdout.on("error", () => undefined);
  let lines = "";
  let lost = 0;
  const flush = () => {
    const message = `${lost} lines of the log were lost: they came faster than they were read.`;
    if (lost > 0) lines += formatJsonLine("warn", { message }, Date.now());
    if (lines !== "") stdout.write(lines);
    lines = "";
    lost = 0;
  };
  const write = (line) => {
    if (stdout.writableLength + lines.length > MOST_WAITING_BYTES) {
      lost++;
      return;
    }
    if (lines === "") setTimeout(flush, BATCH_MS);
    lines += line;
  };
  process.on("exit", flush);
  return {
    info: (event) => write(formatJsonLine("info", event, Date.now())),
    error: (event) => write(formatJsonLine("error", event, Date.now())),
  };
}

/**
 * By hand: a line takes 0.7 µs; `formatJson` of its fields takes 2.4 (Node 24).
 *
 * @param at milliseconds since 1970.
 * @returns the line with its end. The message comes last, because it is the longest.
 * @example formatJsonLine("info", { message: "", method: "GET", path: "/", status: 200 }, 0)
 * // {"level":"info","time":"1970-01-01T00:00:00.000Z","pid":7,"method":"GET","path":"/","status":200}
 */
function formatJsonLine(level, event, at) {
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
  if (error !== undefined) line += `,"error":${quote(formatThrown(error))}`;
  return message === "" ? `${line}}\n` : `${line},"message":${quote(message)}}\n`;
}

/** Tells several workers apart. Empty on a platform without processes. */
const PID = globalThis.process?.pid ? `,"pid":${process.pid}` : "";
let last = Number.NaN;
let lastTime = "";

/** Formats a time once, because many events happen in one millisecond. */
function formatTime(at) {
  if (at === last) return lastTime;
  last = at;
  lastTime = new Date(at).toISOString();
  return lastTime;
}

/** Text without a character that means something to JSON or to a terminal. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quote(text) {
  return PLAIN.test(text) ? `"${text}"` : formatJson(text);
}

/** How a script fails that a person has started: without a stack, if it is something to fix around it. */

/** Prints the error, and sets the exit status of the process. */
function reportFailure(error) {
  process.exitCode = 1;
  console.error(escapeLines(`error ${describeError(error)}`));
}

function describeError(error) {
  if (!(error instanceof Problem)) return formatThrown(error);
  return error.hint ? `${error.message}\n  hint: ${error.hint}` : error.message;
}

/** What a built script does before its first module runs. */

/** As `framework run` does from source: what nobody catches ends the script with a message. */
function beginScript() {
  process.env.NODE_ENV ??= "production";
  process.on("uncaughtException", (error) => {
    reportFailure(error);
    // What waits for a pipe's reader would be lost.
    process.stderr.write("", () => process.exit());
  });
}

export {
  DEFAULT_SETTINGS,
  Problem,
  beginScript,
  consoleLog,
  createProductionLog,
  currentWorker,
  escapeControl,
  escapeKey,
  escapeLines,
  formatJson,
  formatJsonLine,
  formatLogEvent,
  formatThrown,
  isError,
  isProbe,
  isProblem,
  isWorker,
  parsePort,
  reportFailure,
  tellPrimary,
  toLog,
  unescapeKey,
  withEnvironment,
};
