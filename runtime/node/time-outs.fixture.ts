/** For tests: servers whose time-outs begin with a request, so that a slow machine does not have its client time out before. */

import { listenOn, useTransport } from "./server.ts";

/** For the servers that are started meanwhile, `headersTimeout` and `requestTimeout` have no effect before the head of a request has come. */
export async function onceAsked(use: () => Promise<void>): Promise<void> {
  const before = useTransport((http, address) => {
    const { headersTimeout, requestTimeout } = http;
    Object.assign(http, { headersTimeout: 0, requestTimeout: 0 });
    http.once("request", () => Object.assign(http, { headersTimeout, requestTimeout }));
    return listenOn(http, address);
  });
  try {
    await use();
  } finally {
    useTransport(before);
  }
}
