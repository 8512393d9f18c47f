/** What a type is on its outside. The parts inside are read when something asks for them, because a type may contain itself. */

import type { Location } from "#runtime/routing/route";
import type { LiteralShape, NumberShape, StringShape } from "#runtime/wire/shape";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { CIRCLE } from "../source/names.ts";

/** Where a type is written, and its text for messages. */
export interface TypePlace {
  readonly text: string;
  readonly location: Location;
}

export interface Part extends TypePlace {
  /** Types of one label are the same type. It is text with no names left open, such as `Page<Product>`. */
  readonly label: () => string;
  /**
   * "named": it becomes a definition. "operator": it becomes one only if it contains itself, as `Partial<Tree>` in `Tree` does.
   * Undefined for what is written out and can contain itself through others only.
   */
  readonly role: "named" | "operator" | undefined;
  /** What an intersection is of, to recognise it inside itself. */
  readonly operands: readonly Part[] | undefined;
  readonly outline: () => Outline;
  /** Where the type is declared that this is the name of. */
  readonly declared?: Location;
}

export type Outline =
  | NumberShape
  | StringShape
  | LiteralShape
  | { readonly kind: "unknown" | "null" | "date" | "file" }
  /** @property place where it is written, which a name may be far from. */
  | { readonly kind: "undefined"; readonly place: TypePlace }
  | { readonly kind: "never"; readonly clash?: Clash }
  | ObjectOutline
  | ArrayOutline
  | TupleOutline
  | UnionOutline
  /** Constraints alone, as in `type Name = MinLength<1> & MaxLength<80>`. */
  | { readonly kind: "constraints"; readonly constraints: readonly Constraint[] }
  | Refused;

/** Why nothing fits a type that is not written as `never`. */
export interface Clash {
  readonly why: string;
  readonly place: TypePlace;
}

export function diagnoseClash({ why, place: { text, location } }: Clash): Diagnostic {
  const instead = "Remove one of the types, or make them agree";
  return diagnose("FW329", { type: text, why, instead }, location);
}

export interface ObjectOutline {
  readonly kind: "object";
  readonly fields: ReadonlyMap<string, Field>;
  /** The type of all other keys. */
  readonly others?: Part;
  /** What its method `toJSON` returns. */
  readonly json?: Part;
  /** Members that have no name to ask for them by. */
  readonly odd: readonly Diagnostic[];
}

export interface Field {
  readonly part: Part;
  readonly optional: boolean;
}

export interface ItemLimits {
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
}

export interface ArrayOutline extends ItemLimits {
  readonly kind: "array";
  readonly items: Part;
}

export interface TupleOutline extends ItemLimits {
  readonly kind: "tuple";
  readonly items: readonly Field[];
  readonly rest?: Part;
}

/** None of its members is a union, and its literals are one member. */
export interface UnionOutline {
  readonly kind: "union";
  readonly of: readonly Part[];
}

/** What no request can carry. */
export interface Refused {
  readonly kind: "refused";
  readonly diagnostic: Diagnostic;
  /** What a result of this type is. Not where an operator, such as `Partial`, would have to look into it. */
  readonly sent?: Sent;
}

export type Sent =
  /**
   * A type that TypeScript or the framework declares: `Promise<User>`.
   *
   * @property name of the framework's with "framework " before it.
   * @property as what an operator comes to, if anything is known of it.
   */
  | {
      readonly kind: "named";
      readonly name: string;
      readonly of: readonly Part[];
      readonly as: () => Part | undefined;
    }
  | { readonly kind: "function"; readonly returns: () => Part | undefined }
  /** An enum or a class: the type of what is sent. */
  | { readonly kind: "same"; readonly as: () => Part };

/** @example MinLength<1> */
export interface Constraint {
  readonly name: string;
  readonly argument: number | string | true;
  readonly place: TypePlace;
}

export const UNKNOWN: Outline = { kind: "unknown" };
export const NEVER: Outline = { kind: "never" };

export function refused(diagnostic: Diagnostic, sent?: Sent): Refused {
  return sent ? { kind: "refused", diagnostic, sent } : { kind: "refused", diagnostic };
}

/** @param read is called when the diagnostic is asked for: a result has no use for most. */
export function refusedLater(read: () => Diagnostic, sent?: Sent): Refused {
  let known: Diagnostic | undefined;
  return {
    kind: "refused",
    get diagnostic() {
      known ??= read();
      return known;
    },
    ...(sent && { sent }),
  };
}

export function withoutSent(outline: Refused): Refused {
  return outline.sent === undefined ? outline : refusedLater(() => outline.diagnostic);
}

/** How many outlines may need each other: far below what the stack holds. */
const DEEPEST = 200;

const TOO_MANY = "it refers to itself without end, or is nested too deeply";

let depth = 0;

/** @param read is called once, and not before the outline is asked for. */
export function createPart(
  { text, location }: TypePlace,
  label: () => string,
  read: () => Outline,
  role?: Part["role"],
  operands?: Part["operands"],
): Part {
  let known: Outline | undefined;
  let reading = false;
  function outline(): Outline {
    if (known !== undefined) return known;
    if (reading) return endless({ text, location }, CIRCLE);
    if (depth > DEEPEST) return endless({ text, location }, TOO_MANY);
    reading = true;
    depth++;
    try {
      known = read();
      return known;
    } finally {
      depth--;
      reading = false;
    }
  }
  return { text, location, label, outline, role, operands };
}

export function endless({ text, location }: TypePlace, why: string): Refused {
  const instead = "Refer to it from a property of an object, or write out what it means";
  return refused(diagnose("FW328", { type: text, why, instead }, location));
}

/** A part whose outline is known. */
export function toPart(place: TypePlace, label: string, outline: Outline): Part {
  return {
    text: place.text,
    location: place.location,
    label: () => label,
    outline: () => outline,
    role: undefined,
    operands: undefined,
  };
}

/** What a constant set of parts is a union of: the part itself, if it is not one. */
export function membersOfPart(part: Part): readonly Part[] {
  const outline = part.outline();
  return outline.kind === "union" ? outline.of : [part];
}

export function objectOf(fields: ReadonlyMap<string, Field>, others?: Part): ObjectOutline {
  return { kind: "object", fields, odd: [], ...(others && { others }) };
}
