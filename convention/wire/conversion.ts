/** Makes shapes of types: a type with a name becomes a reference, and what a request or a result can't have is reported or left out. */

import type { LiteralShape, Property, Shape } from "#runtime/wire/shape";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { misplaced } from "./constraints.ts";
import { placed } from "./places.ts";
import { awaited, namedIn, returnOf } from "./results.ts";
import { tellApart } from "./tell-apart.ts";
import {
  type ArrayType,
  diagnoseClash,
  endless,
  isCompound,
  isPlain,
  isUndefined,
  type Kind,
  type Look,
  labelOf,
  look,
  membersOf,
  type ObjectType,
  readNow,
  type TupleEntry,
  type TupleType,
  type Type,
  type TypePlace,
  type UnionType,
} from "./type.ts";
import { uniteAt, withoutUndefined } from "./unions.ts";
import { uniteShapes } from "./unite-shapes.ts";

export interface Conversion {
  /** The shape is of what a result has in JSON: what it can't have is left out, and what is not known is `unknown`. */
  readonly isResult: boolean;
  /** @param at where the type is used. */
  readonly report: (diagnostic: Diagnostic, at?: TypePlace) => void;
  /** Of a result what is not known. */
  readonly note: (place: TypePlace) => void;
  /** Makes a definition of a type. @param at where it is used. @returns its name. */
  readonly refer: (name: string, type: Type, at: TypePlace) => string;
  /** The labels of the operators that the type is in. */
  readonly inside: ReadonlySet<string>;
  readonly depth: number;
}

/** Nobody writes more braces in each other, and who reads a shape may need the stack for each. */
const MOST_LEVELS = 100;

/** @returns null where something of it has been reported, which no result has. */
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
  if (conversion.inside.has(label)) return referTo(label, found, type.at, conversion);
  return toDefinition(found, { ...conversion, inside: new Set(conversion.inside).add(label) });
}

function referTo(name: string, type: Type, at: TypePlace, { refer }: Conversion): Shape {
  return { kind: "reference", name: refer(name, type, at) };
}

/** The shape of a type that may have a name, which is not a reference. */
export function toDefinition(type: Look, conversion: Conversion): Shape | null {
  const { report, depth, isResult } = conversion;
  if (depth > MOST_LEVELS) {
    report(endless(type.at, `it is nested more than ${MOST_LEVELS} levels deep`).diagnostic);
    return isResult ? { kind: "unknown" } : null;
  }
  const inner = { ...conversion, depth: depth + 1 };
  switch (type.kind) {
    case "object":
      return isResult ? toSentObject(type, inner) : toObject(type, inner);
    case "array":
      return toArray(type, inner);
    case "tuple":
      return toTuple(type, inner);
    case "union":
      return isResult ? toSentUnion(type, inner) : toUnion(type, inner);
    default:
      return toScalar(type, type.at, conversion);
  }
}

function toScalar(type: Look, at: TypePlace, conversion: Conversion): Shape | null {
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
      // No list is in two shapes.
      return isPlain(type) ? limits : structuredClone(limits);
    }
    case "unknown":
    case "null":
    case "date":
      return { kind: type.kind };
    case "file":
      return conversion.isResult ? { kind: "object", properties: [] } : { kind: "file" };
    default: {
      if (conversion.isResult) return toSent(type, at, conversion);
      const problem = explainUnshaped(type);
      if (problem) conversion.report(problem, at);
      return problem ? null : { kind: "never" };
    }
  }
}

function explainUnshaped(type: Look): Diagnostic | undefined {
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

function toObject({ fields, others, odd = [] }: ObjectType, conversion: Conversion): Shape | null {
  for (const problem of odd) conversion.report(problem);
  const properties: Property[] = [];
  for (const [name, { read, optional, location }] of fields) {
    const shape = toEntry({ type: read(), optional }, conversion);
    if (shape) properties.push(placed({ name, shape, optional }, location));
  }
  const rest = others && toShape(withoutUndefined(others), conversion);
  if (odd.length > 0 || properties.length < fields.size || rest === null) return null;
  return rest ? { kind: "object", properties, others: rest } : { kind: "object", properties };
}

function toEntry({ type, optional }: TupleEntry, conversion: Conversion): Shape | null {
  return toShape(optional ? withoutUndefined(type) : type, conversion);
}

function toArray(
  { items, kind, minItems, maxItems, uniqueItems }: ArrayType,
  conversion: Conversion,
): Shape | null {
  const shape = conversion.isResult ? toSentItem(items, conversion) : toShape(items, conversion);
  return shape && { kind, ...limitsOf({ minItems, maxItems, uniqueItems }), items: shape };
}

function toTuple(type: TupleType, conversion: Conversion): Shape | null {
  const { kind, items, rest, minItems, maxItems, uniqueItems } = type;
  const toItem = (item: TupleEntry): Shape | null =>
    conversion.isResult ? toSentItem(item.type, conversion) : toEntry(item, conversion);
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
  const [told, missing] = [tellApart(of.filter((member) => !isUndefined(member))), of.filter(isUndefined)];
  for (const one of missing) toShape(one, conversion);
  if ("code" in told) {
    conversion.report(told);
    return null;
  }
  const shapes = told.members.map((member) => toShape(member, conversion));
  const known = shapes.filter((shape) => shape !== null);
  return known.length < shapes.length || missing.length > 0 ? null : joinShapes(known, told.tag);
}

function joinShapes(shapes: readonly Shape[], tag: string | undefined): Shape {
  const of = shapes.flatMap((shape) =>
    shape.kind === "union" && shape.tag === undefined && isScalarUnion(shape.of) ? shape.of : [shape],
  );
  const [only, second] = of;
  if (only && second === undefined) return only;
  return { kind: "union", of, ...(tag !== undefined && { tag }) };
}

/** What {@link toLiteral} makes of literals beside `boolean`. */
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

/** What `JSON.stringify` makes of what no request can carry. */
function toSent(type: Look, { text, location }: TypePlace, { note }: Conversion): Shape {
  if (type.kind === "never") return { kind: "never" };
  // Where nothing else can be: an item of an array.
  if (isLeftOut(type)) return { kind: "null" };
  const { name } = namedIn(type) ?? { name: "" };
  if (/^(?:(?:Readonly|Weak)?(?:Map|Set)|RegExp)$/.test(name)) return { kind: "object", properties: [] };
  if (name === "URL") return { kind: "string" };
  note({ text, location });
  return { kind: "unknown" };
}

/** JSON has no functions, symbols and undefined: a property that has one is left out. */
function isLeftOut(type: Kind): boolean {
  const isNothing = type.kind === "undefined" || type.kind === "function";
  return isNothing || (type.kind === "named" && /^(?:symbol|Function)$/.test(type.name));
}

/** Without what is left out. @returns undefined where nothing is left. */
function withoutLeftOut({ type, optional }: TupleEntry): TupleEntry | undefined {
  const members = membersOf(type);
  const kept = members.filter((member) => !isLeftOut(member));
  if (kept.length === members.length) return { type, optional };
  return kept.length === 0 ? undefined : { type: uniteAt(type.at, kept), optional: true };
}

/** In an array what is left out of an object is null. */
function toSentItem(type: Type, conversion: Conversion): Shape {
  const kept = withoutLeftOut({ type, optional: false });
  const shape = kept && toShape(kept.type, conversion);
  if (shape && !kept.optional) return shape;
  return uniteShapes([...(shape ? [shape] : []), { kind: "null" }]);
}

function toSentObject({ fields, others }: ObjectType, conversion: Conversion): Shape {
  const method = fields.get("toJSON")?.read();
  if (method && /^(?:function|unknown)$/.test(look(method).kind)) return toJsonShape(method, conversion);
  const properties: Property[] = [];
  for (const [name, { read, optional: mayMiss, location }] of fields) {
    const kept = withoutLeftOut({ type: read(), optional: mayMiss });
    const shape = kept && toShape(kept.type, conversion);
    if (!shape || (kept.optional && shape.kind === "never")) continue;
    // What may be anything may be undefined.
    const optional = kept.optional || shape.kind === "unknown";
    properties.push(placed({ name, shape, optional }, location));
  }
  const rest = others && withoutLeftOut({ type: others, optional: true });
  const after = rest && toShape(rest.type, conversion);
  return after ? { kind: "object", properties, others: after } : { kind: "object", properties };
}

/** @param method `toJSON`. */
function toJsonShape(method: Type, conversion: Conversion): Shape {
  const returned = returnOf(method);
  if (!returned) conversion.note({ text: "toJSON()", location: method.at.location });
  return (returned && toShape(awaited(returned), conversion)) ?? { kind: "unknown" };
}

/** Nothing need tell the members apart. */
function toSentUnion({ of }: UnionType, conversion: Conversion): Shape {
  const toShapes = (types: readonly Type[]): Shape[] =>
    types.map((type) => toShape(type, conversion)).filter((shape) => shape !== null);
  const isPlain = of.every((one) => !/^(?:refused|undefined|function|named)$/.test(one.kind));
  const told = isPlain ? tellApart(of) : undefined;
  return told && "members" in told ? joinShapes(toShapes(told.members), told.tag) : uniteShapes(toShapes(of));
}
