/** How what a route takes has changed: parameters, body, credentials. */

import type { Credential, Input, Operation } from "#convention/contract/contract";
import { nameScheme } from "#convention/contract/inputs";
import { isBody } from "#convention/wire/clashes";
import { isTextPlace } from "#runtime/wire/texts";
import type { Where } from "./difference.ts";
import type { Note } from "./operation.ts";
import { pairUp } from "./pairs.ts";

export function compareInputs(before: Operation, after: Operation, note: Note): void {
  const keyOf = (input: Input): string => inputKeyOf(input, before.inputs.includes(input) ? before : after);
  for (const [was, is] of pairUp(before.inputs, after.inputs, keyOf)) {
    if (was && is) compareInput(was, is, note);
    else if (was) {
      const kind = isBody(was) ? "request-body-removed" : "request-parameter-removed";
      note(kind, toWhere(was), { before: was.location });
    } else if (is) {
      const need = is.required ? "required" : "optional";
      const kind = isBody(is)
        ? (`request-body-added-${need}` as const)
        : (`new-${need}-request-parameter` as const);
      note(kind, toWhere(is), { after: is.location });
    }
  }
}

/** A path's params are known by their place. A form and a body are in each other's place. */
function inputKeyOf(input: Input, { segments }: Operation): string {
  const { in: place, name } = input;
  if (isBody(input)) return "body";
  const at = segments.findIndex((segment) => typeof segment !== "string" && segment.name === name);
  return `${place} ${place === "path" && at !== -1 ? at : name}`;
}

function toWhere({ in: place, name }: Input): Where {
  return { side: "request", in: place, ...(name !== "" && { name }), pointer: "" };
}

function compareInput(was: Input, is: Input, note: Note): void {
  const where = toWhere(is);
  const places = { before: was.location, after: is.location };
  if (isBody(was) && was.in !== is.in) {
    note("request-body-media-type-removed", toWhere(was), places, { from: was.in, to: is.in });
    return;
  }
  const what = isBody(is) ? "request-body" : "request-parameter";
  if (was.required !== is.required)
    note(`${what}-became-${is.required ? "required" : "optional"}`, where, places);
  if (was.name !== is.name) note("request-parameter-renamed", where, places, { from: was.name });
  const [from, to] = [was, is].map(
    (one) => one.default !== undefined && `\`${JSON.stringify(one.default)}\``,
  );
  if (from !== to) {
    const how = from ? (to ? "changed" : "removed") : "added";
    note(`${what}-default-value-${how}`, where, places, { from: from || "", to: to || "" });
  }
  note.shapes(was.shape, is.shape, where, places, is.in === "path" || isTextPlace(is.in as never));
}

export function compareCredentials(before: Operation, after: Operation, note: Note): void {
  const where = { side: "request", in: "credentials", pointer: "" } as const;
  for (const [was, is] of pairUp(before.credentials, after.credentials, nameCredential)) {
    const it = nameCredential((was ?? is) as Credential);
    const places = { before: was?.location, after: is?.location };
    const need = is?.required ? "required" : "optional";
    if (!is) note("api-security-removed", where, places, { it });
    else if (!was)
      note(is.required ? "api-security-added" : "api-security-added (optional)", where, places, { it });
    else if (was.required !== is.required) note(`api-security-became-${need}`, where, places, { it });
  }
}

function nameCredential({ scheme }: Credential): string {
  if (scheme.type === "apiKey") return `an API key in the ${scheme.in} \`${scheme.name}\``;
  const name = nameScheme(scheme);
  if (name === "bearer") return "a bearer token";
  return name === "basic" ? "a user name and a password (basic)" : `a credential of the scheme \`${name}\``;
}
