/** The credentials that somebody has typed in. The tab keeps them, and forgets them when it is closed. */

import type { Api, Operation, Scheme } from "./document.ts";
import { type Child, freshId, make, makeLabelled } from "./element.ts";
import type { GivenCredential } from "./request.ts";

/** In the tab's session storage, by the name of the scheme and of the field. */
const PREFIX = "credential:";

interface CredentialField {
  readonly key: string;
  readonly label: string;
  readonly hint?: string | undefined;
}

/** A page can't set a cookie of its API, which most often is `HttpOnly`. */
const COOKIE_HINT = "Only curl sends it: a browser sends its own cookies. Log in, and it has this one.";

/** @returns what an operation asks for, as a sentence; undefined where it asks for nothing. */
export function describeCredentials(operation: Operation, api: Api): string | undefined {
  const phrases = schemesOf(operation, api).map(([, { type, scheme, in: place, name: key }]) => {
    if (type === "apiKey")
      return place === "cookie" ? `the cookie ${key}` : `an API key in the ${place} ${key}`;
    if (scheme === "bearer") return "a bearer token";
    return scheme === "basic" ? "a user name and a password" : `a credential of the scheme ${scheme}`;
  });
  const { security = [] } = operation;
  const isOptional = security.some((one) => Object.keys(one).length === 0);
  const word = security.every((one) => Object.keys(one).length === 1) ? "or" : "and";
  const end = isOptional ? ", but answers without it, too." : ".";
  return phrases.length === 0 ? undefined : `Asks for ${phrases.join(` ${word} `)}${end}`;
}

function fieldsOf(
  name: string,
  { type, scheme, in: place, name: key, description }: Scheme,
): readonly CredentialField[] {
  if (scheme === "basic")
    return [
      { key: `${name}.user`, label: "User name", hint: description },
      { key: `${name}.password`, label: "Password" },
    ];
  const what = place === "cookie" ? "Cookie" : "API key";
  const own = scheme === "bearer" ? "Bearer token" : `Credential (${scheme})`;
  const hints = [description, place === "cookie" && COOKIE_HINT].filter((hint) => hint);
  return [{ key: name, label: type === "apiKey" ? `${what} (${key})` : own, hint: hints.join(" ") }];
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
    fieldsOf(name, scheme).map(({ key, label, hint }) => {
      const type = key.endsWith(".user") ? "text" : "password";
      const input = make("input", { type, autocomplete: "off", spellcheck: "false" });
      input.value = read(key);
      input.addEventListener("input", () => sessionStorage.setItem(PREFIX + key, input.value));
      if (!hint) return makeLabelled(label, input);
      const id = freshId();
      input.setAttribute("aria-describedby", id);
      return makeLabelled(label, input, make("p.quiet", { id }, hint));
    }),
  );
}

function read(key: string): string {
  return sessionStorage.getItem(PREFIX + key) ?? "";
}

/** @returns those that are filled in. */
export function givenCredentials(
  schemes: readonly (readonly [string, Scheme])[],
): readonly GivenCredential[] {
  return schemes.flatMap(([name, { type, scheme = "", in: place, name: key = name }]): GivenCredential[] => {
    if (scheme === "basic") {
      const pair = `${read(`${name}.user`)}:${read(`${name}.password`)}`;
      return pair === ":" ? [] : [{ in: "header", pair: ["authorization", `Basic ${toBase64(pair)}`] }];
    }
    const secret = read(name).trim();
    if (secret === "") return [];
    if (type === "apiKey") return [{ in: place ?? "header", pair: [key, secret] }];
    const spelled = scheme === "bearer" ? "Bearer" : scheme;
    return [{ in: "header", pair: ["authorization", `${spelled} ${secret}`] }];
  });
}

/** Of its UTF-8 (RFC 7617 section 2.1). */
function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
