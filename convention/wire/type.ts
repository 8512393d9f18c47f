/** A type as it is read: a shape whose declared names are references to definitions. It may also be what no request can carry. */

import type { Location } from "#runtime/routing/route";
import type { LiteralShape, NumberShape, SchemaShape, StringShape } from "#runtime/wire/shape";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { CIRCLE } from "../source/names.ts";

/** Where a type is written, and its text for messages. */
export interface TypePlace {
  readonly text: string;
  readonly location: Location;
}

export interface Origin extends TypePlace {
  /** Types of one label are the same type. It is text with no names left open, such as `Page<Product>`. Without it the text is one. */
  readonly label?: () => string;
  /** An operator made it, so it may contain itself without a name of its own, as `Partial<Tree>` in `Tree` does. */
  readonly isOperator?: true;
}

export type Type = Kind & { readonly at: Origin };

export type Kind =
  | NumberShape
  | StringShape
  | LiteralShape
  /** In a result. */
  | SchemaShape
  | { readonly kind: "unknown" | "null" | "date" | "file" | "undefined" }
  /** @property clash why nothing fits a type that is not written as `never`, and where. */
  | { readonly kind: "never"; readonly clash?: Clash }
  | ObjectType
  | ArrayType
  | TupleType
  | UnionType
  | { readonly kind: "reference"; readonly to: Definition }
  /** Inside a list, which may contain itself: its type is read when something asks for it. */
  | { readonly kind: "later"; readonly read: () => Type }
  /** Constraints alone, as in `type Name = MinLength<1> & MaxLength<80>`. */
  | { readonly kind: "constraints"; readonly constraints: readonly Constraint[] }
  | Refused
  /** Of results only. A type that TypeScript or the framework declares, as `Promise<User>`; "framework " is before a name of the framework's. */
  | { readonly kind: "named"; readonly name: string; readonly of: readonly Type[] }
  | { readonly kind: "function"; readonly returns: () => Type | undefined };

/** A type that the project declares, with its type arguments. */
export interface Definition {
  /** No other type has it. */
  readonly name: string;
  /** The name without its type arguments, which no other declaration has. */
  readonly own: string;
  readonly of: readonly Type[];
  /** Of its name. */
  readonly location: Location;
  readonly read: () => Type;
}

export interface ObjectType {
  readonly kind: "object";
  readonly fields: ReadonlyMap<string, Field>;
  /** The type of all other keys. */
  readonly others?: Type;
  /** Of the members that a request can't carry, as a method. */
  readonly odd?: readonly Diagnostic[];
}

/** Its type is read when something asks for it, because a type may contain itself. */
export interface Field {
  readonly read: () => Type;
  readonly optional: boolean;
  readonly location: Location;
  /** Several objects of an intersection have it. */
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

/** None of its members is a union, and its literals are one member. */
export interface UnionType {
  readonly kind: "union";
  readonly of: readonly Type[];
}

export interface Refused {
  readonly kind: "refused";
  readonly diagnostic: Diagnostic;
}

export interface Clash {
  readonly why: string;
  readonly place: TypePlace;
}

/** @example MinLength<1> */
export interface Constraint {
  readonly name: string;
  readonly argument: number | string | true;
  readonly place: TypePlace;
}

export type LiteralValue = LiteralShape["values"][number];

export const UNKNOWN: Kind = { kind: "unknown" };
export const NEVER: Kind = { kind: "never" };

/** What a type is, behind the names that refer to it. */
export type Look = Exclude<Type, { readonly kind: "reference" | "later" }>;

export function look(type: Type): Look {
  let end = type;
  for (;;) {
    if (end.kind === "reference") end = end.to.read();
    else if (end.kind === "later") end = end.read();
    else return end;
  }
}

/** Names stay. */
export function readNow(type: Type): Exclude<Type, { readonly kind: "later" }> {
  let end = type;
  while (end.kind === "later") end = end.read();
  return end;
}

/** What a constant set of types is a union of: the type itself, if it is not one. Only objects, arrays and tuples keep a name. */
export function membersOf(written: Type): readonly Type[] {
  const type = readNow(written);
  const found = look(type);
  if (found.kind === "union") return found.of;
  if (type.kind !== "reference" || isCompound(found)) return [type];
  const { to, at } = type;
  return [{ ...found, at: { text: at.text, location: at.location, label: () => to.name } }];
}

/** Scalars are written where they are used; the name of any other type becomes a definition. */
export function isCompound({ kind }: Kind): boolean {
  return kind === "object" || kind === "array" || kind === "tuple" || kind === "union";
}

/** A string or a number without limits. */
export function isPlain(type: Type): boolean {
  return (type.kind === "string" || type.kind === "number") && Object.keys(type).length === 2;
}

export function isUndefined({ kind }: Kind): boolean {
  return kind === "undefined";
}

export function isNullish({ kind }: Kind): boolean {
  return kind === "null" || kind === "undefined";
}

/** As a message calls a value of the kind. */
export function nameKind({ kind }: Kind): string {
  if (kind === "unknown" || kind === "constraints") return "no type beside it";
  const names: Partial<Record<Kind["kind"], string>> = { string: "text", date: "a Date", file: "a File" };
  return names[kind] ?? (/^[aou]/.test(kind) ? `an ${kind}` : kind === "null" ? kind : `a ${kind}`);
}

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

/** The members of a union with each literal alone, to choose from them. */
export function singles(type: Type): readonly Type[] {
  return membersOf(type).flatMap((member) =>
    member.kind === "literal" ? member.values.map((value) => literalType([value], member.at)) : [member],
  );
}

export function objectOf(fields: ReadonlyMap<string, Field>, others?: Type): ObjectType {
  return { kind: "object", fields, ...(others && { others }) };
}

export function refused(diagnostic: Diagnostic): Refused {
  return { kind: "refused", diagnostic };
}

/** The first of the types that can't be read, if there is one. */
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

export function endless({ text, location }: TypePlace, why: string): Refused {
  const instead = "Refer to it from a property of an object, or write out what it means";
  return refused(diagnose("FW328", { type: text, why, instead }, location));
}

/** How many types may need each other: far below what the stack holds. */
const DEEPEST = 200;

let depth = 0;

/** @param read takes a level of the stack for each type that is in another. */
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
 * @param read is called once, and not before something asks.
 * @param circular gives what is known meanwhile, in place of an error.
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
