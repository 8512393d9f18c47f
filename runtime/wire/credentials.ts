/** Defines the kinds of credentials, and refuses requests that lack a required one. */

import { HttpError } from "../message/errors.ts";
import type { DeclaredInput } from "./inputs.ts";
import type { RequestReader } from "./request-reader.ts";

export type KeyPlace = "header" | "cookie" | "query";

/** A security scheme of OpenAPI. The scheme's name is spelled as in the source; it is case-insensitive (RFC 9110 section 11.1). */
export type SecurityScheme =
  | { readonly type: "http"; readonly scheme: string }
  | { readonly type: "apiKey"; readonly in: KeyPlace; readonly name: string };

interface Kind {
  readonly scheme: SecurityScheme;
  readonly challenge: string;
  /** The messages of a 401, without the full stop. */
  readonly missing: string;
  readonly malformed: string;
}

/** The kinds by place of the input. They receive its key, and the place of an API key. */
export const CREDENTIALS = {
  bearer: (): Kind => inHeader("Bearer", "A bearer token is missing", "The bearer token is malformed"),
  basic: (): Kind =>
    inHeader("Basic", "A username and a password are missing", "The username and the password are malformed"),
  credential: (scheme: string): Kind =>
    inHeader(
      scheme,
      `A credential of the scheme ${scheme} is missing`,
      `The credential of the scheme ${scheme} is malformed`,
    ),
  // RFC 9110 section 15.5.2 requires a challenge, but none is registered for keys and cookies. Browsers open no dialog for this one.
  "api-key": (name: string, place: KeyPlace): Kind => ({
    scheme: { type: "apiKey", in: place, name },
    challenge: `ApiKey realm="api", ${place}="${name}"`,
    missing: `The ${place === "query" ? "query parameter" : place} ${name} is missing`,
    // Only a query parameter can be repeated.
    malformed: `The query parameter ${name} is there more than once`,
  }),
} as const;

function inHeader(scheme: string, missing: string, malformed: string): Kind {
  const charset = scheme === "Basic" ? ', charset="UTF-8"' : "";
  return {
    scheme: { type: "http", scheme },
    challenge: `${scheme} realm="api"${charset}`,
    missing,
    malformed,
  };
}

export type CredentialPlace = keyof typeof CREDENTIALS;

export function isCredential(place: string): place is CredentialPlace {
  return Object.hasOwn(CREDENTIALS, place);
}

/** @returns undefined for an input that is not a credential. */
export function toKind({ in: place, key = "", from = "header" }: DeclaredInput): Kind | undefined {
  return isCredential(place) ? CREDENTIALS[place](key, from) : undefined;
}

/** Compares no values. @throws {HttpError} 401 if a credential is missing or malformed. */
export function requireCredentials(credentials: readonly DeclaredInput[], reader: RequestReader): void {
  for (const input of credentials) {
    const kind = reader.credential(input.in, input.key, input.from) === undefined && toKind(input);
    if (kind) throw refuse(kind, reader);
  }
}

function refuse({ scheme, challenge, missing, malformed }: Kind, reader: RequestReader): HttpError {
  const sent = scheme.type === "apiKey" ? reader.raw(scheme.in, scheme.name) : reader.scheme;
  const isOther = scheme.type === "http" && sent !== scheme.scheme.toLowerCase();
  const credential = !sent ? "missing" : isOther ? "wrong_scheme" : "malformed";
  // RFC 6750 section 3.1: no error code for a request without any token.
  const error = credential === "malformed" && sent === "bearer" ? ', error="invalid_token"' : "";
  const headers = { "WWW-Authenticate": challenge + error };
  return new HttpError(401, `${credential === "malformed" ? malformed : missing}.`, { headers, credential });
}
