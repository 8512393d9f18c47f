/** How grave each kind of change of a shape is, for what a route takes and for what it answers. */

import type { Level } from "./difference.ts";

export type Side = "request" | "response";

const BOUNDS = ["min", "max", "exclusive-min", "exclusive-max"] as const;
const COUNTS = ["min-length", "max-length", "min-items", "max-items"] as const;
export type Limited = (typeof BOUNDS)[number] | (typeof COUNTS)[number];
type LimitKind = `${Limited}-${"set" | "unset" | "increased" | "decreased"}`;

type ShapeKind =
  | "required-property-added"
  | "optional-property-added"
  | "required-property-removed"
  | "optional-property-removed"
  | "became-required"
  | "became-optional"
  | "became-nullable"
  | "became-not-nullable"
  | "type-changed"
  | "type-generalized"
  | "type-specialized"
  | "list-of-types-widened"
  | "list-of-types-narrowed"
  | "one-of-added"
  | "one-of-removed"
  | "const-added"
  | "const-removed"
  | "const-changed"
  | "enum-value-added"
  | "enum-value-removed"
  | "became-enum"
  | "unique-items-set"
  | "unique-items-unset"
  | "multiple-of-set"
  | "multiple-of-unset"
  | "multiple-of-changed"
  | "pattern-added"
  | "pattern-changed"
  | "pattern-removed"
  | "other-keys-added"
  | "other-keys-removed"
  | "type-became-known"
  | "type-became-unknown"
  | "schema-changed"
  | "component-renamed";

export type Kind = LimitKind | ShapeKind;

type Levels = readonly [request: Level, response: Level];

/** A request that takes less breaks callers, and so does a response that gives more. */
const NARROWED: Levels = ["breaking", "other"];
const WIDENED: Levels = ["other", "breaking"];
const REPLACED: Levels = ["breaking", "breaking"];
/** A limit where there was none often only writes down what was true before. */
const LIMITED: Levels = ["risky", "other"];

/** As oasdiff has them: the exceptions have a reason beside them. */
const RULES: Readonly<Record<ShapeKind, Levels>> = {
  "required-property-added": NARROWED,
  "optional-property-added": ["other", "other"],
  // What a caller still sends is dropped.
  "required-property-removed": ["risky", "breaking"],
  "optional-property-removed": ["risky", "risky"],
  "became-required": NARROWED,
  "became-optional": WIDENED,
  "became-nullable": WIDENED,
  "became-not-nullable": NARROWED,
  "type-changed": REPLACED,
  "type-generalized": WIDENED,
  "type-specialized": NARROWED,
  "list-of-types-widened": WIDENED,
  "list-of-types-narrowed": NARROWED,
  "one-of-added": WIDENED,
  "one-of-removed": NARROWED,
  "const-added": NARROWED,
  "const-removed": WIDENED,
  "const-changed": REPLACED,
  // Clients are asked to expect values that they don't know.
  "enum-value-added": ["other", "risky"],
  "enum-value-removed": NARROWED,
  "became-enum": NARROWED,
  "unique-items-set": LIMITED,
  "unique-items-unset": WIDENED,
  "multiple-of-set": NARROWED,
  "multiple-of-unset": WIDENED,
  "multiple-of-changed": REPLACED,
  "pattern-added": NARROWED,
  // Nobody can say whether one expression takes what another takes. oasdiff keeps quiet about those of responses, but ours may be types.
  "pattern-changed": ["risky", "risky"],
  "pattern-removed": ["other", "risky"],
  "other-keys-added": ["other", "other"],
  "other-keys-removed": ["risky", "risky"],
  // Any JSON in a request; in a response mostly a result whose type nothing says.
  "type-became-known": ["breaking", "risky"],
  "type-became-unknown": ["other", "risky"],
  "schema-changed": ["risky", "risky"],
  // The values are the same. Only code that was generated has another name.
  "component-renamed": ["risky", "risky"],
};

export function levelOf(kind: Kind, side: Side): Level {
  return (isShapeKind(kind) ? RULES[kind] : levelsOfLimit(kind))[side === "request" ? 0 : 1];
}

function isShapeKind(kind: Kind): kind is ShapeKind {
  return Object.hasOwn(RULES, kind);
}

function levelsOfLimit(kind: LimitKind): Levels {
  if (kind.endsWith("-unset")) return WIDENED;
  // Without one it is 0, so none is never set.
  if (kind.endsWith("-set")) return kind === "min-length-set" ? NARROWED : LIMITED;
  return kind.endsWith("-increased") === kind.includes("min") ? NARROWED : WIDENED;
}
