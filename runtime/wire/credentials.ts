/** The credentials of a request: a bearer token, a username with a password, or a key in a header. Nothing here compares them. */

import { HttpError } from "../message/errors.ts";
import type { Take } from "./take.ts";
import type { Wire } from "./taker.ts";

/** RFC 6750 section 2.1. */
const BEARER = /^bearer +([\w.~+/-]+=*)$/i;
/** RFC 7617 section 2, with base64 as in RFC 4648 section 4. */
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @param authorization the header. */
export function parseBearer(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

export function parseBasic(authorization: string | undefined): Wire["basic"] {
  const [, encoded] = BASIC.exec(authorization ?? "") ?? [];
  const pair = encoded === undefined ? undefined : decodeBase64(encoded);
  const colon = pair?.indexOf(":") ?? -1;
  // Section 2 forbids control characters, which could split a log line or a header.
  if (pair === undefined || colon === -1 || /[\x00-\x1f\x7f]/.test(pair)) return undefined;
  return { username: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

function decodeBase64(encoded: string): string | undefined {
  try {
    return strictUtf8.decode(Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** @returns true for a take that a request without a credential is refused for. */
export function needsCredential({ in: place, optional }: Take): boolean {
  return !optional && (place === "bearer" || place === "basic" || place === "api-key");
}

/** @throws {HttpError} 401 when the request lacks what the take needs. */
export function requireCredential(take: Take, wire: Wire, authorization: string | undefined): void {
  if (take.in === "bearer") {
    if (wire.bearer === undefined) throw missesBearer(authorization);
  } else if (take.in === "basic") {
    if (wire.basic === undefined) throw missesBasic(authorization);
  } else if (wire.apiKey(take.key ?? "") === undefined) {
    throw unauthorized(`The header ${take.key} is missing.`, `ApiKey realm="api", header="${take.key}"`);
  }
}

/** RFC 6750 section 3.1: a request that did not try gets no error code. */
function missesBearer(authorization: string | undefined): HttpError {
  return isOfScheme(authorization, "bearer")
    ? unauthorized("The bearer token is malformed.", 'Bearer realm="api", error="invalid_token"')
    : unauthorized("A bearer token is missing.", 'Bearer realm="api"');
}

function missesBasic(authorization: string | undefined): HttpError {
  const what = isOfScheme(authorization, "basic")
    ? "The username and the password are malformed."
    : "A username and a password are missing.";
  return unauthorized(what, 'Basic realm="api", charset="UTF-8"');
}

function isOfScheme(authorization: string | undefined, scheme: string): boolean {
  return authorization?.split(/[ \t]/, 1)[0]?.toLowerCase() === scheme;
}

function unauthorized(message: string, challenge: string): HttpError {
  return new HttpError(401, message, { headers: { "WWW-Authenticate": challenge } });
}
