/** Credentials as security schemes, and as what an operation requires. */

import type { Contract, Credential } from "#convention/contract/contract";
import { compareText } from "#convention/diagnostics/order";
import { createNameGiver } from "#convention/wire/labels";
import { toComponentName } from "./components.ts";
import type { JsonObject } from "./json.ts";

export interface Security {
  readonly schemes: JsonObject;
  /** What an operation requires: one of the objects; empty for one that asks for nothing. */
  toRequirements(credentials: readonly Credential[]): readonly JsonObject[];
}

export function toSecurity({ operations }: Pick<Contract, "operations">): Security {
  const names = createNameGiver();
  const nameOf = ({ kind, header = "" }: Credential): string =>
    names.claim(`${kind} ${header}`, kind === "api-key" ? toComponentName(header) : kind);
  const all = operations.flatMap(({ credentials }) => credentials).toSorted(byKindAndHeader);
  const schemes = Object.fromEntries(all.map((one) => [nameOf(one), toScheme(one)]));
  const join = (credentials: readonly Credential[]): JsonObject =>
    Object.fromEntries(credentials.map((one) => [nameOf(one), []]));
  return {
    schemes,
    toRequirements(credentials) {
      if (credentials.length === 0) return [];
      const required = credentials.filter((one) => one.required);
      const optional = credentials.filter((one) => !one.required);
      return [...optional.map((one) => join([...required, one])), join(required)];
    },
  };
}

/** The names must not depend on which route comes first. */
function byKindAndHeader(one: Credential, other: Credential): number {
  return compareText(sortKeyOf(one), sortKeyOf(other));
}

function sortKeyOf({ kind, header = "" }: Credential): string {
  return `${kind === "api-key" ? 1 : 0} ${kind} ${header}`;
}

function toScheme({ kind, header }: Credential): JsonObject {
  if (kind === "api-key") return { type: "apiKey", in: "header", name: header };
  return { type: "http", scheme: kind };
}
