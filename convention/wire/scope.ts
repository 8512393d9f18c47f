/** A type together with where its names mean something. */

import type { SourceModule, TypeExpression } from "../source/module.ts";

export interface TypeScope {
  readonly module: SourceModule;
  /** The type parameters of the declaration around it, with the types that they are given. */
  readonly parameters: ReadonlyMap<string, ScopedType>;
}

export interface ScopedType {
  readonly type: TypeExpression;
  readonly scope: TypeScope;
}
