/**
 * Converts types to shapes. Named types become references to definitions. In requests an unsupported type is an error; in results the
 * shape is that of the JSON: `JSON.stringify` omits functions, calls `toJSON`, and so on.
 */

import type { LiteralShape, Property, Shape } from "#runtime/wire/shape";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { misplaced } from "./constraints.ts";
import { discriminate } from "./discriminate.ts";
import { placed } from "./places.ts";
import { awaited, namedIn, returnOf } from "./results.ts";
import {
  type ArrayType,
  diagnoseClash,
  endless,
  isCompound,
  isPlain,
  isUndefined,
  type Kind,
  labelOf,
  look,
  membersOf,
  type ObjectType,
  type ResolvedType,
  readNow,
  type TupleEntry,
  type TupleType,
  type Type,
  type TypePlace,
  type UnionType,
} from "./type.ts";
import { uniteAt, withoutUndefined } from "./unions.ts";
import { uniteShapes } from "./unite-shapes.ts";

/** The context of one conversion. */
export interface Conversion {
  /** True for results. */
  readonly isResult: boolean;
  /** Reports an error. @param at the use of the type. */
  readonly report: (diagnostic: Diagnostic, at?: TypePlace) => void;
  /** Records a type in a result that is unknown. */
  readonly reportUnknown: (place: TypePlace) => void;
  /** Schedules the definition of a type. @param at the use of the type. @returns the name of the definition. */
  readonly refer: (name: string, type: Type, at: TypePlace) => string;
  /** The labels of the enclosing operators, to detect types that contain themselves without a name. */
  readonly enclosing: ReadonlySet<string>;
  /** The number of enclosing types. */
  readonly depth: number;
}

/** The deepest nesting of a shape, beyond any real type: each level needs stack space in every walk over the shape. */
const MOST_LEVELS = 100;

/** @returns null if an error was reported; never null for results. */
export function toShape(written: Type, conversion: Conversion): Shape | null {
  const type = readNow(written);
  const found = look(type);
  if (!isCompound(found)) return toScalar(found, type.at, conversion);
  if (type.kind === "reference") {
    const { name, location } = type.to;
    return referTo(name, { ...found, at: { ...found.at, location } }, type.at, conversion);
  }
  if (!type.at.isOperator) return toDefinition(found, conversion);
  const label = labelOf(type);
  if (conversion.enclosing.has(label)) return referTo(label, found, type.at, conversion);
  return toDefinition(found, { ...conversion, enclosing: new Set(conversion.enclosing).add(label) });
}

function referTo(name: string, type: Type, at: TypePlace, { refer }: Conversion): Shape {
  return { kind: "reference", name: refer(name, type, at) };
}

/** The structure of a type, even if it has a name. */
export function toDefinition(type: ResolvedType, conversion: Conversion): Shape | null {
  const { report, depth, isResult } = conversion;
  if (depth > MOST_LEVELS) {
    report(endless(type.at, `it is nested more than ${MOST_LEVELS} levels deep`).diagnostic);
    return isResult ? { kind: "unknown" } : null;
  }
  const inner = { ...conversion, depth: depth + 1 };
  switch (type.kind) {
    case "object":
      return isResult ? toResultObject(type, inner) : toObject(type, inner);
    case "array":
      return toArray(type, inner);
    case "tuple":
      return toTuple(type, inner);
    case "union":
      return isResult ? toResultUnion(type, inner) : toUnion(type, inner);
    default:
      return toScalar(type, type.at, conversion);
  }
}

function toScalar(type: ResolvedType, at: TypePlace, conversion: Conversion): Shape | null {
  switch (type.kind) {
    case "literal":
      return toLiteral(type);
    case "schema": {
      const { at: _, ...schema } = type;
      return schema;
    }
    case "number":
    case "string": {
      const { at: _, ...limits } = type;
      // A copy, because shapes must not share objects.
      return isPlain(type) ? limits : structuredClone(limits);
    }
    case "unknown":
    case "null":
    case "date":
      return { kind: type.kind };
    case "file":
      return conversion.isResult ? { kind: "object", properties: [] } : { kind: "file" };
    default: {
      if (conversion.isResult) return toResultScalar(type, at, conversion);
      const problem = explainUnshaped(type);
      if (problem) conversion.report(problem, at);
      return problem ? null : { kind: "never" };
    }
  }
}

function explainUnshaped(type: ResolvedType): Diagnostic | undefined {
  switch (type.kind) {
    case "refused":
      return type.diagnostic;
    case "undefined":
      return diagnose(
        "FW323",
        {
          what: "undefined: JSON has none",
          instead: "`?` after the name of the member, or `null` as its type",
        },
        type.at.location,
      );
    case "constraints": {
      const [constraint] = type.constraints;
      return constraint && misplaced(constraint, "no type beside it").diagnostic;
    }
    case "never":
      return type.clash && diagnoseClash(type.clash);
    default:
      throw new Error(`A request has no type of the kind ${type.kind}.`);
  }
}

function toObject({ fields, others, memberErrors = [] }: ObjectType, conversion: Conversion): Shape | null {
  for (const problem of memberErrors) conversion.report(problem);
  const properties: Property[] = [];
  for (const [name, { read, optional, location }] of fields) {
    const shape = toEntry({ type: read(), optional }, conversion);
    if (shape) properties.push(placed({ name, shape, optional }, location));
  }
  const rest = others && toShape(withoutUndefined(others), conversion);
  if (memberErrors.length > 0 || properties.length < fields.size || rest === null) return null;
  return rest ? { kind: "object", properties, others: rest } : { kind: "object", properties };
}

function toEntry({ type, optional }: TupleEntry, conversion: Conversion): Shape | null {
  return toShape(optional ? withoutUndefined(type) : type, conversion);
}

function toArray(
  { items, kind, minItems, maxItems, uniqueItems }: ArrayType,
  conversion: Conversion,
): Shape | null {
  const shape = conversion.isResult ? toResultItem(items, conversion) : toShape(items, conversion);
  return shape && { kind, ...limitsOf({ minItems, maxItems, uniqueItems }), items: shape };
}

function toTuple(type: TupleType, conversion: Conversion): Shape | null {
  const { kind, items, rest, minItems, maxItems, uniqueItems } = type;
  const toItem = (item: TupleEntry): Shape | null =>
    conversion.isResult ? toResultItem(item.type, conversion) : toEntry(item, conversion);
  const shapes = items.map(toItem);
  const after = rest && toItem({ type: rest, optional: false });
  const known = shapes.filter((shape) => shape !== null);
  if (known.length < shapes.length || after === null) return null;
  const required = items.filter(({ optional }) => !optional).length;
  const limits = limitsOf({ minItems, maxItems, uniqueItems });
  return { kind, ...limits, items: known, required, ...(after && { rest: after }) };
}

function limitsOf(limits: object): object {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

function toUnion({ of }: UnionType, conversion: Conversion): Shape | null {
  const missing = of.filter(isUndefined);
  const union = discriminate(of.filter((member) => !isUndefined(member)));
  for (const one of missing) toShape(one, conversion);
  if ("code" in union) {
    conversion.report(union);
    return null;
  }
  const shapes = union.members.map((member) => toShape(member, conversion));
  const known = shapes.filter((shape) => shape !== null);
  return known.length < shapes.length || missing.length > 0 ? null : joinShapes(known, union.tag);
}

function joinShapes(shapes: readonly Shape[], tag: string | undefined): Shape {
  const of = shapes.flatMap((shape) =>
    shape.kind === "union" && shape.tag === undefined && isScalarUnion(shape.of) ? shape.of : [shape],
  );
  const [only, second] = of;
  if (only && second === undefined) return only;
  return { kind: "union", of, ...(tag !== undefined && { tag }) };
}

/** True for the union that {@link toLiteral} returns for literals beside `boolean`. */
function isScalarUnion(of: readonly Shape[]): boolean {
  return of.length === 2 && of[0]?.kind === "literal" && of[1]?.kind === "boolean";
}

/** `true | false` is `boolean`. */
function toLiteral({ values }: LiteralShape): Shape {
  const rest = values.filter((value) => typeof value !== "boolean");
  if (values.length - rest.length < 2) return { kind: "literal", values: [...values] };
  if (rest.length === 0) return { kind: "boolean" };
  return { kind: "union", of: [{ kind: "literal", values: rest }, { kind: "boolean" }] };
}

/** The JSON of a type that only results have. */
function toResultScalar(type: ResolvedType, { text, location }: TypePlace, conversion: Conversion): Shape {
  if (type.kind === "never") return { kind: "never" };
  // `JSON.stringify` writes null for an item that it would omit from an object.
  if (isOmitted(type)) return { kind: "null" };
  const { name } = namedIn(type) ?? { name: "" };
  if (/^(?:(?:Readonly|Weak)?(?:Map|Set)|RegExp)$/.test(name)) return { kind: "object", properties: [] };
  if (name === "URL") return { kind: "string" };
  conversion.reportUnknown({ text, location });
  return { kind: "unknown" };
}

/** `JSON.stringify` omits properties with functions, symbols and undefined. */
function isOmitted(type: Kind): boolean {
  const isNothing = type.kind === "undefined" || type.kind === "function";
  return isNothing || (type.kind === "named" && /^(?:symbol|Function)$/.test(type.name));
}

/** Drops the union members that JSON omits; the property is then optional. @returns undefined if all are omitted. */
function withoutOmitted({ type, optional }: TupleEntry): TupleEntry | undefined {
  const members = membersOf(type);
  const kept = members.filter((member) => !isOmitted(member));
  if (kept.length === members.length) return { type, optional };
  return kept.length === 0 ? undefined : { type: uniteAt(type.at, kept), optional: true };
}

/** The JSON of an array item, where omitted values become null. */
function toResultItem(type: Type, conversion: Conversion): Shape {
  const kept = withoutOmitted({ type, optional: false });
  const shape = kept && toShape(kept.type, conversion);
  if (shape && !kept.optional) return shape;
  return uniteShapes([...(shape ? [shape] : []), { kind: "null" }]);
}

function toResultObject({ fields, others }: ObjectType, conversion: Conversion): Shape {
  const method = fields.get("toJSON")?.read();
  if (method && /^(?:function|unknown)$/.test(look(method).kind)) return toJsonShape(method, conversion);
  const properties: Property[] = [];
  for (const [name, { read, optional: mayMiss, location }] of fields) {
    const kept = withoutOmitted({ type: read(), optional: mayMiss });
    const shape = kept && toShape(kept.type, conversion);
    if (!shape || (kept.optional && shape.kind === "never")) continue;
    // An unknown value may be undefined.
    const optional = kept.optional || shape.kind === "unknown";
    properties.push(placed({ name, shape, optional }, location));
  }
  const rest = others && withoutOmitted({ type: others, optional: true });
  const after = rest && toShape(rest.type, conversion);
  return after ? { kind: "object", properties, others: after } : { kind: "object", properties };
}

/** The JSON of an object with a method `toJSON`. */
function toJsonShape(method: Type, conversion: Conversion): Shape {
  const returned = returnOf(method);
  if (!returned) conversion.reportUnknown({ text: "toJSON()", location: method.at.location });
  return (returned && toShape(awaited(returned), conversion)) ?? { kind: "unknown" };
}

/** Unlike in requests, no discriminant is required. */
function toResultUnion({ of }: UnionType, conversion: Conversion): Shape {
  const toShapes = (types: readonly Type[]): Shape[] =>
    types.map((type) => toShape(type, conversion)).filter((shape) => shape !== null);
  const isPlain = of.every((one) => !/^(?:refused|undefined|function|named)$/.test(one.kind));
  const union = isPlain ? discriminate(of) : undefined;
  return union && "members" in union
    ? joinShapes(toShapes(union.members), union.tag)
    : uniteShapes(toShapes(of));
}
