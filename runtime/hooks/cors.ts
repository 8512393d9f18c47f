/** Implements CORS: preflights and response headers (https://fetch.spec.whatwg.org/#http-cors-protocol). */

import type { Exchange } from "../message/exchange.ts";
import { TOKEN } from "../message/headers.ts";
import { type Answer, emptyAnswer } from "../message/result.ts";
import { METHODS, type Method } from "../routing/route.ts";
import type { CorsSettings } from "../settings.ts";

type CorsRequest = Pick<Exchange, "method" | "header">;

export interface Cors {
  /**
   * @param findMethods returns the methods that the path serves; undefined if no route serves it.
   * @returns the complete answer to a preflight; undefined for any other request.
   */
  preflight(exchange: CorsRequest, findMethods: () => readonly Method[] | undefined): Answer | undefined;
  /** Adds the headers that let scripts of other origins read the answer. They replace CORS headers that the project has set itself. */
  share(answer: Answer, exchange: CorsRequest): Answer;
}

/** Shared caches must not store a preflight's answer, although some store answers to OPTIONS. */
const PREFLIGHT: readonly string[] = [
  "Vary",
  "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
  "Cache-Control",
  "private",
];
const REFUSED: Answer = emptyAnswer(204, PREFLIGHT);

export function createCors({ credentials, expose, maxAge, origins }: CorsSettings): Cors {
  const withCredentials = credentials ? ["Access-Control-Allow-Credentials", "true"] : [];
  const permits = new Map(
    origins.map((origin) => [origin, ["Access-Control-Allow-Origin", origin, ...withCredentials]] as const),
  );
  const wildcard = permits.get("*");
  const permitOf = (origin = ""): readonly string[] | undefined => wildcard ?? permits.get(origin);
  const exposed = expose.length === 0 ? [] : ["Access-Control-Expose-Headers", expose.join(", ")];
  return {
    preflight(exchange, findMethods) {
      if (exchange.method !== "OPTIONS") return undefined;
      const origin = exchange.header("origin");
      const method = exchange.header("access-control-request-method");
      if (origin === undefined || method === undefined) return undefined;
      const permit = permitOf(origin);
      if (permit === undefined) return REFUSED;
      // If no route serves the path, permit the request all the same: the script would not see the 404 otherwise.
      const methods = findMethods() ?? METHODS.filter((known) => known === method);
      const names = readNames(exchange.header("access-control-request-headers") ?? "");
      return emptyAnswer(204, [
        ...permit,
        ...(methods.length === 0 ? [] : ["Access-Control-Allow-Methods", methods.join(", ")]),
        ...(names.length === 0 ? [] : ["Access-Control-Allow-Headers", names.join(", ")]),
        "Access-Control-Max-Age",
        String(maxAge),
        ...PREFLIGHT,
      ]);
    },
    share(answer, exchange) {
      const permit = permitOf(exchange.header("origin"));
      const added = permit ? [...permit, ...exposed] : [];
      return { ...answer, headers: addShared(answer.headers, added, wildcard === undefined) };
    },
  };
}

/** In characters. Proxies accept only a few KiB of response headers. */
const LONGEST_NAMES = 2048;

/** Parses `Access-Control-Request-Headers`, and leaves out invalid header names (RFC 9110 section 5.1). */
function readNames(text: string): string[] {
  if (text.length > LONGEST_NAMES) return [];
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => TOKEN.test(name));
}

const VARIES = /(?:^|,)\s*(?:\*|origin)\s*(?:,|$)/i;

/**
 * Replaces all CORS headers of the answer: two `Access-Control-Allow-Origin` would be invalid, and one copied from another server's
 * response would share ours with that server's origins. Keeps the names in the project's `Vary`.
 *
 * @param varies true if answers differ by origin, so that a cache must not reuse them for another origin.
 */
function addShared(headers: readonly string[], added: readonly string[], varies: boolean): readonly string[] {
  const kept: string[] = [];
  const vary: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = "", value = ""] = headers.slice(index, index + 2);
    if (/^vary$/i.test(name)) vary.push(value);
    else if (!/^access-control-/i.test(name)) kept.push(name, value);
  }
  if (varies && !VARIES.test(vary.join())) vary.push("Origin");
  return [...kept, ...(vary.length === 0 ? [] : ["Vary", vary.join(", ")]), ...added];
}
