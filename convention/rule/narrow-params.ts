/** Params that take less than all digits or all texts: `int & Max<9>`, `string & Uuid`, `"asc" | "desc"`. */

import type { ParamType } from "#runtime/routing/route";
import type { LiteralShape, Shape } from "#runtime/wire/shape";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { findNamed, leaveOut } from "../wire/marks.ts";
import type { ScopedType } from "../wire/scope.ts";
import type { FindDefinition } from "../wire/shapes.ts";
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
  const type = shape ? paramTypeOf(shape, shapes.definition) : undefined;
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

function paramTypeOf(shape: Shape, find: FindDefinition): ParamType | undefined {
  switch (shape.kind) {
    case "string":
      return "str";
    case "number":
      return "int";
    case "literal":
      return literalsType(shape);
    case "union": {
      const [type, ...others] = new Set(shape.of.map((one) => paramTypeOf(one, find)));
      return others.length === 0 ? type : undefined;
    }
    case "reference":
      return paramTypeOf(find(shape.name) ?? { kind: "never" }, find);
    case "array":
      return paramTypeOf(shape.items, find) === "str" ? "str[]" : undefined;
    default:
      return undefined;
  }
}

/** No segment is empty, and the digits of a number have no sign. */
function literalsType({ values }: LiteralShape): ParamType | undefined {
  if (values.every((value) => typeof value === "string" && value !== "")) return "str";
  return values.every((value) => Number.isSafeInteger(value) && Number(value) >= 0) ? "int" : undefined;
}
