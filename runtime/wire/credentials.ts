/** Refuses requests without the credentials that their route needs. */

import { HttpError } from "../message/errors.ts";
import type { DeclaredInput } from "./inputs.ts";
import type { RequestReader } from "./request-reader.ts";

/** @returns true for an input that a request without a credential is refused for. */
export function needsCredential({ in: place, optional }: DeclaredInput): boolean {
  return !optional && (place === "bearer" || place === "basic" || place === "api-key");
}

/** @throws {HttpError} 401 when the request lacks what one of the inputs needs. Nothing here compares a credential. */
export function requireCredentials(credentials: readonly DeclaredInput[], reader: RequestReader): void {
  const isTried = (scheme: string): boolean =>
    reader.exchange.header("authorization")?.split(/[ \t]/, 1)[0]?.toLowerCase() === scheme;
  for (const { in: place, key = "" } of credentials) {
    if (place === "api-key" && reader.apiKey(key) === undefined)
      throw unauthorized(`The header ${key} is missing.`, `ApiKey realm="api", header="${key}"`);
    // RFC 6750 section 3.1: a request that did not try gets no error code.
    if (place === "bearer" && reader.bearer === undefined)
      throw isTried("bearer")
        ? unauthorized("The bearer token is malformed.", 'Bearer realm="api", error="invalid_token"')
        : unauthorized("A bearer token is missing.", 'Bearer realm="api"');
    if (place === "basic" && reader.basic === undefined) {
      const what = isTried("basic")
        ? "The username and the password are malformed."
        : "A username and a password are missing.";
      throw unauthorized(what, 'Basic realm="api", charset="UTF-8"');
    }
  }
}

function unauthorized(message: string, challenge: string): HttpError {
  return new HttpError(401, message, { headers: { "WWW-Authenticate": challenge } });
}
