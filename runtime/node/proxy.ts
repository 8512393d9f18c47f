/** Determines the client behind trusted proxies: its address, and the scheme and host of its request. */

import { readHeader } from "../message/headers.ts";
import type { ServerSettings } from "../settings.ts";
import { isAuthority } from "./guard.ts";

export interface Client {
  readonly ip: string;
  /** Undefined if no trusted proxy reports it, like `host`. */
  readonly scheme: string | undefined;
  readonly host: string | undefined;
}

/** @param raw the headers of the request: name, value, name, value, … */
export type FindClient = (peer: string, raw: readonly string[]) => Client;

/** Named networks, as in proxy-addr, which Express uses. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/**
 * Reads entries from the right, because each proxy appends its own: all entries to the left of the first untrusted address may be
 * forged. An invalid address ends the search, so that the last trusted proxy counts as the client.
 *
 * @returns undefined if no proxy is trusted.
 */
export function createFindClient(trusted: ServerSettings["trustProxy"]): FindClient | undefined {
  if (trusted === 0) return undefined;
  const isTrusted =
    typeof trusted === "number" ? (_ip: string, hop: number) => hop < trusted : createAddressCheck(trusted);
  return (peer, raw) => {
    const hops = readHops(raw);
    let ip = peer;
    let scheme: string | undefined;
    let host: string | undefined;
    for (let hop = 0; isTrusted(ip, hop); hop++) {
      const entry = hops(hop);
      if (/^https?$/i.test(entry.proto ?? "")) scheme = entry.proto?.toLowerCase();
      if (isAuthority(entry.host ?? "")) host = entry.host;
      const next = toAddress(entry.for ?? "");
      if (next === undefined) break;
      ip = next;
    }
    return { ip, scheme, host };
  };
}

function createAddressCheck(trusted: readonly string[]): (ip: string) => boolean {
  const { BlockList, isIP } = process.getBuiltinModule("node:net");
  const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 4 ? "ipv4" : "ipv6");
  const list = new BlockList();
  for (const network of trusted.flatMap((name) => NAMED[name] ?? name)) {
    const [address = "", prefix] = network.split("/");
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (ip) => {
    // Deno's BlockList does not support addresses with a zone (RFC 4007 section 11).
    const address = ip.replace(/%.*/, "");
    return isIP(address) !== 0 && list.check(address, familyOf(address));
  };
}

/** The entry of one proxy about its client. */
type Hop = Partial<Record<(typeof FORWARDED)[number], string>>;
const FORWARDED = ["for", "proto", "host"] as const;

/**
 * Reads `Forwarded` only if `X-Forwarded-*` is missing: a proxy that sets one kind may pass on a forged header of the other kind, and
 * nearly all set `X-Forwarded-*`.
 *
 * @returns a function that returns the entry of a proxy; 0 is the nearest.
 */
function readHops(raw: readonly string[]): (hop: number) => Hop {
  const headers = FORWARDED.map((name) => readHeader(raw, `x-forwarded-${name}`));
  if (headers.every((text) => text === undefined)) {
    const elements = splitFromRight(readHeader(raw, "forwarded") ?? "");
    return (hop) => parseElement(elements[hop] ?? "");
  }
  const lists = headers.map((text) => splitFromRight(text ?? ""));
  return (hop) => Object.fromEntries(FORWARDED.map((name, at) => [name, lists[at]?.[hop]]));
}

/** Splits at commas outside of quotes. From the right, so that an unclosed quote of a client can't hide a proxy's entry. */
function splitFromRight(text: string): string[] {
  const parts: string[] = [];
  let end = text.length;
  let isQuoted = false;
  for (let at = end - 1; at >= 0; at--) {
    if (text[at] === '"' && text[at - 1] !== "\\") isQuoted = !isQuoted;
    if (text[at] !== "," || isQuoted) continue;
    parts.push(text.slice(at + 1, end).trim());
    end = at;
  }
  return [...parts, text.slice(0, end).trim()];
}

/** @example parseElement('for="[::1]:80";proto=https') // { for: "[::1]:80", proto: "https" } (RFC 7239 section 4) */
function parseElement(text: string): Hop {
  const pairs = text.matchAll(/(?:^|;)\s*([\w-]+)=(?:"([^"\\]*)"|([^\s;"]*))\s*(?=;|$)/g);
  return Object.fromEntries(
    [...pairs].map(([, name = "", quoted, bare]) => [name.toLowerCase(), quoted ?? bare]),
  );
}

/** @returns the address without brackets, quotes and port; undefined for `unknown`, `_hidden` and invalid text. */
function toAddress(text: string): string | undefined {
  const node = text.replace(/^"(.*)"$/, "$1");
  const [, address = node] = /^\[(.*)\](?::\w+)?$/.exec(node) ?? /^([\d.]+)(?::\w+)?$/.exec(node) ?? [];
  return process.getBuiltinModule("node:net").isIP(address) === 0 ? undefined : address;
}
