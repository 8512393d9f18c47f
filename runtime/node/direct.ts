/**
 * What makes a small request cheaper than node:http alone does. Only in Node: the node:http of Bun and of Deno is another one. Leaving one
 * out costs, of the processor time of a request on Node 24:
 *
 * - the direct response: up to a seventh of a small GET (`npm run bench -- http --case root --case user`);
 * - lazy headers: an eighth of a GET with the thirteen headers of a browser (`npm run bench -- http --case browser`);
 * - the direct body, from Node 24.12 on: a tenth of a small POST (`npm run bench -- http --case item`).
 */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { TOKEN } from "../message/headers.ts";
import { type Answer, contentLength } from "../message/result.ts";

/** A function, because a platform without `process` loads this file. */
function isNode(): boolean {
  return !("bun" in process.versions || "deno" in process.versions);
}

/** Headers on which node:http acts. */
const ACTED_ON: RegExp =
  /^(?:connection|content-length|date|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;
/** What the value of a header may hold, if it is to be written together with a text in UTF-8. */
const IS_ASCII: RegExp = /^[\t\x20-\x7e]*$/;

/** The undocumented part of a response: a `PerformanceObserver` and Node's trace events get their entry from it. */
interface InnerResponse extends ServerResponse {
  _finish?(): void;
}

/** @returns true if it has sent the whole response; false if node:http has to. Calls `onSent` once it is written. */
export type SendDirectly = (
  outgoing: InnerResponse,
  method: string,
  answer: Answer,
  length: number,
  onSent: () => void,
) => boolean;

/**
 * The direct response: head and body go to the socket in one piece. node:http would store the headers one by one, and wait a turn of the
 * event loop to report the end. It still does the rest: a response that emits `finish` leaves the connection to the next one.
 *
 * @param keepAlive the value of the Keep-Alive header, or "".
 */
export function createDirectSender(keepAlive: string): SendDirectly {
  const { STATUS_CODES } = process.getBuiltinModule("node:http");
  const isAlone = createWatch();
  const formatEnd = createHeadEnd(keepAlive);
  // Most responses of a server have the same status and headers: those of JSON.
  let last: Pick<Answer, "status" | "headers"> = { status: 0, headers: [] };
  let start: string | undefined;
  return (outgoing, method, answer, length, onSent) => {
    const { socket } = outgoing;
    const { status, headers } = answer;
    const text = method === "HEAD" ? "" : (answer.body ?? "");
    if (socket === null || typeof text !== "string" || !isAlone(outgoing)) return false;
    const reason = STATUS_CODES[status] ?? "unknown";
    if (headers !== last.headers || status !== last.status) {
      last = answer;
      start = formatStart(`HTTP/1.1 ${status} ${reason}\r\n`, headers);
    }
    if (start === undefined) return false;
    const bytes = contentLength(answer, method, length);
    const head = bytes === undefined ? start : `${start}Content-Length: ${bytes}\r\n`;
    // A text as long as its bytes is ASCII. Latin-1 is written without encoding it.
    socket.write(head + formatEnd() + text, text.length === length ? "latin1" : "utf8");
    outgoing.statusCode = status;
    outgoing.statusMessage = reason;
    outgoing.finished = true;
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

/** @returns a function that is true if it is the response's turn, and no instrumentation library watches it. */
function createWatch(): (outgoing: ServerResponse) => boolean {
  const { end, writeHead } = process.getBuiltinModule("node:http").ServerResponse.prototype;
  const { channel } = process.getBuiltinModule("node:diagnostics_channel");
  const channels = ["request.start", "response.created", "response.finish"].map((name) =>
    channel(`http.server.${name}`),
  );
  // By their source text, because `node --import otel.js` patches them before any module of ours could keep the originals.
  const isUnpatched =
    isNode() &&
    `${end}`.startsWith("function end(chunk, encoding, callback) {") &&
    `${writeHead}`.startsWith("function writeHead(statusCode, reason, obj) {");
  return (outgoing) =>
    isUnpatched &&
    outgoing.socket?.writable === true &&
    outgoing.socket.writableLength === 0 &&
    outgoing.shouldKeepAlive &&
    outgoing.req.httpVersionMinor === 1 &&
    !outgoing.headersSent &&
    outgoing.end === end &&
    outgoing.writeHead === writeHead &&
    outgoing.getHeaderNames().length === 0 &&
    outgoing.listenerCount("finish") === 1 &&
    outgoing.listenerCount("close") === 0 &&
    !channels.some(({ hasSubscribers }) => hasSubscribers);
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

/** @returns a function that gives the end of a head: the same text for all responses of a second (RFC 9110 section 6.6.1). */
function createHeadEnd(keepAlive: string): () => string {
  const line = keepAlive === "" ? "" : `Keep-Alive: ${keepAlive}\r\n`;
  let second = 0;
  let end = "";
  return () => {
    const now = Date.now();
    if (Math.floor(now / 1000) !== second) {
      second = Math.floor(now / 1000);
      end = `${line}Date: ${new Date(now).toUTCString()}\r\nConnection: keep-alive\r\n\r\n`;
    }
    return end;
  };
}

/**
 * The values of one header, joined as in `IncomingMessage.headers` (RFC 9110 section 5.3).
 *
 * @param raw name, value, name, value, …
 * @param name in lower case.
 * @example readHeader(["Host", "a.example"], "host") // "a.example"
 */
export function readHeader(raw: readonly string[], name: string): string | undefined {
  let found: string | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const field = raw[index] as string;
    if (field.length !== name.length || field.toLowerCase() !== name) continue;
    const value = raw[index + 1] as string;
    found = found === undefined ? value : `${found}${name === "cookie" ? "; " : ", "}${value}`;
  }
  return found;
}

/** Gets the chunks of a body, and null behind the last one. */
export type ChunkListener = (chunk: Buffer | null) => void;

// By symbols, so that an object that inherits from a message has them, too.
const GLANCE: unique symbol = Symbol("three headers");
export const IS_SHOWN: unique symbol = Symbol("shows its headers");
export const TAKE: unique symbol = Symbol("takes the body");

/** A request. The other engines lack the two members. */
export interface Message extends IncomingMessage {
  /** From here on, `headers` is the object that node:http makes. */
  [IS_SHOWN]?: boolean;
  /** @returns false if the body has to come as a stream: part of it has arrived, or somebody else listens. */
  [TAKE]?(listener: ChunkListener): boolean;
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

/** A listener to one of these events, or a replaced method, has to get the body. */
const EVENTS: readonly string[] = ["data", "readable", "end", "close"];
const METHODS = ["on", "addListener", "emit", "read"] as const;

/**
 * @returns the class of requests, with lazy headers and the direct body.
 *
 * Lazy headers: node:http makes an object of all headers of each request, just to look for three. Until the request is shown to others,
 * it gets an object of these three. A subscriber to its channel and a listener to its server get them all; the entries of a
 * `PerformanceObserver` have three. We read the raw ones.
 *
 * The direct body is taken as node:http parses it. A stream would wait several turns of the event loop to hand over what has arrived.
 */
export function directMessage(Base: typeof IncomingMessage): typeof IncomingMessage {
  const { get: make, set } = Object.getOwnPropertyDescriptor(Base.prototype, "headers") ?? {};
  if (!isNode() || make === undefined || set === undefined) return Base;
  const starts = process.getBuiltinModule("node:diagnostics_channel").channel("http.server.request.start");
  const { prototype: stream } = process.getBuiltinModule("node:stream").Readable;
  const { _dumpAndCloseReadable: close }: Message = Base.prototype;
  class Direct extends Base implements Message {
    [IS_SHOWN] = false;
    [GLANCE]: IncomingHttpHeaders | undefined;
    #listener: ChunkListener | undefined;

    [TAKE](listener: ChunkListener): boolean {
      // A proxy of the message never receives chunks.
      if (close === undefined || !(#listener in this) || this.complete || this.readableLength > 0)
        return false;
      if (EVENTS.some((event) => this.listenerCount(event) > 0)) return false;
      if (super.push !== stream.push || METHODS.some((name) => this[name] !== stream[name])) return false;
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
      // node:http listens to the end of a message that is answered before it. Whoever listens to chunks by now would take it for empty.
      if (this.listenerCount("data") === 0) this.emit("end");
      return false;
    }
  }
  Object.defineProperty(Direct.prototype, "headers", {
    get(this: Direct) {
      if (this[IS_SHOWN] || starts.hasSubscribers) return make.call(this);
      this[GLANCE] ??= glance(this.rawHeaders);
      return this[GLANCE];
    },
    set,
  });
  return Direct;
}
