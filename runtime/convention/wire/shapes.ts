/** Reads types to shapes: names are followed, generics substituted, and what can't be read is a diagnostic. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import type { Definitions, Shape } from "#runtime/core/wire/shape";
import type { Modules } from "../source/modules.ts";
import type { ScopedType } from "./scope.ts";

/** One for each reading of a project. */
export interface ShapeReader {
  /** A shape of null has an error among the diagnostics. */
  read(type: ScopedType): { readonly shape: Shape | null; readonly diagnostics: readonly Diagnostic[] };
  /** Of all shapes that were read. */
  readonly definitions: Definitions;
}

export type CreateShapeReader = (modules: Modules) => ShapeReader;
