/** Makes shapes of what types are on their outside, all the way in: a type with a name becomes a reference. */

import type {
  LiteralShape,
  NumberShape,
  Property,
  ReferenceShape,
  Shape,
  StringShape,
} from "#runtime/wire/shape";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { misplaced } from "./constraints.ts";
import {
  type ArrayOutline,
  diagnoseClash,
  endless,
  type Field,
  type ObjectOutline,
  type Outline,
  type Part,
  type TupleOutline,
  type TypePlace,
  toPart,
  UNKNOWN,
  type UnionOutline,
  withoutSent,
} from "./outline.ts";
import { placed } from "./places.ts";
import { namedIn, settle, settledMembers } from "./sent.ts";
import { returnPart } from "./sent-operators.ts";
import { tellApart } from "./shape-unions.ts";
import { isUndefined, unionPart, withoutUndefined } from "./unions.ts";
import { uniteShapes } from "./unite-shapes.ts";

export interface Conversion {
  /** The shape is of what a result has in JSON: what it can't have is left out, and what is not known is `unknown`. */
  readonly isSent: boolean;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Of a result what is not known. */
  readonly note?: (place: TypePlace) => void;
  /** Makes a definition of a part. */
  readonly refer: (part: Part) => ReferenceShape;
  /** The labels of the operators that the part is in. */
  readonly inside: ReadonlySet<string>;
  readonly depth: number;
}

/** Nobody writes more braces in each other, and who reads a shape may need the stack for each. */
const MOST_LEVELS = 100;

/** @returns null where something of it has been reported, which no result has. */
export function toShape(written: Part, conversion: Conversion): Shape | null {
  const part = conversion.isSent ? settle(written) : written;
  const outline = part.outline();
  if (!isDefinable(outline) || part.role === undefined) return expand(part, outline, conversion);
  if (part.role === "named") return conversion.refer(part);
  const label = part.label();
  if (conversion.inside.has(label)) return conversion.refer(part);
  return expand(part, outline, { ...conversion, inside: new Set(conversion.inside).add(label) });
}

/** Scalars are written where they are used. */
function isDefinable({ kind }: Outline): boolean {
  return kind === "object" || kind === "array" || kind === "tuple" || kind === "union";
}

/** The shape of a part that has a name, which is not a reference. */
export function toDefinition(part: Part, conversion: Conversion): Shape | null {
  const inside = part.role === "operator" ? new Set([part.label()]) : conversion.inside;
  return expand(part, part.outline(), { ...conversion, inside });
}

function expand(part: Part, outline: Outline, conversion: Conversion): Shape | null {
  switch (outline.kind) {
    case "object":
    case "array":
    case "tuple":
    case "union":
      return expandInside(part, outline, conversion);
    case "literal":
      return toLiteralShape(outline);
    case "number":
    case "string":
      return copyLimits(outline);
    case "unknown":
    case "null":
    case "date":
      return { kind: outline.kind };
    case "file":
      return conversion.isSent ? { kind: "object", properties: [] } : { kind: "file" };
    default: {
      if (conversion.isSent) return toSentShape(part, outline, conversion);
      const problem = explainUnshaped(outline);
      if (problem) conversion.report(problem);
      return problem ? null : { kind: "never" };
    }
  }
}

type Compound = ObjectOutline | ArrayOutline | TupleOutline | UnionOutline;

function expandInside(part: Part, outline: Compound, conversion: Conversion): Shape | null {
  const { report, depth, isSent } = conversion;
  if (depth > MOST_LEVELS) {
    report(endless(part, `it is nested more than ${MOST_LEVELS} levels deep`).diagnostic);
    return isSent ? { kind: "unknown" } : null;
  }
  const inner = { ...conversion, depth: depth + 1 };
  switch (outline.kind) {
    case "object":
      return toObjectShape(outline, inner);
    case "array":
      return toArrayShape(outline, inner);
    case "tuple":
      return toTupleShape(outline, inner);
    case "union":
      return toUnionShape(outline, inner);
  }
}

/** No object is in two shapes. */
function copyLimits<Scalar extends NumberShape | StringShape>(scalar: Scalar): Scalar {
  const copy: Record<string, unknown> = { ...scalar };
  for (const key in copy) if (Array.isArray(copy[key])) copy[key] = [...copy[key]];
  return copy as unknown as Scalar; // each list is a list of the same
}

type Unshaped = Extract<Outline, { readonly kind: "refused" | "undefined" | "constraints" | "never" }>;

function explainUnshaped(outline: Unshaped): Diagnostic | undefined {
  switch (outline.kind) {
    case "refused":
      return outline.diagnostic;
    case "undefined":
      return diagnose(
        "FW323",
        {
          what: "undefined: JSON has none",
          instead: "`?` after the name of the member, or `null` as its type",
        },
        outline.place.location,
      );
    case "constraints": {
      const [constraint] = outline.constraints;
      return constraint && misplaced(constraint, "no type beside it").diagnostic;
    }
    case "never": {
      return outline.clash && diagnoseClash(outline.clash);
    }
  }
}

/** What `JSON.stringify` makes of what no request can carry. */
function toSentShape(part: Part, outline: Unshaped, { note }: Conversion): Shape {
  if (outline.kind === "never") return { kind: "never" };
  // Where nothing else can be: an item of an array.
  if (isLeftOut(part)) return { kind: "null" };
  const name = namedIn(part)?.name;
  if (EMPTY_IN_JSON.has(name ?? "")) return { kind: "object", properties: [] };
  if (name === "URL") return { kind: "string" };
  note?.(part);
  return { kind: "unknown" };
}

const EMPTY_IN_JSON: ReadonlySet<string> = new Set([
  "Map",
  "ReadonlyMap",
  "Set",
  "ReadonlySet",
  "WeakMap",
  "WeakSet",
  "RegExp",
]);

/** JSON has no functions, symbols and undefined: a property that has one is left out. */
function isLeftOut(part: Part): boolean {
  const outline = part.outline();
  if (outline.kind === "undefined") return true;
  return (
    outline.kind === "refused" &&
    (outline.sent?.kind === "function" || LEFT_OUT.has(namedIn(part)?.name ?? ""))
  );
}

const LEFT_OUT: ReadonlySet<string> = new Set(["symbol", "Function"]);

/** A field without what is left out. @returns undefined where nothing is left. */
function toSentField({ part, optional }: Field): Field | undefined {
  const members = settledMembers(part);
  const kept = members.filter((member) => !isLeftOut(member));
  if (kept.length === members.length) return { part, optional };
  return kept.length === 0 ? undefined : { part: unionPart(part, kept), optional: true };
}

/** In an array what is left out of an object is null. */
function toSentItem(field: Field, conversion: Conversion): Shape | null {
  const kept = toSentField({ ...field, optional: false });
  const shape = kept ? toShape(kept.part, conversion) : undefined;
  if (kept && !kept.optional) return shape ?? null;
  return uniteShapes([...(shape ? [shape] : []), { kind: "null" }]);
}

function toSentObject(outline: ObjectOutline, conversion: Conversion): Shape {
  const { fields, others, json = returnedByJson(fields.get("toJSON")) } = outline;
  if (json) return toShape(json, conversion) ?? { kind: "unknown" };
  const properties: Property[] = [];
  for (const [name, field] of fields) {
    const kept = toSentField(field);
    const shape = kept && toShape(kept.part, conversion);
    const isNever = kept?.optional === true && shape?.kind === "never";
    if (!shape || isNever) continue;
    // What may be anything may be undefined.
    const optional = kept.optional || shape.kind === "unknown";
    properties.push(placed({ name, shape, optional }, field.part.location));
  }
  const rest = others && toSentField({ part: others, optional: true });
  const after = rest && toShape(rest.part, conversion);
  return after ? { kind: "object", properties, others: after } : { kind: "object", properties };
}

/** @returns undefined for a property that is not a method. */
function returnedByJson(field: Field | undefined): Part | undefined {
  if (field === undefined) return undefined;
  const method = settle(field.part);
  const outline = method.outline();
  if (outline.kind !== "refused" && outline.kind !== "unknown" && outline.kind !== "union") return undefined;
  const unknown = outline.kind === "refused" ? withoutSent(outline) : UNKNOWN;
  return returnPart(method) ?? toPart(method, "toJSON", unknown);
}

function toObjectShape(outline: ObjectOutline, conversion: Conversion): Shape | null {
  if (conversion.isSent) return toSentObject(outline, conversion);
  const { fields, others, odd } = outline;
  odd.forEach(conversion.report);
  const properties: Property[] = [];
  for (const [name, field] of fields) {
    const shape = toFieldShape(field, conversion);
    if (shape) properties.push({ name, shape, optional: field.optional });
  }
  const rest = others && toShape(withoutUndefined(others), conversion);
  if (odd.length > 0 || properties.length < fields.size || rest === null) return null;
  return rest ? { kind: "object", properties, others: rest } : { kind: "object", properties };
}

function toFieldShape({ part, optional }: Field, conversion: Conversion): Shape | null {
  return toShape(optional ? withoutUndefined(part) : part, conversion);
}

function toArrayShape({ items, ...limits }: ArrayOutline, conversion: Conversion): Shape | null {
  const shape = conversion.isSent
    ? toSentItem({ part: items, optional: false }, conversion)
    : toShape(items, conversion);
  return shape && { ...limits, items: shape };
}

function toTupleShape({ items, rest, ...limits }: TupleOutline, conversion: Conversion): Shape | null {
  const toItem = conversion.isSent ? toSentItem : toFieldShape;
  const shapes = items.map((item) => toItem(item, conversion));
  const after = rest && toItem({ part: rest, optional: false }, conversion);
  const known = shapes.filter((shape) => shape !== null);
  if (known.length < shapes.length || after === null) return null;
  const required = items.filter(({ optional }) => !optional).length;
  return { ...limits, items: known, required, ...(after && { rest: after }) };
}

function toUnionShape({ of }: UnionOutline, conversion: Conversion): Shape | null {
  if (conversion.isSent) return toSentUnion(of, conversion);
  const told = tellApart(of.filter((member) => !isUndefined(member)));
  for (const missing of of.filter(isUndefined)) toShape(missing, conversion);
  if ("code" in told) {
    conversion.report(told);
    return null;
  }
  const shapes = told.members.map((member) => toShape(member, conversion));
  const known = shapes.filter((shape) => shape !== null);
  if (known.length < shapes.length || of.some(isUndefined)) return null;
  return joinShapes(known, told.tag);
}

/** Nothing need tell the members apart. */
function toSentUnion(of: readonly Part[], conversion: Conversion): Shape {
  const [first] = of;
  if (first === undefined) return { kind: "never" };
  const united = unionPart(first, of.flatMap(settledMembers));
  const outline = united.outline();
  if (outline.kind !== "union") return toShape(united, conversion) ?? { kind: "unknown" };
  const toShapes = (parts: readonly Part[]): Shape[] =>
    parts.map((part) => toShape(part, conversion)).filter((shape) => shape !== null);
  const isPlain = outline.of.every(
    (member) => !["refused", "undefined", "union"].includes(member.outline().kind),
  );
  const told = isPlain ? tellApart(outline.of) : undefined;
  return told && "members" in told
    ? joinShapes(toShapes(told.members), told.tag)
    : uniteShapes(toShapes(outline.of));
}

function joinShapes(shapes: readonly Shape[], tag: string | undefined): Shape {
  const of = shapes.flatMap((shape) =>
    shape.kind === "union" && shape.tag === undefined && isScalarUnion(shape.of) ? shape.of : [shape],
  );
  const [only, second] = of;
  if (only && second === undefined) return only;
  return { kind: "union", of, ...(tag !== undefined && { tag }) };
}

/** What {@link toLiteralShape} makes of literals beside `boolean`. */
function isScalarUnion(of: readonly Shape[]): boolean {
  return of.length === 2 && of[0]?.kind === "literal" && of[1]?.kind === "boolean";
}

/** `true | false` is `boolean`. */
function toLiteralShape({ values }: LiteralShape): Shape {
  const rest = values.filter((value) => typeof value !== "boolean");
  if (values.length - rest.length < 2) return { kind: "literal", values: [...values] };
  if (rest.length === 0) return { kind: "boolean" };
  return { kind: "union", of: [{ kind: "literal", values: rest }, { kind: "boolean" }] };
}
