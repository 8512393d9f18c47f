/**
 * Writes a whole answer to the socket in one piece. node:http would store its headers one by one, and wait a turn to hear that it is
 * written: up to a seventh of the processor time of a small request. It still does the rest: a response that emits `finish` leaves the
 * connection to the next one.
 */

import type { ServerResponse } from "node:http";
import { TOKEN } from "../message/headers.ts";
import { type Answer, contentLength } from "../message/result.ts";
import { isNodesOwn } from "./own.ts";

/** Headers on which node:http acts. */
const ACTED_ON: RegExp =
  /^(?:connection|content-length|date|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;
/** What the value of a header may hold, if it is to be written together with a text in UTF-8. */
const IS_ASCII: RegExp = /^[\t\x20-\x7e]*$/;

/** What is not documented of a response. */
interface InnerResponse extends ServerResponse {
  /** `headersSent` is true if there is one. */
  _header?: string;
  /** Without it some measurements would be missing, and nothing else. */
  _finish?(): void;
}

/** How the sources of node:http's own methods begin. Where they are others, node:http writes every answer. */
const OWN_METHODS: Readonly<Record<"end" | "writeHead", string>> = {
  end: "function end(chunk, encoding, callback) {",
  writeHead: "function writeHead(statusCode, reason, obj) {",
};

/** Finds out whether an answer can be written directly, and formats its head. One for each server. */
export class DirectWriter {
  readonly #reasons: Readonly<Record<number, string | undefined>>;
  /** Who instruments node:http replaces these, before or after we are there, or subscribes to one of the channels. */
  readonly #isPlain: boolean;
  readonly #end: ServerResponse["end"];
  readonly #writeHead: ServerResponse["writeHead"];
  readonly #channels: readonly { readonly hasSubscribers: boolean }[];
  /** A whole line, or "". */
  readonly #keepAlive: string;
  #second = 0;
  #headEnd = "";
  // Most answers of a server have the same headers: those of JSON.
  #status = 0;
  #headers: readonly string[] | undefined;
  #start: string | undefined;

  /** @param keepAlive the value of the Keep-Alive header, or "". */
  constructor(keepAlive: string) {
    const { ServerResponse, STATUS_CODES } = process.getBuiltinModule("node:http");
    const { channel } = process.getBuiltinModule("node:diagnostics_channel");
    this.#reasons = STATUS_CODES;
    const { end, writeHead } = ServerResponse.prototype;
    this.#isPlain =
      isNodesOwn() &&
      `${end}`.startsWith(OWN_METHODS.end) &&
      `${writeHead}`.startsWith(OWN_METHODS.writeHead);
    this.#end = end;
    this.#writeHead = writeHead;
    this.#channels = ["request.start", "response.created", "response.finish"].map((name) =>
      channel(`http.server.${name}`),
    );
    this.#keepAlive = keepAlive === "" ? "" : `Keep-Alive: ${keepAlive}\r\n`;
  }

  /** True if it is the response's turn, and nobody but node:http and we know of it. */
  takes(outgoing: InnerResponse): boolean {
    const { socket } = outgoing;
    return (
      this.#isPlain &&
      socket?.writable === true &&
      socket.writableLength === 0 &&
      outgoing.shouldKeepAlive &&
      !outgoing.headersSent &&
      outgoing.end === this.#end &&
      outgoing.writeHead === this.#writeHead &&
      outgoing.statusMessage === undefined &&
      outgoing.sendDate &&
      outgoing.getHeaderNames().length === 0 &&
      outgoing.listenerCount("finish") === 1 &&
      outgoing.listenerCount("close") === 0 &&
      !this.#channels.some(isSubscribed)
    );
  }

  /**
   * @param bytes the size of the body.
   * @returns what node:http would write of the answer before its body, or undefined if it has a header on which node:http acts.
   */
  formatHead(answer: Answer, method: string, bytes: number): string | undefined {
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

  /** What others read of a response that has been written, and what Node's trace events and a `PerformanceObserver` report. */
  record(outgoing: InnerResponse, status: number, head: string): void {
    outgoing.statusCode = status;
    outgoing.statusMessage = this.#nameOf(status);
    outgoing._header = head;
    outgoing.finished = true;
    outgoing._finish?.();
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

  /** The same for all answers of a second (RFC 9110 section 6.6.1). */
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
