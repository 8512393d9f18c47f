/**
 * What makes a small request cheaper than node:http alone does. In Node only: the node:http of Bun and of Deno is another one. Each was
 * measured on Node 24, where leaving it out costs so much of the processor time of a request:
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

/**
 * The direct response: head and body go to the socket in one piece. node:http would store the headers one by one, and wait a turn of the
 * event loop to report the end. It still does the rest: a response that emits `finish` leaves the connection to the next one.
 */
export class DirectWriter {
  readonly #reasons: Readonly<Record<number, string | undefined>>;
  readonly #isUnpatched: boolean;
  readonly #end: ServerResponse["end"];
  readonly #writeHead: ServerResponse["writeHead"];
  readonly #channels: readonly { readonly hasSubscribers: boolean }[];
  /** A whole line, or "". */
  readonly #keepAlive: string;
  #second = 0;
  #headEnd = "";
  // Most responses of a server have the same status and headers: those of JSON.
  #status = 0;
  #headers: readonly string[] | undefined;
  #start: string | undefined;

  /** @param keepAlive the value of the Keep-Alive header, or "". */
  constructor(keepAlive: string) {
    const { ServerResponse, STATUS_CODES } = process.getBuiltinModule("node:http");
    const { channel } = process.getBuiltinModule("node:diagnostics_channel");
    const { end, writeHead } = ServerResponse.prototype;
    this.#reasons = STATUS_CODES;
    this.#end = end;
    this.#writeHead = writeHead;
    // By their source text, because `node --import otel.js` patches them before any module of ours could keep the originals.
    this.#isUnpatched =
      isNode() &&
      `${end}`.startsWith("function end(chunk, encoding, callback) {") &&
      `${writeHead}`.startsWith("function writeHead(statusCode, reason, obj) {");
    this.#channels = ["request.start", "response.created", "response.finish"].map((name) =>
      channel(`http.server.${name}`),
    );
    this.#keepAlive = keepAlive === "" ? "" : `Keep-Alive: ${keepAlive}\r\n`;
  }

  /**
   * Sends a whole response that keeps its connection open. Calls `onSent` once it is written, at once or later.
   *
   * @param length the size of the body in bytes.
   * @returns false if node:http has to send the response, because it acts on a header or an instrumentation library watches it.
   */
  send(outgoing: InnerResponse, method: string, answer: Answer, length: number, onSent: () => void): boolean {
    const { socket } = outgoing;
    const text = method === "HEAD" ? "" : (answer.body ?? "");
    if (socket === null || typeof text !== "string" || !this.#isAlone(outgoing)) return false;
    const head = this.#formatHead(answer, method, length);
    if (head === undefined) return false;
    // A text as long as its bytes is ASCII. Latin-1 is written without encoding it.
    socket.write(head + text, text.length === length ? "latin1" : "utf8");
    outgoing.statusCode = answer.status;
    outgoing.statusMessage = this.#nameOf(answer.status);
    outgoing.finished = true;
    outgoing._finish?.();
    const finish = (): void => {
      outgoing.emit("finish");
      onSent();
    };
    if (socket.writableLength === 0 && socket.errored === null) finish();
    else socket.write("", (error) => error || finish());
    return true;
  }

  /** True if it is the response's turn, and only node:http and this server use it. */
  #isAlone(outgoing: ServerResponse): boolean {
    const { socket } = outgoing;
    return (
      this.#isUnpatched &&
      socket?.writable === true &&
      socket.writableLength === 0 &&
      outgoing.shouldKeepAlive &&
      outgoing.req.httpVersionMinor === 1 &&
      !outgoing.headersSent &&
      outgoing.end === this.#end &&
      outgoing.writeHead === this.#writeHead &&
      outgoing.getHeaderNames().length === 0 &&
      outgoing.listenerCount("finish") === 1 &&
      outgoing.listenerCount("close") === 0 &&
      !this.#channels.some(isSubscribed)
    );
  }

  /** @returns undefined if the answer has a header on which node:http acts. */
  #formatHead(answer: Answer, method: string, bytes: number): string | undefined {
    const { status, headers } = answer;
    if (headers !== this.#headers || status !== this.#status) {
      this.#headers = headers;
      this.#status = status;
      this.#start = this.#formatStart(status, headers);
    }
    if (this.#start === undefined) return undefined;
    const length = contentLength(answer, method, bytes);
    const lengthLine = length === undefined ? "" : `Content-Length: ${length}\r\n`;
    return `${this.#start}${lengthLine}${this.#formatEnd()}`;
  }

  #formatStart(status: number, headers: readonly string[]): string | undefined {
    let lines = `HTTP/1.1 ${status} ${this.#nameOf(status)}\r\n`;
    for (let index = 0; index < headers.length; index += 2) {
      const name = headers[index] as string;
      const value = headers[index + 1] as string;
      if (ACTED_ON.test(name) || !TOKEN.test(name) || !IS_ASCII.test(value)) return undefined;
      lines += `${name}: ${value}\r\n`;
    }
    return lines;
  }

  #nameOf(status: number): string {
    return this.#reasons[status] ?? "unknown";
  }

  /** The same for all responses of a second (RFC 9110 section 6.6.1). */
  #formatEnd(): string {
    const now = Date.now();
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#headEnd = `${this.#keepAlive}Date: ${new Date(now).toUTCString()}\r\nConnection: keep-alive\r\n\r\n`;
    }
    return this.#headEnd;
  }
}

function isSubscribed({ hasSubscribers }: { readonly hasSubscribers: boolean }): boolean {
  return hasSubscribers;
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
const IS_SHOWN: unique symbol = Symbol("shows its headers");
const TAKE: unique symbol = Symbol("takes the body");

/** A request, or what else comes with an event of a server. */
export interface MaybeDirect {
  [IS_SHOWN]?: boolean;
  [TAKE]?(listener: ChunkListener): boolean;
}

/** From here on, `request.headers` is the object that node:http makes. */
export function showHeaders(request: MaybeDirect | undefined): void {
  if (request?.[IS_SHOWN] === false) request[IS_SHOWN] = true;
}

/** @returns false if the body has to come as a stream: part of it has arrived, or somebody else listens. */
export function takeBody(request: IncomingMessage & MaybeDirect, listener: ChunkListener): boolean {
  return request[TAKE]?.(listener) === true;
}

/** The undocumented part of a message. node:http calls it for a request without a body, from Node 24.12 on. */
interface InnerMessage extends IncomingMessage {
  _dumpAndCloseReadable?(): void;
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
export function directMessage(Message: typeof IncomingMessage): typeof IncomingMessage {
  if (!isNode()) return Message;
  const starts = process.getBuiltinModule("node:diagnostics_channel").channel("http.server.request.start");
  const headers = Object.getOwnPropertyDescriptor(Message.prototype, "headers");
  const { prototype: stream } = process.getBuiltinModule("node:stream").Readable;
  const { _dumpAndCloseReadable: close }: InnerMessage = Message.prototype;
  class Direct extends Message implements MaybeDirect {
    [IS_SHOWN] = false;
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
    get(this: InstanceType<typeof Direct>) {
      if (this[IS_SHOWN] || starts.hasSubscribers) return headers?.get?.call(this);
      const raw = this.rawHeaders;
      return {
        expect: readHeader(raw, "expect"),
        "content-length": readHeader(raw, "content-length"),
        "transfer-encoding": readHeader(raw, "transfer-encoding"),
      };
    },
    set(this: InstanceType<typeof Direct>, value: IncomingHttpHeaders) {
      this[IS_SHOWN] = true;
      headers?.set?.call(this, value);
    },
  });
  return Direct;
}
