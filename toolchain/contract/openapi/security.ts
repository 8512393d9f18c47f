/** Credentials as security schemes, and as what an operation requires. */

import type { Contract, Credential, Operation } from "#convention/contract/contract";
import { nameScheme } from "#convention/contract/inputs";
import { formatLocation } from "#convention/diagnostics/format";
import { compareText } from "#convention/diagnostics/order";
import { createNameGiver } from "#convention/wire/labels";
import type { SecurityScheme } from "#runtime/wire/credentials";
import { toComponentName } from "./components.ts";
import type { JsonObject } from "./json.ts";

export interface Security {
  readonly schemes: JsonObject;
  /** What an operation requires: one of the objects; empty for one that asks for nothing. */
  toRequirements(operation: Operation): readonly JsonObject[];
}

/** A credential, or a cookie that an operation takes in its place. */
type Secret = Omit<Credential, "location">;

export function toSecurity({ operations }: Pick<Contract, "operations">): Security {
  const names = createNameGiver();
  const nameOf = ({ scheme }: Secret): string =>
    names.claim(
      nameScheme(scheme),
      toComponentName(scheme.type === "http" ? nameScheme(scheme) : scheme.name),
    );
  const all = operations.flatMap(secretsOf).toSorted(byPlaceAndName);
  const schemes: Record<string, JsonObject> = {};
  for (const one of all) schemes[nameOf(one)] = { ...toScheme(one), ...schemes[nameOf(one)] };
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
    ...cookies.map(({ name }) => {
      const scheme = { type: "apiKey", in: "cookie", name } as const;
      return { scheme, required: false };
    }),
  ];
}

/** The names must not depend on which route comes first. */
function byPlaceAndName({ scheme: one }: Secret, { scheme: other }: Secret): number {
  return placeOf(one) - placeOf(other) || compareText(nameScheme(one), nameScheme(other));
}

function placeOf(scheme: SecurityScheme): number {
  return scheme.type === "http" ? 0 : ["header", "cookie", "query"].indexOf(scheme.in) + 1;
}

function toScheme({ scheme, description }: Secret): JsonObject {
  const described = description === undefined ? {} : { description };
  if (scheme.type === "apiKey") return { ...scheme, ...described };
  return { type: "http", scheme: scheme.scheme.toLowerCase(), ...described };
}
