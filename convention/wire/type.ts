/**
 * A type with its names resolved: the form between the syntax ({@link TypeExpression}) and the JSON form (`Shape`). A {@link Type} is a
 * {@link Kind}, the structure, with an {@link Origin}, the place in the source. Operators such as `Partial` work on types, because types
 * can still be `undefined`, functions or recursive without a name, which a shape can't.
 */

import type { Location } from "#runtime/routing/route";
import type { LiteralShape, NumberShape, SchemaShape, StringShape } from "#runtime/wire/shape";
import { type CATALOGUE, diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Details } from "../diagnostics/entry.ts";
import { CIRCLE } from "../source/names.ts";

/** The location and source text of a type, for messages. */
export interface TypePlace {
  readonly text: string;
  readonly location: Location;
}

/** The place of a type in the source, and its identity. */
export interface Origin extends TypePlace {
  /** The label: two types with equal labels are the same type (see `labels.ts`). Without it the source text is the label. */
  readonly label?: () => string;
  /** True for the result of an operator. It may contain itself without having a name, as `Partial<Tree>` in `Tree` does. */
  readonly isOperator?: true;
}

export type Type = Kind & { readonly at: Origin };

/** The structure of a type. */
export type Kind =
  | NumberShape
  | StringShape
  | LiteralShape
  /** The type of a Standard Schema; in results only. */
  | SchemaShape
  | { readonly kind: "unknown" | "null" | "date" | "file" | "undefined" }
  /** @property clash the contradiction that made the type empty, unless it is written as `never`. */
  | { readonly kind: "never"; readonly clash?: Clash }
  | ObjectType
  | ArrayType
  | TupleType
  | UnionType
  /** The name of a declared type. */
  | { readonly kind: "reference"; readonly to: Definition }
  /** A lazy type: an item of a list, whose type may contain the list. */
  | { readonly kind: "later"; readonly read: () => Type }
  /** Constraints without a base type, as in `type Name = MinLength<1> & MaxLength<80>`. */
  | { readonly kind: "constraints"; readonly constraints: readonly Constraint[] }
  | Refused
  /** In results only: a type of TypeScript, as `Promise<User>`, or of the framework, whose names begin with "framework ". */
  | { readonly kind: "named"; readonly name: string; readonly of: readonly Type[] }
  /** In results only. @property returns the result type; undefined if unknown. */
  | { readonly kind: "function"; readonly returns: () => Type | undefined };

/** A declared type, instantiated with type arguments. It becomes a named definition in the contract. */
export interface Definition {
  /** The unique name, with type arguments: `Page<Product>`. */
  readonly name: string;
  /** The unique name of the declaration, without type arguments: `Page`. */
  readonly declaredName: string;
  /** The type arguments. */
  readonly of: readonly Type[];
  /** The location of the declaration. */
  readonly location: Location;
  readonly read: () => Type;
}

export interface ObjectType {
  readonly kind: "object";
  readonly fields: ReadonlyMap<string, Field>;
  /** The value type of the index signature. */
  readonly others?: Type;
  /** The errors for members that a request can't carry, such as methods. */
  readonly memberErrors?: readonly Diagnostic[];
}

/** A property. */
export interface Field {
  /** Reads the type, lazily because it may contain the object. */
  readonly read: () => Type;
  readonly optional: boolean;
  readonly location: Location;
  /** True if several objects of an intersection declare the property. */
  readonly isShared?: true;
}

export interface ItemLimits {
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
}

export interface ArrayType extends ItemLimits {
  readonly kind: "array";
  readonly items: Type;
}

export interface TupleType extends ItemLimits {
  readonly kind: "tuple";
  readonly items: readonly TupleEntry[];
  readonly rest?: Type;
}

export interface TupleEntry {
  readonly type: Type;
  readonly optional: boolean;
}

/** A flattened union: no member is a union, and all literals are one member. Made by `unite`. */
export interface UnionType {
  readonly kind: "union";
  readonly of: readonly Type[];
}

/** A type that can't be read, with its error. */
export interface Refused {
  readonly kind: "refused";
  readonly diagnostic: Diagnostic;
}

/** A contradiction, as in `"a" & "b"`. @property why the reason, as the end of a sentence. */
export interface Clash {
  readonly why: string;
  readonly place: TypePlace;
}

/** A constraint type: `MinLength<1>` has the name "MinLength" and the argument 1. Without a type argument it is true. */
export interface Constraint {
  readonly name: string;
  readonly argument: number | string | true;
  readonly place: TypePlace;
}

export type LiteralValue = LiteralShape["values"][number];

export const UNKNOWN: Kind = { kind: "unknown" };
export const NEVER: Kind = { kind: "never" };

/** A type that is neither a reference nor lazy. */
export type ResolvedType = Exclude<Type, { readonly kind: "reference" | "later" }>;

/** Resolves references and lazy types. */
export function look(type: Type): ResolvedType {
  let end = type;
  for (;;) {
    if (end.kind === "reference") end = end.to.read();
    else if (end.kind === "later") end = end.read();
    else return end;
  }
}

/** Resolves a lazy type, but keeps references. */
export function readNow(type: Type): Exclude<Type, { readonly kind: "later" }> {
  let end = type;
  while (end.kind === "later") end = end.read();
  return end;
}

/** The members of a union; any other type is the only member. References to scalars are resolved, other references are kept. */
export function membersOf(written: Type): readonly Type[] {
  const type = readNow(written);
  const found = look(type);
  if (found.kind === "union") return found.of;
  if (type.kind !== "reference" || isCompound(found)) return [type];
  const { to, at } = type;
  return [{ ...found, at: { text: at.text, location: at.location, label: () => to.name } }];
}

/** True for types that become definitions when they have a name. Scalars are inlined. */
export function isCompound({ kind }: Kind): boolean {
  return kind === "object" || kind === "array" || kind === "tuple" || kind === "union";
}

/** True for a string or a number without constraints. */
export function isPlain(type: Type): boolean {
  return (type.kind === "string" || type.kind === "number") && Object.keys(type).length === 2;
}

export function isUndefined({ kind }: Kind): boolean {
  return kind === "undefined";
}

export function isNullish({ kind }: Kind): boolean {
  return kind === "null" || kind === "undefined";
}

/** The name of a kind for messages, with its article. */
export function nameKind({ kind }: Kind): string {
  if (kind === "unknown" || kind === "constraints") return "no type beside it";
  const names: Partial<Record<Kind["kind"], string>> = { string: "text", date: "a Date", file: "a File" };
  return names[kind] ?? (/^[aou]/.test(kind) ? `an ${kind}` : kind === "null" ? kind : `a ${kind}`);
}

/** The label of a type: its identity as text. */
export function labelOf(type: Type): string {
  if (type.kind === "reference") return type.to.name;
  if (type.kind === "literal") return formatLiterals(type.values);
  return type.at.label?.() ?? type.at.text;
}

function formatLiterals(values: readonly LiteralValue[]): string {
  return values
    .map((value) => JSON.stringify(value))
    .join(" | ")
    .replace(/^true \| false$/, "boolean");
}

export function typeAt<Of extends Kind>({ text, location }: TypePlace, kind: Of): Of & { at: Origin } {
  return { ...kind, at: { text, location } };
}

export function textType({ location }: Pick<TypePlace, "location">): Type {
  return { kind: "string", at: { text: "string", location } };
}

export function literalType(
  values: readonly LiteralValue[],
  { location }: Pick<TypePlace, "location">,
): Type {
  return { kind: "literal", values, at: { text: formatLiterals(values), location } };
}

export function valuesOf(type: Type): readonly LiteralValue[] {
  return type.kind === "literal" ? type.values : [];
}

/** The members of a union, with a member for each literal. */
export function singles(type: Type): readonly Type[] {
  return membersOf(type).flatMap((member) =>
    member.kind === "literal" ? member.values.map((value) => literalType([value], member.at)) : [member],
  );
}

export function objectOf(
  fields: ReadonlyMap<string, Field>,
  others?: Type,
  memberErrors: readonly Diagnostic[] = [],
): ObjectType {
  const errors = memberErrors.length > 0 && { memberErrors };
  return { kind: "object", fields, ...(others && { others }), ...errors };
}

/** A type with an error at a place. */
export function refuse<Code extends keyof typeof CATALOGUE>(
  code: Code,
  details: Details<(typeof CATALOGUE)[Code]>,
  { location }: Pick<TypePlace, "location">,
): Refused {
  return { kind: "refused", diagnostic: diagnose(code, details, location) };
}

/** The first of the types that can't be read. */
export function refusedAmong(types: readonly Type[]): Refused | undefined {
  for (const type of types) {
    const found = look(type);
    if (found.kind === "refused") return found;
  }
  return undefined;
}

export function diagnoseClash({ why, place: { text, location } }: Clash): Diagnostic {
  const instead = "Remove one of the types, or make them agree";
  return diagnose("FW329", { type: text, why, instead }, location);
}

/** The error for an infinite type. */
export function endless(place: TypePlace, why: string): Refused {
  const instead = "Refer to it from a property of an object, or write out what it means";
  return refuse("FW328", { type: place.text, why, instead }, place);
}

/** The deepest nesting of types: far below what the stack holds. */
const DEEPEST = 200;

let depth = 0;

/** Calls `read`, or returns an error if the reads of nested types are too deep. */
export function withinDepth(at: Origin, read: () => Type): Type {
  if (depth > DEEPEST)
    return { ...endless(at, "it refers to itself without end, or is nested too deeply"), at };
  depth++;
  try {
    return read();
  } finally {
    depth--;
  }
}

/**
 * Caches the result of `read`, which is called at the first access.
 *
 * @param circular the result of a recursive access during `read`; without it that is an error.
 */
export function lazily(at: Origin, read: () => Type, circular?: () => Type): () => Type {
  let known: Type | undefined;
  let isReading = false;
  return () => {
    if (known !== undefined) return known;
    if (isReading) return circular?.() ?? { ...endless(at, CIRCLE), at };
    isReading = true;
    try {
      known = withinDepth(at, read);
      return known;
    } finally {
      isReading = false;
    }
  };
}
