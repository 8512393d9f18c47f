/** Makes shapes of what types are on their outside, all the way in: a type with a name becomes a reference. */

import type {
  LiteralShape,
  NumberShape,
  Property,
  ReferenceShape,
  Shape,
  StringShape,
} from "#runtime/core/wire/shape";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { misplaced } from "./constraints.ts";
import {
  type ArrayOutline,
  endless,
  type Field,
  type ObjectOutline,
  type Outline,
  type Part,
  type TupleOutline,
  type UnionOutline,
} from "./outline.ts";
import { tellApart } from "./shape-unions.ts";
import { isUndefined, withoutUndefined } from "./unions.ts";

export interface Conversion {
  readonly report: (diagnostic: Diagnostic) => void;
  /** Makes a definition of a part. */
  readonly refer: (part: Part) => ReferenceShape;
  /** The labels of the operators that the part is in. */
  readonly inside: ReadonlySet<string>;
  readonly depth: number;
}

/** Nobody writes more braces in each other, and who reads a shape may need the stack for each. */
const MOST_LEVELS = 100;

/** @returns null where something of it has been reported. */
export function toShape(part: Part, conversion: Conversion): Shape | null {
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
    case "file":
      return { kind: outline.kind };
    default: {
      const problem = explainUnshaped(outline);
      if (problem) conversion.report(problem);
      return problem ? null : { kind: "never" };
    }
  }
}

type Compound = ObjectOutline | ArrayOutline | TupleOutline | UnionOutline;

function expandInside(part: Part, outline: Compound, conversion: Conversion): Shape | null {
  const { report, refer, inside, depth } = conversion;
  if (depth > MOST_LEVELS) {
    report(endless(part, `it is nested more than ${MOST_LEVELS} levels deep`).diagnostic);
    return null;
  }
  const inner = { report, refer, inside, depth: depth + 1 };
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
      return diagnose("FW332", { type: outline.place.text }, outline.place.location);
    case "constraints": {
      const [constraint] = outline.constraints;
      return constraint && misplaced(constraint, "no type beside it").diagnostic;
    }
    case "never": {
      const { clash } = outline;
      const instead = "Remove one of the types, or make them agree";
      return (
        clash && diagnose("FW329", { type: clash.place.text, why: clash.why, instead }, clash.place.location)
      );
    }
  }
}

function toObjectShape({ fields, others, odd }: ObjectOutline, conversion: Conversion): Shape | null {
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
  const shape = toShape(items, conversion);
  return shape && { ...limits, items: shape };
}

function toTupleShape({ items, rest, ...limits }: TupleOutline, conversion: Conversion): Shape | null {
  const shapes = items.map((item) => toFieldShape(item, conversion));
  const after = rest && toShape(rest, conversion);
  const known = shapes.filter((shape) => shape !== null);
  if (known.length < shapes.length || after === null) return null;
  const required = items.filter(({ optional }) => !optional).length;
  return { ...limits, items: known, required, ...(after && { rest: after }) };
}

function toUnionShape({ of }: UnionOutline, conversion: Conversion): Shape | null {
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
