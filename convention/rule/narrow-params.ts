/** Params that take less than all digits or all texts: `int & Max<9>`, `string & Uuid`, `"asc" | "desc"`. */

import type { ParamType } from "#runtime/routing/route";
import { type Definitions, type Member, membersOf, type Shape } from "#runtime/wire/shape";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { findNamed, leaveOut } from "../wire/marks.ts";
import type { ScopedType } from "../wire/scope.ts";
import type { TypeReader } from "../wire/takes.ts";

export interface NarrowParam {
  readonly type: ParamType;
  readonly shape: Shape;
}

/**
 * @param scoped the type at the end of its aliases.
 * @returns undefined for what no param can be; with the diagnostics of a constraint that can't be read.
 */
export function readNarrowParam(
  { modules, shapes }: TypeReader,
  scoped: ScopedType,
): { readonly narrow?: NarrowParam | undefined; readonly diagnostics: readonly Diagnostic[] } {
  if (!mayBeNarrow(modules, scoped)) return { diagnostics: [] };
  const { shape, diagnostics } = shapes.read(scoped);
  const type = shape ? paramTypeOf(shape, shapes.definitions) : undefined;
  return { narrow: shape && type ? { type, shape } : undefined, diagnostics };
}

/** The names of objects, and of the project's generic types, are not looked into: they were probably meant for a mark. */
function mayBeNarrow(modules: TypeReader["modules"], scoped: ScopedType): boolean {
  const { type } = scoped;
  if (type.kind === "union")
    return leaveOut(type, "undefined") === undefined && leaveOut(type, "null") === undefined;
  if (type.kind !== "name") return NARROW_KINDS.has(type.kind);
  const named = findNamed(modules, scoped);
  return (
    named !== undefined &&
    "kind" in named &&
    named.kind === "global" &&
    GLOBALS.has(type.text.replace(/<.*/s, ""))
  );
}

const GLOBALS: ReadonlySet<string> = new Set(["Array", "Exclude", "Extract", "NonNullable", "ReadonlyArray"]);

const NARROW_KINDS: ReadonlySet<string> = new Set([
  "array",
  "indexed",
  "intersection",
  "keyof",
  "literal",
  "template",
]);

function paramTypeOf(shape: Shape, definitions: Definitions): ParamType | undefined {
  return onlyType(shape, definitions, (member) => {
    if (member.kind !== "array") return textTypeOf(member);
    return onlyType(member.items, definitions, textTypeOf) === "str" ? "str[]" : undefined;
  });
}

/** The type that all members of a shape have. */
function onlyType(
  shape: Shape,
  definitions: Definitions,
  typeOf: (member: Member) => ParamType | undefined,
): ParamType | undefined {
  const [type, ...others] = new Set(membersOf(shape, definitions).map(typeOf));
  return others.length === 0 ? type : undefined;
}

/** No segment is empty, and the digits of a number have no sign. */
function textTypeOf(member: Member): ParamType | undefined {
  if (member.kind === "string") return "str";
  if (member.kind === "number") return "int";
  if (member.kind !== "literal") return undefined;
  const { values } = member;
  if (values.every((value) => typeof value === "string" && value !== "")) return "str";
  return values.every((value) => Number.isSafeInteger(value) && Number(value) >= 0) ? "int" : undefined;
}
