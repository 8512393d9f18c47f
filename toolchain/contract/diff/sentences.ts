/** What a difference says in plain English. */

import type { Where } from "./difference.ts";
import type { ShapeChange } from "./shape-change.ts";

/** @example nameSubject({ side: "request", in: "body", pointer: "" }, ["items", "*", "name"]) // "`items[].name` in the body" */
function nameSubject(where: Where, path: readonly string[]): string {
  const whole = where.side === "request" ? nameInput(where) : nameAnswer(where);
  return path.length === 0 ? whole : `\`${formatPath(path)}\` in ${whole}`;
}

export function nameInput({ in: place, name = "" }: Where): string {
  if (place === "body" || place === "form") return `the ${place}`;
  if (name === "") return place === "query" ? "the query" : `the other ${place}s`;
  const noun = { path: "path parameter", query: "query parameter", header: "header", cookie: "cookie" };
  return `${noun[place as keyof typeof noun]} \`${name}\``;
}

export function nameAnswer({ status, media }: Where): string {
  const kind = media === undefined || media === "application/json" || media === "*/*" ? "" : ` (${media})`;
  return `${status === "default" ? "the answer" : `the ${status} answer`}${kind}`;
}

/** @example formatPath(["items", "*", "name"]) // "items[].name" */
function formatPath(path: readonly string[]): string {
  return path
    .map((key) => (key === "*" ? "[]" : /^\d+$/.test(key) ? `[${key}]` : `.${key}`))
    .join("")
    .replace(/^\./, "");
}

export function describeChange(change: ShapeChange, where: Where): string {
  const { kind, path } = change;
  const isOfAll = kind === "other-keys-added" || kind === "other-keys-removed";
  const subject = nameSubject(where, isOfAll ? path.slice(0, -1) : path);
  return capitalizeFirst(`${phrase(change, subject, where.side === "request")}.`);
}

export function capitalizeFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function phrase({ kind, from, to }: ShapeChange, subject: string, isRequest: boolean): string {
  switch (kind) {
    case "required-property-added":
      return isRequest ? `${subject} is new and required` : `${subject} is new`;
    case "optional-property-added":
      return `${subject} is new and optional`;
    case "required-property-removed":
      return isRequest ? `${subject} is ignored now` : `${subject} is gone`;
    case "optional-property-removed":
      return isRequest ? `${subject} is ignored now` : `${subject}, which was optional, is gone`;
    case "became-required":
      return isRequest ? `${subject} is required now` : `${subject} is always there now`;
    case "became-optional":
      return isRequest ? `${subject} is optional now` : `${subject} may be missing now`;
    case "became-nullable":
      return `${subject} may be null now`;
    case "became-not-nullable":
      return `${subject} may no longer be null`;
    case "list-of-types-widened":
    case "one-of-added":
    case "enum-value-added":
      return `${subject} may be \`${to}\` now, too`;
    case "list-of-types-narrowed":
    case "one-of-removed":
    case "enum-value-removed":
      return `${subject} may no longer be \`${from}\``;
    case "other-keys-added":
      return `other keys of ${subject} are new, each \`${to}\``;
    case "other-keys-removed":
      return `other keys of ${subject} are ${isRequest ? "ignored now" : "gone"}`;
    case "type-became-known":
      return isRequest
        ? `${subject} was any JSON, and is \`${to}\` now`
        : `${subject} is \`${to}\` now; the source did not say what it was`;
    case "type-became-unknown":
      return isRequest
        ? `${subject} was \`${from}\`, and is any JSON now`
        : `${subject} was \`${from}\`; the source no longer says what it is`;
    case "schema-changed":
      return from === to
        ? `${subject} is checked by \`${to}\`, whose source has changed; compare it by hand`
        : `${subject} changed from \`${from}\` to \`${to}\`; compare by hand what each takes`;
    case "component-renamed":
      return `the type of ${subject} is called \`${to}\` now, and was \`${from}\``;
    case "pattern-added":
      return `${subject} has to match \`${to}\` now`;
    case "pattern-removed":
      return `${subject} no longer has to match \`${from}\``;
    case "pattern-changed":
      return `The pattern of ${subject} changed from \`${from}\` to \`${to}\``;
    case "type-changed":
    case "type-generalized":
    case "type-specialized":
    case "const-added":
    case "const-removed":
    case "const-changed":
    case "became-enum":
      return `${subject} changed from \`${from}\` to \`${to}\``;
    default:
      return phraseLimit(subject, from, to);
  }
}

function phraseLimit(subject: string, from: string | undefined, to: string | undefined): string {
  if (from === undefined) return `${subject} is limited to ${to} now`;
  if (to === undefined) return `${subject} is no longer limited to ${from}`;
  return `the limit of ${subject} changed from ${from} to ${to}`;
}
