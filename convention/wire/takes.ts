/** Reads a parameter with a mark as a take: the place, key and shape of a value in the request. */

import { isCredential } from "#runtime/wire/credentials";
import type { DeclaredInput } from "#runtime/wire/inputs";
import type { Definitions, Shape } from "#runtime/wire/shape";
import { toHeaderName } from "#runtime/wire/texts";
import { diagnose } from "../diagnostics/catalogue.ts";
import { type Diagnostic, isDiagnostic } from "../diagnostics/diagnostic.ts";
import type {
  DestructuredParameter,
  PlainParameter,
  TypeDeclaration,
  TypeExpression,
} from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import { readCredential } from "./credentials.ts";
import { endOf, exampleOf, leaveOut, type TakeMark } from "./marks.ts";
import { findSchema } from "./schemas.ts";
import type { ScopedType } from "./scope.ts";
import type { ShapeReader } from "./shapes.ts";
import { findMisfit, hasFile, objectsOf } from "./texts.ts";

/** The readers of one project. */
export interface TypeReader {
  readonly modules: Modules;
  readonly shapes: ShapeReader;
}

export interface ReadTake {
  /** Null if the diagnostics have an error. */
  readonly take: DeclaredInput | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** A parameter whose type is a mark. */
export type MarkedParameter = (PlainParameter | DestructuredParameter) & { readonly type: TypeExpression };

export function readTake(reader: TypeReader, mark: TakeMark, parameter: MarkedParameter): ReadTake {
  const misused = checkArguments(mark, parameter.type);
  if (misused) return { take: null, diagnostics: [misused] };
  const isSecret = isCredential(mark.place);
  const { shape, optional, diagnostics } = isSecret ? NO_TYPE : readShape(reader, mark);
  if (shape === null) return { take: null, diagnostics };
  const placed = isSecret
    ? readCredential(reader.shapes, mark, parameter.type.location)
    : placeShape(reader.shapes.definitions, mark, parameter, shape);
  if (isDiagnostic(placed)) return { take: null, diagnostics: [...diagnostics, placed] };
  const { name, default: value } = parameter.kind === "plain" ? parameter : { name: "" };
  const take: DeclaredInput = {
    in: mark.place,
    name,
    ...placed,
    optional: parameter.optional || mark.optional || optional,
    ...(value !== undefined && { default: value }),
  };
  return { take, diagnostics };
}

function checkArguments({ name, place, of }: TakeMark, type: TypeExpression): Diagnostic | undefined {
  const count = place === "bearer" || place === "basic" ? 0 : 1;
  if (of.length === count || (place === "api-key" && of.length === 2)) return undefined;
  const wanted = count === 0 ? "no type" : "one type";
  const found = of.length === 0 ? "none" : String(of.length);
  return diagnose("FW340", { name, wanted, found, example: exampleOf(name) }, type.location);
}

interface MarkedShape {
  readonly shape: Shape | null;
  /** True for a union with `undefined`. */
  readonly optional: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

function readShape({ modules, shapes }: TypeReader, { of: [marked] }: TakeMark): MarkedShape {
  if (marked === undefined) return NO_TYPE;
  const { present, optional } = splitUndefined(modules, marked);
  const schema = findSchema(modules, present);
  if (schema === undefined) return { ...shapes.read(present), optional };
  return isDiagnostic(schema)
    ? { shape: null, optional, diagnostics: [schema] }
    : { shape: schema, optional, diagnostics: [] };
}

/** Credentials have no type: their type arguments are names. */
const NO_TYPE: MarkedShape = { shape: { kind: "unknown" }, optional: false, diagnostics: [] };

/** Drops `undefined` from a union. Keeps names of aliases, because messages and contracts show them. */
function splitUndefined(
  modules: Modules,
  whole: ScopedType,
  followed: Set<TypeDeclaration> = new Set(),
): { present: ScopedType; optional: boolean } {
  const { type, scope } = endOf(modules, whole, followed);
  const left = leaveOut(type, "undefined");
  if (left)
    return { present: splitUndefined(modules, { type: left, scope }, followed).present, optional: true };
  return { present: type.kind === "typeof" ? { type, scope } : whole, optional: false };
}

/** Checks that the place can carry the shape, and finds its key in the request. */
function placeShape(
  definitions: Definitions,
  { name: mark, place }: TakeMark,
  parameter: MarkedParameter,
  shape: Shape,
): Pick<DeclaredInput, "key" | "shape"> | Diagnostic {
  const { location } = parameter.type;
  const name = parameter.kind === "plain" ? parameter.name : "";
  if (place !== "form" && hasFile(shape, definitions))
    return diagnose("FW345", { name: name || mark, what: "a `File`", mark }, location);
  if (place === "body") return { shape };
  const misfit = findMisfit(shape, definitions);
  if (misfit) {
    const details = { name: misfit.name ?? (name || mark), what: misfit.what, mark };
    return diagnose("FW345", details, location);
  }
  if (shape.kind === "schema" || objectsOf(shape, definitions).length > 0) return { shape };
  if (name === "") {
    const hint = `Give the parameter a name, or write the properties: { page }: ${mark}<{ page: int }>.`;
    return diagnose("FW303", { why: `nothing says which key \`${mark}\` reads`, hint }, parameter.location);
  }
  return { key: place === "header" ? toHeaderName(name) : name, shape };
}
