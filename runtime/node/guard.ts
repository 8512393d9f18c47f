/** Refuses requests that node:http accepts but a proxy may interpret differently (RFC 9112 sections 3.2 and 6.1). */

import type { IncomingMessage } from "node:http";
import { readHeader, TOKEN } from "../message/headers.ts";
import { type Answer, errorAnswer } from "../message/result.ts";

/** `Upgrade` names the supported protocol (RFC 9110 section 15.5.22). */
export const NO_SOCKETS: Answer = errorAnswer(426, "No WebSocket is served here.", ["Upgrade", "HTTP/1.1"]);

/** @returns a function that returns the refusal of a request that must not reach the app. */
export function createGuard(): (incoming: IncomingMessage) => Answer | undefined {
  // Nearly all requests have the same host, and checking it takes a URL parser.
  let validHost: string | undefined;
  // The parser before llhttp 9, as in the first Node 20.19, accepts header names that are not tokens (RFC 9112 section 5.1).
  const hasLooseNames = Number.parseInt(process.versions.llhttp ?? "", 10) < 9;
  return ({ rawHeaders, httpVersionMajor, httpVersionMinor, method, url = "" }) => {
    // node:http accepts a request line without a version as HTTP/0.9.
    if (httpVersionMajor === 0) return errorAnswer(400, "The request line names no version of HTTP.");
    if (httpVersionMajor !== 1 || httpVersionMinor > 1) return errorAnswer(505, "HTTP Version Not Supported");
    if (hasLooseNames && rawHeaders.some((text, index) => index % 2 === 0 && !TOKEN.test(text)))
      return errorAnswer(400, "The request is malformed.");
    const host = readHeader(rawHeaders, "host");
    const coding = readHeader(rawHeaders, "transfer-encoding");
    if (host === undefined ? httpVersionMinor === 1 : host.includes(","))
      return errorAnswer(400, "There must be one Host header.");
    if (host !== validHost && host !== undefined) {
      if (!isAuthority(host)) return errorAnswer(400, "The Host header is invalid.");
      validHost = host;
    }
    if (coding !== undefined && (coding.toLowerCase() !== "chunked" || httpVersionMinor === 0))
      return errorAnswer(400, "The only supported transfer coding is chunked, over HTTP/1.1.");
    if (httpVersionMinor === 1 && asksForSocket(rawHeaders)) return NO_SOCKETS;
    return isTarget(url, method) ? undefined : errorAnswer(400, "The request target is invalid.");
  };
}

/** True for WebSockets only: a server may ignore offers of other protocols such as h2c (RFC 9110 section 7.8). */
function asksForSocket(rawHeaders: readonly string[]): boolean {
  if (readHeader(rawHeaders, "upgrade")?.toLowerCase() !== "websocket") return false;
  return /(?:^|[\s,])upgrade(?:$|[\s,])/i.test(readHeader(rawHeaders, "connection") ?? "");
}

/** Checks the form of a target (RFC 9112 section 3.2): `/path`, `*` for OPTIONS, `http://host/path`. */
function isTarget(url: string, method: string | undefined): boolean {
  if (url.includes("#")) return false;
  if (url.startsWith("/")) return true;
  return url === "*" ? method === "OPTIONS" : isAuthority(splitAbsoluteForm(url)?.authority ?? "");
}

/** @example splitAbsoluteForm("http://a.example/b?c") // { authority: "a.example", target: "/b?c" } */
export function splitAbsoluteForm(url: string): { authority: string; target: string } | undefined {
  if (url.startsWith("/")) return undefined;
  const [, authority, rest] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (authority === undefined || rest === undefined) return undefined;
  return { authority, target: rest.startsWith("/") ? rest : `/${rest}` };
}

/** Strict, because it becomes part of `request.url`: no character such as `@` or `/` may change the host. */
export function isAuthority(text: string): boolean {
  return /^(?:[\w.~-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?$/.test(text) && URL.canParse(`http://${text}/`);
}
