/** How what a route takes has changed: parameters, body, credentials. */

import type { Credential, Input, Operation } from "#convention/contract/contract";
import { isBody } from "#convention/wire/clashes";
import { isTextPlace } from "#runtime/wire/texts";
import type { Where } from "./difference.ts";
import type { Note } from "./operation.ts";

export function compareInputs(before: Operation, after: Operation, note: Note): void {
  const now = new Map(after.inputs.map((input) => [inputKeyOf(input, after), input]));
  for (const was of before.inputs) {
    const key = inputKeyOf(was, before);
    const is = now.get(key);
    now.delete(key);
    if (is) compareInput(was, is, note);
    else noteRemoved(was, now, note);
  }
  for (const is of now.values()) {
    const need = is.required ? "required" : "optional";
    const kind = isBody(is)
      ? (`request-body-added-${need}` as const)
      : (`new-${need}-request-parameter` as const);
    note(kind, toWhere(is), { after: is.location });
  }
}

/** A path's params are known by their place, and its form and its body by being one. */
function inputKeyOf({ in: place, name }: Input, { segments }: Operation): string {
  const at = segments.findIndex((segment) => typeof segment !== "string" && segment.name === name);
  return `${place} ${place === "path" && at !== -1 ? at : name}`;
}

function toWhere({ in: place, name }: Input): Where {
  return { side: "request", in: place, ...(name !== "" && { name }), pointer: "" };
}

function compareInput(was: Input, is: Input, note: Note): void {
  const where = toWhere(is);
  const places = { before: was.location, after: is.location };
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

function noteRemoved(was: Input, now: Map<string, Input>, note: Note): void {
  const where = toWhere(was);
  const before = was.location;
  const other = was.in === "body" ? "form" : "body";
  const instead = isBody(was) ? now.get(`${other} `) : undefined;
  if (!isBody(was)) note("request-parameter-removed", where, { before });
  else if (instead === undefined) note("request-body-removed", where, { before });
  else {
    now.delete(`${other} `);
    const places = { before, after: instead.location };
    note("request-body-media-type-removed", where, places, { from: was.in, to: other });
  }
}

export function compareCredentials(before: Operation, after: Operation, note: Note): void {
  const where = { side: "request", in: "credentials", pointer: "" } as const;
  const now = new Map(after.credentials.map((credential) => [nameCredential(credential), credential]));
  for (const was of before.credentials) {
    const it = nameCredential(was);
    const is = now.get(it);
    now.delete(it);
    if (is === undefined) note("api-security-removed", where, { before: was.location }, { it });
    else if (was.required !== is.required) {
      const kind = `api-security-became-${is.required ? "required" : "optional"}` as const;
      note(kind, where, { before: was.location, after: is.location }, { it });
    }
  }
  for (const [it, { required, location }] of now)
    note(
      required ? "api-security-added" : "api-security-added (optional)",
      where,
      { after: location },
      { it },
    );
}

function nameCredential({ kind, header }: Credential): string {
  if (kind === "api-key") return `an API key in the header \`${header}\``;
  return kind === "bearer" ? "a bearer token" : "a user name and a password (basic)";
}
