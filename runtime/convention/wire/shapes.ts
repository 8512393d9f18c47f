/** Reads types to shapes: names are followed, generics substituted, and what can't be read is a diagnostic. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import type { Definitions, Shape } from "#runtime/core/wire/shape";
import type { TypeExpression } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import { findType } from "../source/names.ts";
import type { ScopedType } from "./scope.ts";

/** One for each reading of a project. */
export interface ShapeReader {
  /** A shape of null has an error among the diagnostics. */
  read(type: ScopedType): { readonly shape: Shape | null; readonly diagnostics: readonly Diagnostic[] };
  /** Of all shapes that were read. */
  readonly definitions: Definitions;
}

export type CreateShapeReader = (modules: Modules) => ShapeReader;

/** A stand-in until branch `shapes` lands: keywords, arrays, literals, written objects and interfaces. */
export const createShapeReader: CreateShapeReader = (modules) => {
  const definitions: Record<string, Shape> = {};
  return { definitions, read };

  function read(scoped: ScopedType): ReturnType<ShapeReader["read"]> {
    return { shape: toShape(scoped), diagnostics: [] };
  }

  function toShape({ type, scope }: ScopedType): Shape {
    const inner = (one: TypeExpression): Shape => toShape({ type: one, scope });
    switch (type.kind) {
      case "keyword":
        if (type.name === "string" || type.name === "number" || type.name === "boolean")
          return { kind: type.name };
        return { kind: type.name === "null" ? "null" : "unknown" };
      case "literal":
        return { kind: "literal", values: [type.value] };
      case "array":
        return { kind: "array", items: inner(type.items) };
      case "union":
        return { kind: "union", of: type.of.map(inner) };
      case "intersection":
        return inner(type.of[0] as TypeExpression);
      case "object":
        return {
          kind: "object",
          properties: type.members.flatMap((member) =>
            member.kind === "property" && member.type
              ? [{ name: member.name, shape: inner(member.type), optional: member.optional }]
              : [],
          ),
        };
      case "name": {
        const given = scope.parameters.get(type.path[0] ?? "");
        if (given) return toShape(given);
        const named = findType(modules, scope.module, type.path);
        if (named.kind === "framework") return { kind: "number", integer: true };
        if (named.kind === "global") return { kind: named.path[0] === "File" ? "file" : "date" };
        if (named.kind !== "declared" || !named.declaration.type) return { kind: "unknown" };
        if (named.name in definitions) return { kind: "reference", name: named.name };
        definitions[named.name] = { kind: "never" };
        definitions[named.name] = toShape({
          type: named.declaration.type,
          scope: { module: named.module, parameters: new Map() },
        });
        return { kind: "reference", name: named.name };
      }
      default:
        return { kind: "unknown" };
    }
  }
};
