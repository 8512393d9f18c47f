/** A type together with where its names mean something. */

import type { SourceModule, TypeDeclaration, TypeExpression } from "../source/module.ts";

export interface TypeScope {
  readonly module: SourceModule;
  /** The type parameters of the declaration around it, with the types that they are given. */
  readonly parameters: ReadonlyMap<string, ScopedType>;
}

export interface ScopedType {
  readonly type: TypeExpression;
  readonly scope: TypeScope;
}

/** What a name means that is a type parameter. */
export function parameterOf(type: TypeExpression, { parameters }: TypeScope): ScopedType | undefined {
  return type.kind === "name" && type.path.length === 1 ? parameters.get(type.path[0] ?? "") : undefined;
}

/**
 * @param used the name of the declaration, with type arguments.
 * @returns the scope inside of the declaration, or the name of a type parameter that is given nothing.
 */
export function enterDeclaration(
  { generics }: TypeDeclaration,
  module: SourceModule,
  { type, scope }: ScopedType,
): TypeScope | string {
  const given = "arguments" in type ? type.arguments : [];
  const parameters = new Map<string, ScopedType>();
  for (const [index, { name, default: fallback }] of generics.entries()) {
    const written = given[index];
    // A default may use the parameters before it. A parameter that is handed on is what it was given.
    const inner = written ? scope : { module, parameters: new Map(parameters) };
    const argument = written ?? fallback;
    if (!argument) return name;
    parameters.set(name, parameterOf(argument, inner) ?? { type: argument, scope: inner });
  }
  return { module, parameters };
}
