/** The credentials that somebody has typed in. The tab keeps them, and forgets them when it is closed. */

import type { Api, Operation, Scheme } from "./document.ts";
import { type Child, make, makeLabelled } from "./element.ts";
import type { HeaderPair } from "./request.ts";

/** In the tab's session storage, by the name of the scheme and of the field. */
const PREFIX = "credential:";

type CredentialField = readonly [key: string, label: string];

/** @returns what an operation asks for, as a sentence; undefined where it asks for nothing. */
export function describeCredentials(operation: Operation, api: Api): string | undefined {
  const phrases = schemesOf(operation, api).map(([name, { type, scheme, in: place, name: key }]) => {
    if (type === "apiKey")
      return place === "cookie" ? `the cookie ${key}` : `an API key in the header ${key}`;
    if (scheme === "bearer") return "a bearer token";
    return scheme === "basic" ? "a user name and a password" : name;
  });
  const { security = [] } = operation;
  const isOptional = security.some((one) => Object.keys(one).length === 0);
  const word = security.every((one) => Object.keys(one).length === 1) ? "or" : "and";
  const end = isOptional ? ", but answers without it, too." : ".";
  return phrases.length === 0 ? undefined : `Asks for ${phrases.join(` ${word} `)}${end}`;
}

function fieldsOf(name: string, scheme: Scheme): readonly CredentialField[] {
  // A browser sends its cookies by itself.
  if (scheme.in === "cookie") return [];
  const label = scheme.type === "apiKey" ? `API key (${scheme.name})` : "Bearer token";
  if (scheme.scheme !== "basic") return [[name, label]];
  return [
    [`${name}.user`, "User name"],
    [`${name}.password`, "Password"],
  ];
}

/** The schemes that an operation asks for. */
export function schemesOf({ security = [] }: Operation, { schemes }: Api): readonly [string, Scheme][] {
  const names = new Set(security.flatMap((one) => Object.keys(one)));
  return [...names].flatMap((name): [string, Scheme][] => {
    const scheme = schemes[name];
    return scheme === undefined ? [] : [[name, scheme]];
  });
}

export function makeCredentialFields(schemes: readonly (readonly [string, Scheme])[]): Child {
  return schemes.flatMap(([name, scheme]) =>
    fieldsOf(name, scheme).map(([key, label]) => {
      const type = key.endsWith(".user") ? "text" : "password";
      const input = make("input", { type, autocomplete: "off", spellcheck: "false" });
      input.value = read(key);
      input.addEventListener("input", () => sessionStorage.setItem(PREFIX + key, input.value));
      return makeLabelled(label, input);
    }),
  );
}

function read(key: string): string {
  return sessionStorage.getItem(PREFIX + key) ?? "";
}

/** @returns the headers of those that are filled in. */
export function credentialHeaders(schemes: readonly (readonly [string, Scheme])[]): readonly HeaderPair[] {
  return schemes.flatMap(([name, scheme]): HeaderPair[] => {
    if (scheme.scheme === "basic") {
      const pair = `${read(`${name}.user`)}:${read(`${name}.password`)}`;
      return pair === ":" ? [] : [["authorization", `Basic ${toBase64(pair)}`]];
    }
    const secret = read(name).trim();
    if (secret === "") return [];
    return scheme.type === "apiKey"
      ? [[scheme.name ?? name, secret]]
      : [["authorization", `Bearer ${secret}`]];
  });
}

/** Of its UTF-8 (RFC 7617 section 2.1). */
function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
