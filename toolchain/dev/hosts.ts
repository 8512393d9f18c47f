/**
 * Which hosts dev answers for. A page of any site can let its own name resolve to 127.0.0.1, and would then read the answers as those of
 * its own origin (DNS rebinding). It can't do so with an IP address, or with a name that always is this machine.
 */

import { isIP } from "node:net";
import { type Answer, errorAnswer } from "#runtime/message/result";

const LOOPBACK = ".localhost";

/**
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
