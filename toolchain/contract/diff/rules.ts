/** Every kind of change: how grave it is, and what it says. As oasdiff has them: the exceptions have a reason beside them. */

import type { Level, Where } from "./difference.ts";

/**
 * Changes of a value: the level in a request, the level in a response, the sentence, and the one for responses where it is another. `{it}`
 * is what has changed, `{from}` and `{to}` are what it was and is. A request that takes less breaks callers, and so does a response that
 * gives more.
 */
const VALUES = {
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
  renamed: ["other", "other", "{it} was called `{from}` before"],
  "default-value-added": ["risky", "risky", "{it} is {to} now if it is missing"],
  "default-value-removed": ["risky", "risky", "{it} is no longer {from} if it is missing"],
  "default-value-changed": ["risky", "risky", "The default of {it} changed from {from} to {to}"],
  "became-known": ["risky", "risky", "The source says now what {it} is; it did not before"],
  "became-unknown": ["risky", "risky", "The source no longer says what {it} is"],
} as const;

/** Changes of a route, a credential or an answer as a whole. What is in brackets is not in the id. */
const ROUTES = {
  "api-removed-without-deprecation": ["breaking", "The route is gone"],
  "api-removed-with-deprecation": ["risky", "The route is gone. It was deprecated"],
  "api-path-removed-without-deprecation": ["breaking", "The route is gone, and no other method has its path"],
  "api-path-removed-with-deprecation": [
    "risky",
    "The route is gone, and no other method has its path. It was deprecated",
  ],
  "endpoint-added": ["other", "The route is new"],
  "endpoint-added (was all)": ["other", "The route is new. An `all` handler answered it before"],
  // The contract says nothing of `all`, so the document and the client lose the operation.
  "endpoint-answered-by-all": [
    "risky",
    "An `all` handler answers the route now, so the OpenAPI document and the client no longer have it",
  ],
  "endpoint-deprecated": ["other", "The route is deprecated now"],
  "endpoint-reactivated": ["other", "The route is no longer deprecated"],
  "api-operation-id-changed": [
    "risky",
    "The operation's id changed from `{from}` to `{to}`, and so does the name of the client's function",
  ],
  "api-tag-changed": ["other", "The tag changed from {from} to {to}"],
  "request-body-removed": ["breaking", "{it} is ignored now"],
  "request-body-media-type-removed": ["breaking", "The route takes a {to} now, and no longer a {from}"],
  "api-security-added": ["breaking", "The route requires {it} now"],
  "api-security-added (optional)": ["other", "The route takes {it} now, if there is one"],
  "api-security-became-required": ["breaking", "The route requires {it} now"],
  "api-security-became-optional": ["other", "The route no longer requires {it}"],
  "api-security-removed": ["other", "The route no longer takes {it}"],
  "response-status-became-known": [
    "risky",
    "The source says now with which statuses the route answers; it did not before",
  ],
  "response-status-became-unknown": [
    "risky",
    "The source no longer says with which statuses the route answers",
  ],
  "response-success-status-added": ["other", "The route may answer {to} now{why}"],
  "response-success-status-added (known)": ["other", "The route answers {to}{why}"],
  "response-success-status-removed": ["breaking", "The route no longer answers {from}"],
  "response-success-status-removed (unknown)": ["risky", "The route no longer answers {from}"],
  "response-non-success-status-added": ["other", "The route may answer {to} now{why}"],
  "response-non-success-status-added (known)": ["other", "The route answers {to}{why}"],
  "response-non-success-status-removed": ["other", "The route no longer answers {from}"],
  "response-non-success-status-removed (unknown)": ["other", "The route no longer answers {from}"],
  "response-media-type-added": ["other", "{it} may be {to} now"],
  "response-media-type-added (first)": ["risky", "{it} may be {to} now"],
  "response-media-type-removed": ["breaking", "{it} is no longer {from}"],
  "response-header-added": ["other", "{it} has the header `{to}` now"],
  "optional-response-header-removed": ["risky", "{it} no longer has the header `{from}`"],
} as const;

type ValueKind = keyof typeof VALUES;
type RouteKind = keyof typeof ROUTES;
type Limited = "min" | "max" | "exclusive-min" | "exclusive-max" | `${"min" | "max"}-${"length" | "items"}`;
type LimitKind = `${Limited}-${"set" | "unset" | "increased" | "decreased"}`;

export type Kind = LimitKind | ValueKind | RouteKind;

/** What is to be said of one change. */
interface Said {
  readonly level: Level;
  /** Permanent. */
  readonly id: string;
  /** Undefined for a limit: its sentence depends on whether there was one, and is one. */
  readonly text?: string | undefined;
}

export function ruleOf(kind: Kind, where: Where): Said {
  if (isOf(ROUTES, kind)) {
    const [level, text] = ROUTES[kind];
    return { level, id: withoutRemark(kind), text };
  }
  const [request, response, text, ofResponse = text]: Rule = isOf(VALUES, kind)
    ? VALUES[kind]
    : limitRuleOf(kind);
  const id = idOf(kind, where);
  return where.side === "request" ? { level: request, id, text } : { level: response, id, text: ofResponse };
}

type Rule = readonly [request: Level, response: Level, text?: string, ofResponse?: string];

const NARROWED: Rule = ["breaking", "other"];
const WIDENED: Rule = ["other", "breaking"];

function limitRuleOf(kind: LimitKind): Rule {
  if (kind.endsWith("-unset")) return WIDENED;
  // Without one it is 0, so none is never set.
  if (kind.endsWith("-set")) return kind === "min-length-set" ? NARROWED : VALUES["unique-items-set"];
  return kind.endsWith("-increased") === kind.includes("min") ? NARROWED : WIDENED;
}

function isOf<Key extends string>(rules: Readonly<Record<Key, unknown>>, kind: string): kind is Key {
  return Object.hasOwn(rules, kind);
}

function withoutRemark(kind: string): string {
  return kind.replace(/ \(.*/, "");
}

/** @example idOf("became-optional", { side: "response", status: 200, pointer: "/name" }) // "response-property-became-optional" */
function idOf(kind: ValueKind | LimitKind, { side, in: place, pointer }: Where): string {
  if (kind === "component-renamed") return kind;
  const isInside = pointer !== "";
  const name = withoutRemark(kind);
  const [, need, how] = /^(required|optional)-property-(added|removed)$/.exec(name) ?? [];
  if (side === "response")
    return need === undefined ? `response-${isInside ? "property" : "body"}-${name}` : `response-${name}`;
  const isBody = place === "body" || place === "form";
  const what = !isBody ? `parameter${isInside ? "-property" : ""}` : isInside ? "property" : "body";
  // Less is less.
  if (need === undefined || what === "parameter-property")
    return `request-${what}-${name === "type-specialized" ? "type-changed" : name}`;
  if (how === "removed") return `request-${what}-removed`;
  return what === "body" ? `request-body-added-${need}` : `new-${need}-request-${what}`;
}
