/** How a route has changed: what it takes, the credentials that it asks for, and what it answers. */

import type { Answer, Credential, Input, Operation } from "#convention/contract/contract";
import { nameScheme } from "#convention/contract/inputs";
import { isBody } from "#convention/wire/clashes";
import { isTextPlace } from "#runtime/wire/texts";
import { type At, note, noteText } from "./note.ts";
import { pairUp } from "./pairs.ts";
import { compareNeed, compareWhole } from "./shapes.ts";

export function compareOperations(was: Operation, is: Operation, at: At): void {
  if (was.method !== is.method)
    note(at, is.method === "ALL" ? "endpoint-answered-by-all" : "endpoint-added (was all)");
  else if (was.id !== is.id) note(at, "api-operation-id-changed", { from: was.id, to: is.id });
  if (was.deprecated !== is.deprecated)
    note(at, is.deprecated ? "endpoint-deprecated" : "endpoint-reactivated");
  const [from, to] = [was, is].map(({ tag = "" }) => JSON.stringify(tag));
  if (from !== to) note(at, "api-tag-changed", { from, to });
  const keyOf = (input: Input): string => inputKeyOf(input, was.inputs.includes(input) ? was : is);
  for (const [one, other] of pairUp(was.inputs, is.inputs, keyOf)) compareInput(one, other, at);
  for (const [one, other] of pairUp(was.credentials, is.credentials, nameCredential))
    compareCredential(one, other, at);
  compareAnswers(was.answers, is.answers, at);
}

/** A path's params are known by their place. A form and a body are in each other's place. */
function inputKeyOf(input: Input, { segments }: Operation): string {
  const { in: place, name } = input;
  if (isBody(input)) return "body";
  const at = segments.findIndex((segment) => typeof segment !== "string" && segment.name === name);
  return `${place} ${place === "path" && at !== -1 ? at : name}`;
}

function compareInput(was: Input | undefined, is: Input | undefined, around: At): void {
  const one = is ?? was;
  if (one === undefined) return;
  const { in: place, name } = one;
  const where = { side: "request", in: place, ...(name !== "" && { name }) } as const;
  const at: At = { ...around, where, before: was?.location, after: is?.location };
  const [before, after] = [was, is].map(
    (input) => input && { shape: input.shape, optional: !input.required },
  );
  if (was && isBody(was) && !is) note(at, "request-body-removed");
  else if (was && is && isBody(was) && was.in !== is.in)
    note(at, "request-body-media-type-removed", { from: was.in, to: is.in });
  else compareNeed(before, after, at);
  if (!was || !is || (isBody(was) && was.in !== is.in)) return;
  if (was.name !== is.name) note(at, "renamed", { from: was.name });
  noteText(at, "default-value", defaultOf(was), defaultOf(is));
  compareWhole(was.shape, is.shape, { ...at, asText: place === "path" || isTextPlace(place as never) });
}

function defaultOf({ default: value }: Input): string {
  return value === undefined ? "" : `\`${JSON.stringify(value)}\``;
}

function compareCredential(was: Credential | undefined, is: Credential | undefined, around: At): void {
  const one = is ?? was;
  if (one === undefined) return;
  const where = { side: "request", in: "credentials" } as const;
  const at: At = { ...around, where, before: was?.location, after: is?.location };
  const it = nameCredential(one);
  if (!is) note(at, "api-security-removed", { it });
  else if (!was) note(at, is.required ? "api-security-added" : "api-security-added (optional)", { it });
  else if (was.required !== is.required)
    note(at, `api-security-became-${is.required ? "required" : "optional"}`, { it });
}

function nameCredential({ scheme }: Credential): string {
  if (scheme.type === "apiKey") return `an API key in the ${scheme.in} \`${scheme.name}\``;
  const name = nameScheme(scheme);
  if (name === "bearer") return "a bearer token";
  return name === "basic" ? "a user name and a password (basic)" : `a credential of the scheme \`${name}\``;
}

function compareAnswers(before: readonly Answer[], after: readonly Answer[], around: At): void {
  // An answer whose status nothing says may be any.
  const isOpen = after.some(({ status }) => status === "default");
  for (const [was, is] of pairUp(before, after, ({ status }) => status)) {
    const { status, description = "" } = (is ?? was) as Answer;
    const where = { side: "response", status } as const;
    const at: At = { ...around, where, before: was?.location, after: is?.location };
    const isSuccess = status !== "default" && status >= 200 && status < 300;
    const kind = `response-${isSuccess ? "success" : "non-success"}-status` as const;
    if (was && is) compareAnswer(was, is, at);
    else if (status === "default") note(at, `response-status-became-${was ? "known" : "unknown"}`);
    else if (is)
      note(at, `${kind}-added`, { to: description === "" ? `${status}` : `${status}: ${description}` });
    else
      note(at, isSuccess && isOpen ? "response-success-status-removed (unknown)" : `${kind}-removed`, {
        from: `${status}`,
      });
  }
}

function compareAnswer(was: Answer, is: Answer, at: At): void {
  for (const [from, to] of pairUp(was.headers, is.headers, (name) => name)) {
    const ofHeader = { ...at, where: { ...at.where, name: from ?? to ?? "" } };
    if (!to) note(ofHeader, "optional-response-header-removed", { from });
    if (!from) note(ofHeader, "response-header-added", { to });
  }
  const [known, found] = [was, is].map(({ bodies }) => bodies.find(({ media }) => media === "*/*"));
  // The source says nothing of this body: it is compared with all that the other side has.
  const keyOf = known || found ? () => "" : ({ media }: Answer["bodies"][number]) => media;
  for (const [one, other] of pairUp(was.bodies, is.bodies, keyOf)) {
    const ofMedia = { ...at, where: { ...at.where, media: (other ?? one)?.media ?? "" } };
    if (one && other) compareWhole(one.shape, other.shape, ofMedia);
    else if (one) note(at, "response-media-type-removed", { from: one.media });
    else if (other) note(at, "response-media-type-added", { to: other.media });
  }
}
