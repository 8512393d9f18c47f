/** The scope in which a type expression's names are resolved: its module, and the type arguments of the enclosing declaration. */

import type { SourceModule, TypeDeclaration, TypeExpression } from "../source/module.ts";

export interface TypeScope {
  readonly module: SourceModule;
  /** The type arguments by the names of the enclosing declaration's type parameters. */
  readonly parameters: ReadonlyMap<string, ScopedType>;
}

export interface ScopedType {
  readonly type: TypeExpression;
  readonly scope: TypeScope;
}

/** The type argument, if the type is the name of a type parameter. */
export function parameterOf(type: TypeExpression, { parameters }: TypeScope): ScopedType | undefined {
  return type.kind === "name" && type.path.length === 1 ? parameters.get(type.path[0] ?? "") : undefined;
}

/**
 * Binds the type arguments of a reference to the type parameters of its declaration.
 *
 * @returns the scope of the declaration's body, or the name of a type parameter without an argument.
 */
export function enterDeclaration(
  { generics }: TypeDeclaration,
  module: SourceModule,
  { type, scope }: ScopedType,
): TypeScope | string {
  const typeArguments = "arguments" in type ? type.arguments : [];
  const parameters = new Map<string, ScopedType>();
  for (const [index, { name, default: fallback }] of generics.entries()) {
    const written = typeArguments[index];
    // A default may refer to the parameters before it.
    const argumentScope = written ? scope : { module, parameters: new Map(parameters) };
    const argument = written ?? fallback;
    if (!argument) return name;
    // An argument that is itself a type parameter is replaced by its own argument.
    parameters.set(name, parameterOf(argument, argumentScope) ?? { type: argument, scope: argumentScope });
  }
  return { module, parameters };
}
