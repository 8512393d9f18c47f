/** For tests: node:http as something sees it that instruments it. */

import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** Runs while each request is shown to `onRequest` before the server gets it, as by OpenTelemetry. */
export async function whileInstrumented(
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
  run: () => Promise<unknown>,
): Promise<void> {
  const { prototype } = process.getBuiltinModule("node:http").Server;
  const { emit } = prototype;
  prototype.emit = function (this: Server, ...words: unknown[]) {
    const [event, request, response] = words as [string, IncomingMessage, ServerResponse];
    if (event === "request") onRequest(request, response);
    return Reflect.apply(emit, this, words);
  };
  try {
    await run();
  } finally {
    prototype.emit = emit;
  }
}
