/** The adapter to the fetch API: takes what `fetch` takes, and returns a WHATWG response. */

import type { Responder } from "./message/exchange.ts";
import { FetchExchange } from "./message/fetch-exchange.ts";
import { type FetchInput, Request, unusable } from "./message/request.ts";
import { nameOf } from "./message/sendable.ts";

/** Rejects with a TypeError for input that `fetch` would refuse as well. */
export function answerFetch(responder: Responder, input: FetchInput, init?: RequestInit): Promise<Response> {
  return new Promise((resolve) => {
    const request = toWebRequest(input, init);
    responder.respond(new FetchExchange(request, responder.settings.bodyLimit, resolve));
  });
}

/** The origin of a path alone. */
const ORIGIN = "http://localhost";

function toWebRequest(input: FetchInput, init: RequestInit | undefined): globalThis.Request {
  if (typeof input === "string") return new globalThis.Request(new URL(input, ORIGIN), init);
  if (typeof input !== "object" || input === null)
    throw new TypeError(`app.fetch takes a URL, a path or a Request, not ${nameOf(input)}.`);
  const request = input instanceof Request ? input.toWeb() : input;
  // Passed on as it is, also if it is of a package's own class.
  if ("url" in request && !isInit(init)) {
    if (request.bodyUsed) throw unusable();
    return request;
  }
  return new globalThis.Request(request, init);
}

/** The parts of a request that an app can see. */
const PARTS: readonly string[] = ["method", "headers", "body", "signal"];

/** Bun, Deno and Cloudflare call `fetch(request, …)` with a second argument of their own, which says nothing about the request. */
function isInit(second: unknown): boolean {
  return typeof second === "object" && second !== null && PARTS.some((part) => part in second);
}
