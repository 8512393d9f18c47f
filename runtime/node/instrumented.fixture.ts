/** For tests: node:http as something sees it that instruments it. */

import type { IncomingMessage, ServerResponse } from "node:http";

type OnRequest = (request: IncomingMessage, response: ServerResponse) => void;

/** Runs while each request is shown to `onRequest` before the server gets it, as by OpenTelemetry. */
export async function whileInstrumented(onRequest: OnRequest, run: () => Promise<unknown>): Promise<void> {
  const { prototype } = process.getBuiltinModule("node:http").Server;
  const { emit } = prototype;
  prototype.emit = function (...words: [event: string, ...others: unknown[]]) {
    const [event, request, response] = words;
    if (event === "request") onRequest(request as IncomingMessage, response as ServerResponse);
    return Reflect.apply(emit, this, words);
  };
  try {
    await run();
  } finally {
    Reflect.deleteProperty(prototype, "emit");
  }
}

/** Runs while a subscriber of node:http's own channel gets each request. */
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
