/** How what a route takes has changed: parameters, body, credentials. */

import type { Credential, Input, Operation } from "#convention/contract/contract";
import { isBody } from "#convention/wire/clashes";
import { isTextPlace } from "#runtime/wire/texts";
import type { Level } from "./difference.ts";
import type { Note } from "./operation.ts";
import { capitalizeFirst, nameInput } from "./sentences.ts";

type InputPlace = Input["in"];

export function compareInputs(before: Operation, after: Operation, note: Note): void {
  const now = new Map(after.inputs.map((input) => [inputKeyOf(input, after), input]));
  for (const was of before.inputs) {
    const key = inputKeyOf(was, before);
    const is = now.get(key);
    now.delete(key);
    if (is) compareInput(was, is, note);
    else noteRemoved(was, now, note);
  }
  for (const is of now.values()) noteAdded(is, note);
}

/** A path's params are known by their place, and its form and its body by being one. */
function inputKeyOf({ in: place, name }: Input, { segments }: Operation): string {
  const at = segments.findIndex((segment) => typeof segment !== "string" && segment.name === name);
  return `${place} ${place === "path" && at !== -1 ? at : name}`;
}

function inputIdOf(input: Input): "request-body" | "request-parameter" {
  return isBody(input) ? "request-body" : "request-parameter";
}

function compareInput(was: Input, is: Input, note: Note): void {
  const where = toWhere(is);
  const subject = capitalizeFirst(nameInput(where));
  const places = { before: was.location, after: is.location };
  if (!was.required && is.required)
    note("breaking", `${inputIdOf(is)}-became-required`, where, `${subject} is required now.`, places);
  if (was.required && !is.required)
    note("other", `${inputIdOf(is)}-became-optional`, where, `${subject} is optional now.`, places);
  if (was.name !== is.name)
    note(
      "other",
      "request-parameter-renamed",
      where,
      `${subject} was called \`${was.name}\` before.`,
      places,
    );
  compareDefaults(was, is, note);
  note.shapes(was.shape, is.shape, where, places, is.in === "path" || isTextPlace(is.in as never));
}

function compareDefaults(was: Input, is: Input, note: Note): void {
  if (JSON.stringify(was.default) === JSON.stringify(is.default)) return;
  const id = `${inputIdOf(is)}-default-value`;
  const where = toWhere(is);
  const places = { before: was.location, after: is.location };
  const [from, to] = [was.default, is.default].map((value) => `\`${JSON.stringify(value)}\``);
  const subject = nameInput(where);
  if (was.default === undefined)
    note("risky", `${id}-added`, where, capitalizeFirst(`${subject} is ${to} now if it is missing.`), places);
  else if (is.default === undefined)
    note(
      "risky",
      `${id}-removed`,
      where,
      capitalizeFirst(`${subject} is no longer ${from} if it is missing.`),
      places,
    );
  else
    note("risky", `${id}-changed`, where, `The default of ${subject} changed from ${from} to ${to}.`, places);
}

function toWhere({ in: place, name }: Input): {
  side: "request";
  in: InputPlace;
  name?: string;
  pointer: "";
} {
  return { side: "request", in: place, ...(name !== "" && { name }), pointer: "" };
}

function noteRemoved(was: Input, now: Map<string, Input>, note: Note): void {
  const where = toWhere(was);
  const places = { before: was.location };
  const subject = capitalizeFirst(nameInput(where));
  if (inputIdOf(was) === "request-parameter") {
    note("risky", "request-parameter-removed", where, `${subject} is ignored now.`, places);
    return;
  }
  const other = was.in === "body" ? "form" : "body";
  const instead = now.get(`${other} `);
  now.delete(`${other} `);
  if (instead === undefined)
    note("breaking", "request-body-removed", where, `${subject} is ignored now.`, places);
  else
    note(
      "breaking",
      "request-body-media-type-removed",
      where,
      `The route takes a ${other} now, and no longer a ${was.in}.`,
      {
        ...places,
        after: instead.location,
      },
    );
}

function noteAdded(is: Input, note: Note): void {
  const level: Level = is.required ? "breaking" : "other";
  const need = is.required ? "required" : "optional";
  const id =
    inputIdOf(is) === "request-body"
      ? `request-body-added-${need}`
      : is.required
        ? "new-required-request-parameter"
        : "new-optional-request-parameter";
  const where = toWhere(is);
  note(level, id, where, `${capitalizeFirst(nameInput(where))} is new and ${need}.`, { after: is.location });
}

export function compareCredentials(before: Operation, after: Operation, note: Note): void {
  const where = { side: "request", in: "credentials", pointer: "" } as const;
  const now = new Map(after.credentials.map((credential) => [nameCredential(credential), credential]));
  for (const was of before.credentials) {
    const name = nameCredential(was);
    const is = now.get(name);
    now.delete(name);
    if (is === undefined) {
      note("other", "api-security-removed", where, `The route no longer takes ${name}.`, {
        before: was.location,
      });
      continue;
    }
    const places = { before: was.location, after: is.location };
    if (!was.required && is.required)
      note("breaking", "api-security-became-required", where, `The route requires ${name} now.`, places);
    if (was.required && !is.required)
      note("other", "api-security-became-optional", where, `The route no longer requires ${name}.`, places);
  }
  for (const [name, { required, location }] of now) {
    const message = required
      ? `The route requires ${name} now.`
      : `The route takes ${name} now, if there is one.`;
    note(required ? "breaking" : "other", "api-security-added", where, message, { after: location });
  }
}

function nameCredential({ kind, header }: Credential): string {
  if (kind === "api-key") return `an API key in the header \`${header}\``;
  return kind === "bearer" ? "a bearer token" : "a user name and a password (basic)";
}
