/** What the app in dev is behind: it refuses foreign hosts, and has the next request come on a connection of its own. */

import type { Exchange, Responder } from "#runtime/message/exchange";
import { refuseHost } from "./hosts.ts";

const UNTRUSTED =
  "  A proxy names the client, but no proxy is trusted, so request.ip is the proxy's own address. See [server] trust_proxy.";

/** @param hosts as in {@link refuseHost}. */
export function createFront(app: Responder, hosts: readonly string[]): Responder {
  let isTold = app.settings.trustProxy !== 0;
  const tellOnce = (exchange: Exchange): void => {
    if (isTold || (exchange.header("x-forwarded-for") ?? exchange.header("forwarded")) === undefined) return;
    isTold = true;
    app.log.info({ message: UNTRUSTED });
  };
  return {
    settings: app.settings,
    log: app.log,
    decoders: app.decoders,
    get running() {
      return app.running;
    },
    // A new connection goes by the supervisor, which gives it to the newest source.
    closesConnections: true,
    limitsOf: (exchange) => app.limitsOf(exchange),
    refuse: (exchange, answer) => app.refuse(exchange, answer),
    respond(exchange) {
      // By then node:http has taken up the requests of the same packet, so that the connection stays open for them.
      queueMicrotask(() => {
        const refusal = refuseHost(exchange.authority, hosts);
        tellOnce(exchange);
        if (refusal) app.refuse(exchange, refusal);
        else app.respond(exchange);
      });
    },
  };
}
