/** Credentials as security schemes, and as what an operation requires. */

import type { Contract, Credential, Operation } from "#convention/contract/contract";
import { formatLocation } from "#convention/diagnostics/format";
import { compareText } from "#convention/diagnostics/order";
import { createNameGiver } from "#convention/wire/labels";
import { toComponentName } from "./components.ts";
import type { JsonObject } from "./json.ts";

export interface Security {
  readonly schemes: JsonObject;
  /** What an operation requires: one of the objects; empty for one that asks for nothing. */
  toRequirements(operation: Operation): readonly JsonObject[];
}

/** A credential, or a cookie that an operation takes in its place. */
type Secret = Pick<Credential, "header" | "required"> & { readonly kind: Credential["kind"] | "cookie" };

export function toSecurity({ operations }: Pick<Contract, "operations">): Security {
  const names = createNameGiver();
  const nameOf = ({ kind, header = "" }: Secret): string =>
    names.claim(`${kind} ${header}`, header === "" ? kind : toComponentName(header));
  const all = operations.flatMap(secretsOf).toSorted(byKindAndHeader);
  const schemes = Object.fromEntries(all.map((one) => [nameOf(one), toScheme(one)]));
  const join = (secrets: readonly Secret[]): JsonObject =>
    Object.fromEntries(secrets.map((one) => [nameOf(one), []]));
  return {
    schemes,
    toRequirements(operation) {
      const secrets = secretsOf(operation);
      if (secrets.length === 0) return [];
      const required = secrets.filter((one) => one.required);
      const alternatives = secrets.filter((one) => !one.required).map((one) => join([...required, one]));
      return requiresOne(operation) ? alternatives : [...alternatives, join(required)];
    },
  };
}

/** All credentials are optional, but the code refuses a request without any of them. */
function requiresOne({ credentials, answers }: Operation): boolean {
  return credentials.every(({ required }) => !required) && answers.some(({ status }) => status === 401);
}

/** A cookie that the same function takes may stand in for a credential. */
function secretsOf(operation: Operation): readonly Secret[] {
  const { credentials, inputs } = operation;
  if (credentials.length === 0 || !requiresOne(operation)) return credentials;
  const cookies = inputs.filter(
    (input) =>
      input.in === "cookie" &&
      !input.required &&
      !input.isRest &&
      credentials.some(({ location }) => formatLocation(location) === formatLocation(input.location)),
  );
  return [
    ...credentials,
    ...cookies.map(({ name }) => ({ kind: "cookie", header: name, required: false }) as const),
  ];
}

/** The names must not depend on which route comes first. */
function byKindAndHeader(one: Secret, other: Secret): number {
  return compareText(sortKeyOf(one), sortKeyOf(other));
}

function sortKeyOf({ kind, header = "" }: Secret): string {
  return `${header === "" ? 0 : 1} ${kind} ${header}`;
}

function toScheme({ kind, header }: Secret): JsonObject {
  if (kind === "cookie") return { type: "apiKey", in: "cookie", name: header };
  if (kind === "api-key") return { type: "apiKey", in: "header", name: header };
  return { type: "http", scheme: kind };
}
