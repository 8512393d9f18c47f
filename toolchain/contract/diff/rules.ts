/** Every kind of change: how grave it is, and what it says. As oasdiff has them: the exceptions have a reason beside them. */

import type { Level } from "./difference.ts";

export type Side = "request" | "response";

/**
 * Changes of a shape: the level in a request, the level in a response, the sentence, and the one for responses where it is another. `{it}`
 * is what has changed, `{from}` and `{to}` are what it was and is. A request that takes less breaks callers, and so does a response that
 * gives more.
 */
const SHAPES = {
  "required-property-added": ["breaking", "other", "{it} is new and required", "{it} is new"],
  "optional-property-added": ["other", "other", "{it} is new and optional"],
  // What a caller still sends is dropped.
  "required-property-removed": ["risky", "breaking", "{it} is ignored now", "{it} is gone"],
  "optional-property-removed": ["risky", "risky", "{it} is ignored now", "{it}, which was optional, is gone"],
  "became-required": ["breaking", "other", "{it} is required now", "{it} is always there now"],
  "became-optional": ["other", "breaking", "{it} is optional now", "{it} may be missing now"],
  "became-nullable": ["other", "breaking", "{it} may be null now"],
  "became-not-nullable": ["breaking", "other", "{it} may no longer be null"],
  "type-changed": ["breaking", "breaking", "{it} changed from `{from}` to `{to}`"],
  "type-generalized": ["other", "breaking", "{it} changed from `{from}` to `{to}`"],
  "type-specialized": ["breaking", "other", "{it} changed from `{from}` to `{to}`"],
  "list-of-types-widened": ["other", "breaking", "{it} may be `{to}` now, too"],
  "list-of-types-narrowed": ["breaking", "other", "{it} may no longer be `{from}`"],
  "one-of-added": ["other", "breaking", "{it} may be `{to}` now, too"],
  "one-of-removed": ["breaking", "other", "{it} may no longer be `{from}`"],
  "const-added": ["breaking", "other", "{it} changed from `{from}` to `{to}`"],
  "const-removed": ["other", "breaking", "{it} changed from `{from}` to `{to}`"],
  "const-changed": ["breaking", "breaking", "{it} changed from `{from}` to `{to}`"],
  // Clients are asked to expect values that they don't know.
  "enum-value-added": ["other", "risky", "{it} may be `{to}` now, too"],
  "enum-value-removed": ["breaking", "other", "{it} may no longer be `{from}`"],
  "became-enum": ["breaking", "other", "{it} changed from `{from}` to `{to}`"],
  // A limit where there was none often only writes down what was true before.
  "unique-items-set": ["risky", "other"],
  "unique-items-unset": ["other", "breaking"],
  "multiple-of-set": ["breaking", "other"],
  "multiple-of-unset": ["other", "breaking"],
  "multiple-of-changed": ["breaking", "breaking"],
  "pattern-added": ["breaking", "other", "{it} has to match `{to}` now"],
  // Nobody can say whether one expression takes what another takes. oasdiff keeps quiet about those of responses, but ours may be types.
  "pattern-changed": ["risky", "risky", "The pattern of {it} changed from `{from}` to `{to}`"],
  "pattern-removed": ["other", "risky", "{it} no longer has to match `{from}`"],
  "other-keys-added": ["other", "other", "other keys of {it} are new, each `{to}`"],
  "other-keys-removed": [
    "risky",
    "risky",
    "other keys of {it} are ignored now",
    "other keys of {it} are gone",
  ],
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
  "schema-changed": [
    "risky",
    "risky",
    "{it} changed from `{from}` to `{to}`; compare by hand what each takes",
  ],
  "schema-changed (source)": [
    "risky",
    "risky",
    "{it} is checked by `{to}`, whose source has changed; compare it by hand",
  ],
  // The values are the same. Only code that was generated has another name.
  "component-renamed": ["risky", "risky", "the type of {it} is called `{to}` now, and was `{from}`"],
} as const;

type ShapeKind = keyof typeof SHAPES;

type Limited = "min" | "max" | "exclusive-min" | "exclusive-max" | `${"min" | "max"}-${"length" | "items"}`;
type LimitKind = `${Limited}-${"set" | "unset" | "increased" | "decreased"}`;

export type Kind = LimitKind | ShapeKind;

type Rule = readonly [request: Level, response: Level, text?: string, ofResponse?: string];

const NARROWED: Rule = ["breaking", "other"];
const WIDENED: Rule = ["other", "breaking"];

export function levelOf(kind: Kind, side: Side): Level {
  return ruleOf(kind)[side === "request" ? 0 : 1];
}

/** @returns undefined for a limit: its sentence depends on whether there was one, and is one. */
export function textOf(kind: Kind, side: Side): string | undefined {
  const [, , text, ofResponse = text] = ruleOf(kind);
  return side === "request" ? text : ofResponse;
}

function ruleOf(kind: Kind): Rule {
  if (isShapeKind(kind)) return SHAPES[kind];
  if (kind.endsWith("-unset")) return WIDENED;
  // Without one it is 0, so none is never set.
  if (kind.endsWith("-set")) return kind === "min-length-set" ? NARROWED : SHAPES["unique-items-set"];
  return kind.endsWith("-increased") === kind.includes("min") ? NARROWED : WIDENED;
}

function isShapeKind(kind: Kind): kind is ShapeKind {
  return Object.hasOwn(SHAPES, kind);
}

/** Changes of a route, of a parameter, a credential or an answer as a whole. What is in brackets is not in the id. */
export const ROUTES = {
  "api-removed-without-deprecation": ["breaking", "The route is gone."],
  "api-removed-with-deprecation": ["risky", "The route is gone. It was deprecated."],
  "api-path-removed-without-deprecation": [
    "breaking",
    "The route is gone, and no other method has its path.",
  ],
  "api-path-removed-with-deprecation": [
    "risky",
    "The route is gone, and no other method has its path. It was deprecated.",
  ],
  "endpoint-added": ["other", "The route is new."],
  "endpoint-added (was all)": ["other", "The route is new. An `all` handler answered it before."],
  // The contract says nothing of `all`, so the document and the client lose the operation.
  "endpoint-answered-by-all": [
    "risky",
    "An `all` handler answers the route now, so the OpenAPI document and the client no longer have it.",
  ],
  "endpoint-deprecated": ["other", "The route is deprecated now."],
  "endpoint-reactivated": ["other", "The route is no longer deprecated."],
  "api-operation-id-changed": [
    "risky",
    "The operation's id changed from `{from}` to `{to}`, and so does the name of the client's function.",
  ],
  "api-tag-changed": ["other", "The tag changed from {from} to {to}."],
  "request-body-became-required": ["breaking", "{it} is required now."],
  "request-body-became-optional": ["other", "{it} is optional now."],
  "request-body-default-value-added": ["risky", "{it} is {to} now if it is missing."],
  "request-body-default-value-removed": ["risky", "{it} is no longer {from} if it is missing."],
  "request-body-default-value-changed": ["risky", "The default of {it} changed from {from} to {to}."],
  "request-body-added-required": ["breaking", "{it} is new and required."],
  "request-body-added-optional": ["other", "{it} is new and optional."],
  "request-body-removed": ["breaking", "{it} is ignored now."],
  "request-body-media-type-removed": ["breaking", "The route takes a {to} now, and no longer a {from}."],
  "request-parameter-became-required": ["breaking", "{it} is required now."],
  "request-parameter-became-optional": ["other", "{it} is optional now."],
  "request-parameter-renamed": ["other", "{it} was called `{from}` before."],
  "request-parameter-default-value-added": ["risky", "{it} is {to} now if it is missing."],
  "request-parameter-default-value-removed": ["risky", "{it} is no longer {from} if it is missing."],
  "request-parameter-default-value-changed": ["risky", "The default of {it} changed from {from} to {to}."],
  "new-required-request-parameter": ["breaking", "{it} is new and required."],
  "new-optional-request-parameter": ["other", "{it} is new and optional."],
  "request-parameter-removed": ["risky", "{it} is ignored now."],
  "api-security-added": ["breaking", "The route requires {it} now."],
  "api-security-added (optional)": ["other", "The route takes {it} now, if there is one."],
  "api-security-became-required": ["breaking", "The route requires {it} now."],
  "api-security-became-optional": ["other", "The route no longer requires {it}."],
  "api-security-removed": ["other", "The route no longer takes {it}."],
  "response-status-became-known": [
    "risky",
    "The source says now with which statuses the route answers; it did not before.",
  ],
  "response-status-became-unknown": [
    "risky",
    "The source no longer says with which statuses the route answers.",
  ],
  "response-success-status-added": ["other", "The route may answer {to} now{why}."],
  "response-success-status-added (known)": ["other", "The route answers {to}{why}."],
  "response-success-status-removed": ["breaking", "The route no longer answers {from}."],
  "response-success-status-removed (unknown)": ["risky", "The route no longer answers {from}."],
  "response-non-success-status-added": ["other", "The route may answer {to} now{why}."],
  "response-non-success-status-added (known)": ["other", "The route answers {to}{why}."],
  "response-non-success-status-removed": ["other", "The route no longer answers {from}."],
  "response-non-success-status-removed (unknown)": ["other", "The route no longer answers {from}."],
  "response-media-type-added": ["other", "{it} may be {to} now."],
  "response-media-type-added (first)": ["risky", "{it} may be {to} now."],
  "response-media-type-removed": ["breaking", "{it} is no longer {from}."],
  "response-body-became-known": ["risky", "The source says now what {it} is; it did not before."],
  "response-body-became-unknown": ["risky", "The source no longer says what {it} is."],
  "response-header-added": ["other", "{it} has the header `{to}` now."],
  "optional-response-header-removed": ["risky", "{it} no longer has the header `{from}`."],
} as const;

export type RouteKind = keyof typeof ROUTES;
