/** For tests: node:http as something sees it that instruments it. */

import type { IncomingMessage, ServerResponse } from "node:http";

type OnRequest = (request: IncomingMessage, response: ServerResponse) => void;

/** Runs while `onCall` gets the arguments of each call of a method, and may change them, before the method does. */
export async function whileReplaced(
  prototype: object,
  method: string,
  onCall: (words: unknown[]) => void,
  run: () => Promise<unknown>,
): Promise<void> {
  const own = Object.getOwnPropertyDescriptor(prototype, method);
  const original = Reflect.get(prototype, method);
  const value = function (this: unknown, ...words: unknown[]): unknown {
    onCall(words);
    return Reflect.apply(original, this, words);
  };
  Object.defineProperty(prototype, method, { value, configurable: true, writable: true });
  try {
    await run();
  } finally {
    if (own === undefined) Reflect.deleteProperty(prototype, method);
    else Object.defineProperty(prototype, method, own);
  }
}

/** Runs while each request is shown to `onRequest` before the server gets it, as by OpenTelemetry. */
export function whileInstrumented(onRequest: OnRequest, run: () => Promise<unknown>): Promise<void> {
  const onEmit = ([event, request, response]: unknown[]): void => {
    if (event === "request") onRequest(request as IncomingMessage, response as ServerResponse);
  };
  return whileReplaced(process.getBuiltinModule("node:http").Server.prototype, "emit", onEmit, run);
}

/** Runs while each request is told to a subscriber of node:http's own channel. */
export async function whileSubscribed(onRequest: OnRequest, run: () => Promise<unknown>): Promise<void> {
  const { subscribe, unsubscribe } = process.getBuiltinModule("node:diagnostics_channel");
  const listener = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    onRequest(request, response);
  };
  subscribe("http.server.request.start", listener);
  try {
    await run();
  } finally {
    unsubscribe("http.server.request.start", listener);
  }
}
