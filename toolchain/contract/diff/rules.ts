/**
 * Every kind of change: how grave it is, and what it says. Ids and levels are oasdiff's where it has such a rule: the exceptions have a
 * reason beside them. A request that takes less breaks callers, and so does a response that gives more.
 */

import type { Location, RouteMethod } from "#runtime/routing/route";

/** Whether callers break, may break, or need not care. */
export const LEVELS = ["breaking", "risky", "other"] as const;
export type Level = (typeof LEVELS)[number];

export interface Difference {
  readonly level: Level;
  /** Permanent, as in `request-parameter-became-required`. */
  readonly id: string;
  readonly method: RouteMethod;
  /** As it is now; as it was, for a route that is gone. */
  readonly pattern: string;
  readonly where: Where;
  readonly message: string;
  /** Where it was and where it is; undefined where there is nothing of it. */
  readonly before?: Location | undefined;
  readonly after?: Location | undefined;
  /** If the change is inside a type with a name: routes that share the type share the difference. The pointer is that in the type. */
  readonly type?: { readonly name: string; readonly pointer: string } | undefined;
}

export interface Where {
  readonly side: "route" | "request" | "response";
  /** What of the request. */
  readonly in?: "path" | "query" | "header" | "cookie" | "body" | "form" | "credentials";
  /** Of a parameter or a header. */
  readonly name?: string;
  readonly status?: number | "default";
  readonly media?: string;
  /** A JSON pointer in which `*` is any item or any key; "" for the whole. */
  readonly pointer: string;
}

/** `{it}` is what has changed, `{from}` and `{to}` are what it was and is. The last text is that of a response. */
type Rule = readonly [request: Level, response: Level, text: string, ofResponse?: string];

/** Changes of a value. */
const VALUES = {
  "required-property-added": ["breaking", "other", "{it} is new and required", "{it} is new"],
  "optional-property-added": ["other", "other", "{it} is new and optional"],
  // What a caller still sends is dropped.
  "required-property-removed": ["risky", "breaking", "{it} is ignored now", "{it} is gone"],
  "optional-property-removed": ["risky", "risky", "{it} is ignored now", "{it}, which was optional, is gone"],
  "other-keys-added": ["other", "other", "other keys of {it} are new, each `{to}`"],
  "other-keys-removed": [
    "risky",
    "risky",
    "other keys of {it} are ignored now",
    "other keys of {it} are gone",
  ],
  "became-required": ["breaking", "other", "{it} is required now", "{it} is always there now"],
  "became-optional": ["other", "breaking", "{it} is optional now", "{it} may be missing now"],
  "became-nullable": ["other", "breaking", "{it} may be null now"],
  "became-not-nullable": ["breaking", "other", "{it} may no longer be null"],
  "type-changed": ["breaking", "breaking", "{it} changed from `{from}` to `{to}`"],
  "type-generalized": ["other", "breaking", "{it} changed from `{from}` to `{to}`"],
  "type-specialized": ["breaking", "other", "{it} changed from `{from}` to `{to}`"],
  "became-enum": ["breaking", "other", "{it} changed from `{from}` to `{to}`"],
  "list-of-types-widened": ["other", "breaking", "{it} may be `{to}` now, too"],
  "list-of-types-narrowed": ["breaking", "other", "{it} may no longer be `{from}`"],
  "one-of-added": ["other", "breaking", "{it} may be `{to}` now, too"],
  "one-of-removed": ["breaking", "other", "{it} may no longer be `{from}`"],
  // Clients are asked to expect values that they don't know.
  "enum-value-added": ["other", "risky", "{it} may be `{to}` now, too"],
  "enum-value-removed": ["breaking", "other", "{it} may no longer be `{from}`"],
  // A limit where there was none often only writes down what was true before.
  "limit-set": ["risky", "other", "{it} is limited to {to} now"],
  "limit-unset": ["other", "breaking", "{it} is no longer limited to {from}"],
  "limit-narrowed": ["breaking", "other", "the limit of {it} changed from {from} to {to}"],
  "limit-widened": ["other", "breaking", "the limit of {it} changed from {from} to {to}"],
  "limit-changed": ["breaking", "breaking", "the limit of {it} changed from {from} to {to}"],
  "pattern-added": ["breaking", "other", "{it} has to match `{to}` now"],
  // Nobody can say whether one expression takes what another takes. oasdiff keeps quiet about those of responses, but ours may be types.
  "pattern-changed": ["risky", "risky", "the pattern of {it} changed from `{from}` to `{to}`"],
  "pattern-removed": ["other", "risky", "{it} no longer has to match `{from}`"],
  // Any JSON in a request; in a response mostly a result whose type nothing says.
  "type-became-known": [
    "breaking",
    "risky",
    "{it} was any JSON, and is `{to}` now",
    "{it} is `{to}` now; the source did not say what it was",
  ],
  "type-became-unknown": [
    "other",
    "risky",
    "{it} was `{from}`, and is any JSON now",
    "{it} was `{from}`; the source no longer says what it is",
  ],
  "schema-changed": ["risky", "risky", "{it} is checked by `{to}`, which has changed; compare it by hand"],
  renamed: ["other", "other", "{it} was called `{from}` before"],
  // Every request is still answered, so no default breaks.
  "default-value-added": ["risky", "risky", "{it} is {to} now if it is missing"],
  "default-value-removed": ["risky", "risky", "{it} is no longer {from} if it is missing"],
  "default-value-changed": ["risky", "risky", "the default of {it} changed from {from} to {to}"],
} as const;

/** Changes of a route, a credential or an answer as a whole. What is in brackets is not in the id. */
const WHOLES = {
  "api-removed-without-deprecation": ["breaking", "the route is gone"],
  "api-removed-with-deprecation": ["risky", "the route is gone. It was deprecated"],
  "api-path-removed-without-deprecation": ["breaking", "the route is gone, and no other method has its path"],
  "api-path-removed-with-deprecation": [
    "risky",
    "the deprecated route is gone, and no other method has its path",
  ],
  "endpoint-added": ["other", "the route is new"],
  "endpoint-added (was all)": ["other", "the route is new. An `all` handler answered it before"],
  // The contract says nothing of `all`, so the document and the client lose the operation.
  "endpoint-answered-by-all": [
    "risky",
    "an `all` handler answers now, which OpenAPI and the client leave out",
  ],
  "endpoint-deprecated": ["other", "the route is deprecated now"],
  "endpoint-reactivated": ["other", "the route is no longer deprecated"],
  "api-operation-id-changed": [
    "risky",
    "the operation's id, and the client's function, changed from `{from}` to `{to}`",
  ],
  "api-tag-changed": ["other", "the tag changed from {from} to {to}"],
  "request-body-removed": ["breaking", "{it} is ignored now"],
  "request-body-media-type-removed": ["breaking", "the route takes a {to} now, and no longer a {from}"],
  // oasdiff has `other`, because an operation may have alternatives. All credentials of a route are required.
  "api-security-added": ["breaking", "the route requires {it} now"],
  "api-security-added (optional)": ["other", "the route takes {it} now, if there is one"],
  "api-security-became-required": ["breaking", "the route requires {it} now"],
  "api-security-became-optional": ["other", "the route no longer requires {it}"],
  "api-security-removed": ["other", "the route no longer takes {it}"],
  "response-status-became-known": [
    "risky",
    "the source says now which statuses the route answers; it did not before",
  ],
  "response-status-became-unknown": ["risky", "the source no longer says which statuses the route answers"],
  "response-success-status-added": ["other", "the route may answer {to} now"],
  "response-success-status-removed": ["breaking", "the route no longer answers {from}"],
  "response-success-status-removed (unknown)": ["risky", "the route no longer answers {from}"],
  "response-non-success-status-added": ["other", "the route may answer {to} now"],
  "response-non-success-status-removed": ["other", "the route no longer answers {from}"],
  "response-media-type-added": ["other", "{it} may be {to} now"],
  "response-media-type-removed": ["breaking", "{it} is no longer {from}"],
  "response-header-added": ["other", "{it} has the header `{to}` now"],
  "optional-response-header-removed": ["risky", "{it} no longer has the header `{from}`"],
  // The values are the same. Only code that was generated has another name.
  "component-renamed": ["risky", "the type of {it} is called `{to}` now, and was `{from}`"],
} as const;

type ValueKind = keyof typeof VALUES;
export type Kind = ValueKind | keyof typeof WHOLES;

/** @param name what the id says in place of the kind, as in "max-length-set" for "limit-set". */
export function ruleOf(
  kind: Kind,
  where: Where,
  name: string = kind,
): { level: Level; id: string; text: string } {
  if (!isOfValue(kind)) {
    const [level, text] = WHOLES[kind];
    return { level, id: kind.replace(/ \(.*/, ""), text };
  }
  const [request, response, text, ofResponse = text]: Rule = VALUES[kind];
  const id = idOf(name, where);
  return where.side === "request" ? { level: request, id, text } : { level: response, id, text: ofResponse };
}

function isOfValue(kind: Kind): kind is ValueKind {
  return Object.hasOwn(VALUES, kind);
}

/** @example idOf("became-optional", { side: "response", status: 200, pointer: "/name" }) // "response-property-became-optional" */
function idOf(name: string, { side, in: place, pointer }: Where): string {
  const isInside = pointer !== "";
  const [, need, how] = /^(required|optional)-property-(added|removed)$/.exec(name) ?? [];
  if (side === "response") return `response-${need ? "" : isInside ? "property-" : "body-"}${name}`;
  const isBody = place === "body" || place === "form";
  const what = !isBody ? `parameter${isInside ? "-property" : ""}` : isInside ? "property" : "body";
  // oasdiff has no other id for a request that takes a part of what it took.
  if (!need || what === "parameter-property")
    return `request-${what}-${name === "type-specialized" ? "type-changed" : name}`;
  if (how === "removed") return `request-${what}-removed`;
  return what === "body" ? `request-body-added-${need}` : `new-${need}-request-${what}`;
}
