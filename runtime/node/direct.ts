/**
 * What makes a small request cheaper than node:http alone does. Leaving one out costs, of the processor time of a request on Node 24:
 *
 * - the direct response: up to a seventh of a small GET (`npm run bench -- http --case root --case user`);
 * - lazy headers: an eighth of a GET with the thirteen headers of a browser (`npm run bench -- http --case browser`);
 * - the direct body, from Node 24.12 on: a tenth of a small POST (`npm run bench -- http --case item`).
 *
 * All three are off while anything watches the server, such as OpenTelemetry: it then sees what node:http alone would show.
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
  // The node:http of Bun and of Deno is another one. A patched one is known by its source text, because `node --import otel.js` patches it
  // before any module of ours could keep the originals.
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
    // Found on its class, of which OpenTelemetry patches it, or on the server itself.
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

/** Headers on which node:http acts. */
const ACTED_ON: RegExp =
  /^(?:connection|content-length|date|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;
/** What the value of a header may hold, if it is to be written together with a text in UTF-8. */
const IS_ASCII: RegExp = /^[\t\x20-\x7e]*$/;

/** @returns true if it has sent the whole response; false if node:http has to. Calls `onSent` once it is written. */
export type SendDirectly = (
  outgoing: ServerResponse & { _finish?(): void },
  method: string,
  answer: Answer,
  length: number,
  onSent: () => void,
) => boolean;

/**
 * The direct response: head and body go to the socket in one piece. node:http would store the headers one by one, and wait a turn of the
 * event loop to report the end. It still does the rest: a response that emits `finish` leaves the connection to the next one.
 */
function createDirectSender(keepAlive: string, isWatched: () => boolean): SendDirectly {
  const { STATUS_CODES } = process.getBuiltinModule("node:http");
  // The end of a head is the same text for all responses of a second (RFC 9110 section 6.6.1).
  let second = 0;
  let end = "";
  // Most responses of a server have the same status and headers: those of JSON.
  let last: Pick<Answer, "status" | "headers"> = { status: 0, headers: [] };
  let start: string | undefined;
  return (outgoing, method, answer, length, onSent) => {
    const { socket } = outgoing;
    const { status, headers } = answer;
    const text = method === "HEAD" ? "" : (answer.body ?? "");
    // A response that waits for its turn has no socket.
    if (!socket?.writable || socket.writableLength > 0 || typeof text !== "string") return false;
    if (!outgoing.shouldKeepAlive || outgoing.req.httpVersionMinor === 0 || isWatched()) return false;
    // What patches a request listener may have set some.
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
    // A text as long as its bytes is ASCII. Latin-1 is written without encoding it.
    socket.write(head + end + text, text.length === length ? "latin1" : "utf8");
    outgoing.statusCode = status;
    outgoing.statusMessage = reason;
    outgoing.finished = true;
    // Undocumented. A `PerformanceObserver` and Node's trace events get their entry from it.
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

/** @returns undefined if there is a header on which node:http acts. */
function formatStart(line: string, headers: readonly string[]): string | undefined {
  let lines = line;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    const value = headers[index + 1] as string;
    if (ACTED_ON.test(name) || !TOKEN.test(name) || !IS_ASCII.test(value)) return undefined;
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}

/** Gets the chunks of a body, and null behind the last one. */
export type ChunkListener = (chunk: Buffer | null) => void;

/** A request. Other engines lack the two members. */
export interface Message extends IncomingMessage {
  /** @returns false if the body has to come as a stream: part of it has arrived, or somebody watches. */
  takeBody?(listener: ChunkListener): boolean;
  /** Undocumented. node:http calls it for a request without a body, from Node 24.12 on. */
  _dumpAndCloseReadable?(): void;
}

/** What node:http looks for in each request. It asks with `in`, so the object must not have what was not sent. */
function glance(raw: readonly string[]): IncomingHttpHeaders {
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
 * Lazy headers: node:http makes an object of all headers of each request, just to look for three. It gets an object of these three, which
 * the entries of a `PerformanceObserver` have, too. We read the raw ones.
 *
 * The direct body is taken as node:http parses it. A stream would wait several turns of the event loop to hand over what has arrived.
 */
function directMessage(Base: typeof IncomingMessage, isWatched: () => boolean): typeof IncomingMessage {
  const headers = Object.getOwnPropertyDescriptor(Base.prototype, "headers");
  const { _dumpAndCloseReadable: close }: Message = Base.prototype;
  class Direct extends Base implements Message {
    glance: IncomingHttpHeaders | undefined;
    declare upgrade?: boolean | null;
    #listener: ChunkListener | undefined;

    takeBody(listener: ChunkListener): boolean {
      if (close === undefined || isWatched() || this.complete || this.readableLength > 0) return false;
      this.#listener = listener;
      // Otherwise node:http would drop what comes behind an answer.
      this._read(0);
      return true;
    }

    override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
      if (this.#listener === undefined) return super.push(chunk, encoding);
      this.#listener(chunk);
      if (chunk !== null) return true;
      close?.call(this);
      // node:http listens to the end of a message that is answered before it.
      this.emit("end");
      return false;
    }
  }
  Object.defineProperty(Direct.prototype, "headers", {
    ...headers,
    get(this: Direct) {
      // The listener to "upgrade" gets the message, and reads what it wants.
      if (this.upgrade || (this.glance === undefined && isWatched())) return headers?.get?.call(this);
      this.glance ??= glance(this.rawHeaders);
      return this.glance;
    },
  });
  return Direct;
}
