/**
 * Optimizations that make small requests cheaper than node:http alone. Share of a request's processor time that each saves on Node 24:
 *
 * - the direct response: up to a seventh of a small GET (`npm run bench -- http --case root --case user`);
 * - lazy headers: an eighth of a GET with the thirteen headers of a browser (`npm run bench -- http --case browser`);
 * - the direct body, from Node 24.12 on: a tenth of a small POST (`npm run bench -- http --case item`).
 *
 * All three are off while instrumentation such as OpenTelemetry observes the server, so that it sees the usual events of node:http.
 */

import type {
  Server as HttpServer,
  IncomingHttpHeaders,
  IncomingMessage,
  ServerOptions,
  ServerResponse,
} from "node:http";
import { readHeader, TOKEN } from "../message/headers.ts";
import { type Answer, contentLength } from "../message/result.ts";

/** @param keepAlive the value of the Keep-Alive header. */
export function createDirectServer(
  options: ServerOptions,
  keepAlive: string,
): { http: HttpServer; sendDirectly: SendDirectly } {
  // Not imported, so that a platform without node:http can load this file.
  const { createServer, IncomingMessage, ServerResponse } = process.getBuiltinModule("node:http");
  const { channel } = process.getBuiltinModule("node:diagnostics_channel");
  const { addListener, emit, on } = process.getBuiltinModule("node:events").prototype;
  const { prototype } = ServerResponse;
  const { end, writeHead } = prototype;
  // Bun and Deno have their own node:http. A patched one is recognized by its source text, because `node --import otel.js` patches it
  // before our modules could keep the originals.
  const isPatched =
    "bun" in process.versions ||
    "deno" in process.versions ||
    !`${end}`.startsWith("function end(chunk, encoding, callback) {") ||
    !`${writeHead}`.startsWith("function writeHead(statusCode, reason, obj) {");
  const started = channel("http.server.request.start");
  const created = channel("http.server.response.created");
  const finished = channel("http.server.response.finish");
  const isWatched = (): boolean =>
    isPatched ||
    // Finds patches of the class, as by OpenTelemetry, and of the server itself.
    http.emit !== emit ||
    http.on !== on ||
    http.addListener !== addListener ||
    prototype.end !== end ||
    prototype.writeHead !== writeHead ||
    http.listenerCount("request") > 1 ||
    started.hasSubscribers ||
    created.hasSubscribers ||
    finished.hasSubscribers;
  const Message = isPatched ? IncomingMessage : directMessage(IncomingMessage, isWatched);
  const http: HttpServer = createServer({ ...options, IncomingMessage: Message });
  return { http, sendDirectly: createDirectSender(keepAlive, isWatched) };
}

/** Headers that change the behaviour of node:http. */
const SPECIAL: RegExp =
  /^(?:connection|content-length|date|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;
/** Header values that can be written in the same UTF-8 string as the body. */
const IS_ASCII: RegExp = /^[\t\x20-\x7e]*$/;

/** @returns true if it has sent the whole response, false if node:http has to. */
export type SendDirectly = (
  outgoing: ServerResponse & { _finish?(): void },
  method: string,
  answer: Answer,
  length: number,
  onSent: () => void,
) => boolean;

/**
 * The direct response: writes head and body to the socket at once. node:http would store each header, and wait a turn of the event
 * loop to report the end. It still does the rest: after `finish`, it passes the connection to the next response.
 */
function createDirectSender(keepAlive: string, isWatched: () => boolean): SendDirectly {
  const { STATUS_CODES } = process.getBuiltinModule("node:http");
  // The end of the head is the same for all responses within a second (RFC 9110 section 6.6.1).
  let second = 0;
  let end = "";
  // Most responses have the same status and headers: those of JSON.
  let last: Pick<Answer, "status" | "headers"> = { status: 0, headers: [] };
  let start: string | undefined;
  return (outgoing, method, answer, length, onSent) => {
    const { socket } = outgoing;
    const { status, headers } = answer;
    const text = method === "HEAD" ? "" : (answer.body ?? "");
    // A queued response has no socket yet.
    if (!socket?.writable || socket.writableLength > 0 || typeof text !== "string") return false;
    if (!outgoing.shouldKeepAlive || outgoing.req.httpVersionMinor === 0 || isWatched()) return false;
    // A patched request listener may have set headers.
    if (outgoing.getHeaderNames().length > 0) return false;
    const reason = STATUS_CODES[status] ?? "unknown";
    if (headers !== last.headers || status !== last.status) {
      last = answer;
      start = formatStart(`HTTP/1.1 ${status} ${reason}\r\n`, headers);
    }
    if (start === undefined) return false;
    const bytes = contentLength(answer, method, length);
    const head = bytes === undefined ? start : `${start}Content-Length: ${bytes}\r\n`;
    const now = Date.now();
    if (now - (now % 1000) !== second) {
      second = now - (now % 1000);
      const date = new Date(now).toUTCString();
      end = `Keep-Alive: ${keepAlive}\r\nDate: ${date}\r\nConnection: keep-alive\r\n\r\n`;
    }
    // If its length equals its bytes, the text is ASCII, and Latin-1 needs no encoding.
    socket.write(head + end + text, text.length === length ? "latin1" : "utf8");
    outgoing.statusCode = status;
    outgoing.statusMessage = reason;
    outgoing.finished = true;
    // Undocumented. Creates the entry for `PerformanceObserver` and Node's trace events.
    outgoing._finish?.();
    const finish = (): void => {
      outgoing.emit("finish");
      onSent();
    };
    if (socket.writableLength === 0 && socket.errored === null) finish();
    else socket.write("", (error) => error || finish());
    return true;
  };
}

/** @returns undefined if node:http has to handle one of the headers. */
function formatStart(line: string, headers: readonly string[]): string | undefined {
  let lines = line;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    const value = headers[index + 1] as string;
    if (SPECIAL.test(name) || !TOKEN.test(name) || !IS_ASCII.test(value)) return undefined;
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}

/** Receives the chunks of a body, and null at the end. */
export type ChunkListener = (chunk: Buffer | null) => void;

/** A request. Other engines lack these two members. */
export interface Message extends IncomingMessage {
  /** @returns false if the body must be read as a stream, because a part has arrived or the server is observed. */
  takeBody?(listener: ChunkListener): boolean;
  /** Undocumented. From Node 24.12 on, node:http calls it for requests without a body. */
  _dumpAndCloseReadable?(): void;
}

/** Reads the headers that node:http looks for in each request. It uses `in`, so missing headers must be absent. */
function basicHeaders(raw: readonly string[]): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = {};
  for (const name of ["expect", "content-length", "transfer-encoding"]) {
    const value = readHeader(raw, name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}

/**
 * @returns the class of requests, with lazy headers and the direct body.
 *
 * Lazy headers: node:http would create an object of all headers to look for three. It gets an object with these three, which the
 * entries of a `PerformanceObserver` contain, too. We read the raw headers.
 *
 * The direct body is read as node:http parses it. A stream would deliver it several turns of the event loop later.
 */
function directMessage(Base: typeof IncomingMessage, isWatched: () => boolean): typeof IncomingMessage {
  const headers = Object.getOwnPropertyDescriptor(Base.prototype, "headers");
  const { _dumpAndCloseReadable: close }: Message = Base.prototype;
  class Direct extends Base implements Message {
    basic: IncomingHttpHeaders | undefined;
    declare upgrade?: boolean | null;
    #listener: ChunkListener | undefined;

    takeBody(listener: ChunkListener): boolean {
      if (close === undefined || isWatched() || this.complete || this.readableLength > 0) return false;
      this.#listener = listener;
      // Otherwise node:http would drop the rest of the body after the answer.
      this._read(0);
      return true;
    }

    override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
      if (this.#listener === undefined) return super.push(chunk, encoding);
      this.#listener(chunk);
      if (chunk !== null) return true;
      close?.call(this);
      // node:http waits for this event if the answer came before the end.
      this.emit("end");
      return false;
    }
  }
  Object.defineProperty(Direct.prototype, "headers", {
    ...headers,
    get(this: Direct) {
      // A listener to "upgrade" may read any header.
      if (this.upgrade || (this.basic === undefined && isWatched())) return headers?.get?.call(this);
      this.basic ??= basicHeaders(this.rawHeaders);
      return this.basic;
    },
  });
  return Direct;
}
