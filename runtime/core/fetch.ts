/** The adapter to the fetch API: what `fetch` takes in, a WHATWG response out. */

import type { Responder } from "./message/exchange.ts";
import { FetchExchange } from "./message/fetch-exchange.ts";
import { Request, unusable } from "./message/request.ts";
import { nameOf } from "./message/sendable.ts";

/** Rejects with a TypeError for what `fetch` would refuse, too. */
export function answerFetch(
  responder: Responder,
  input: string | URL | globalThis.Request | Request,
  init?: RequestInit,
): Promise<Response> {
  return new Promise((resolve) => {
    const request = toWebRequest(input, init);
    responder.respond(new FetchExchange(request, responder.settings.bodyLimit, resolve));
  });
}

/** Where a URL without an origin leads to. */
const ORIGIN = "http://localhost";

function toWebRequest(
  input: string | URL | globalThis.Request | Request,
  init: RequestInit | undefined,
): globalThis.Request {
  if (typeof input === "string") return new globalThis.Request(new URL(input, ORIGIN), init);
  if (typeof input !== "object" || input === null)
    throw new TypeError(`app.fetch takes a URL, a path or a Request, not ${nameOf(input)}.`);
  const request = input instanceof Request ? input.toWeb() : input;
  // Taken as it is, of a package's own class, too.
  if ("url" in request && !isInit(init)) {
    if (request.bodyUsed) throw unusable();
    return request;
  }
  return new globalThis.Request(request, init);
}

/** What an app can see of a request. */
const PARTS: readonly string[] = ["method", "headers", "body", "signal"];

/** Bun, Deno and Cloudflare call `fetch(request, …)` with a second argument of their own, which is not about the request. */
function isInit(second: unknown): boolean {
  return typeof second === "object" && second !== null && PARTS.some((part) => part in second);
}
