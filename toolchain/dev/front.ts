/** What the app in dev is behind: it refuses foreign hosts, and has the next request come on a connection of its own. */

import { isIP } from "node:net";
import type { Responder } from "#runtime/message/exchange";
import { type Answer, errorAnswer } from "#runtime/message/result";

/** @param hosts as in {@link refuseHost}. */
export function createFront(app: Responder, hosts: readonly string[]): Responder {
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
        if (refusal) app.refuse(exchange, refusal);
        else app.respond(exchange);
      });
    },
  };
}

const LOOPBACK = ".localhost";

/**
 * A page of any site can let its own name resolve to 127.0.0.1, and would then read the answers as those of its own origin (DNS
 * rebinding). It can't do so with an IP address, or with a name that always is this machine.
 *
 * @param authority the host that a request names, with or without a port; undefined if it names none, which no browser does.
 * @param hosts other names of this machine. One that begins with a dot is that name and every name below it.
 * @returns the answer to a request that may come from a page of another site; undefined for every other.
 * @example refuseHost("app.local:8000", []) // 403
 */
export function refuseHost(
  authority: string | undefined,
  hosts: readonly string[],
): Answer<never> | undefined {
  const name = authority?.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
  if (name === undefined || [LOOPBACK, ...hosts].some((host) => isMeant(name, host.toLowerCase())))
    return undefined;
  // The first one costs a fresh worker 3 ms, so names come first.
  if (isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0) return undefined;
  const detail = `If the name is yours, write below [dev] in framework.toml: hosts = [${JSON.stringify(name)}]`;
  return errorAnswer(403, `framework dev does not answer for the host ${name}.`, [], { detail });
}

/** @example isMeant("api.app.local", ".app.local") // true */
function isMeant(name: string, host: string): boolean {
  return name === host || (host.startsWith(".") && `.${name}`.endsWith(host));
}
