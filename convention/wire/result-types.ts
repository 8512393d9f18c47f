/** Finds the declared or inferred result type of a function. */

import { globalType, keyword, unionOf } from "../source/literals.ts";
import type { FunctionValue, SourceModule, TypeExpression, ValueName } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import { followValue } from "../source/names.ts";
import { readReturns } from "../source/returned.ts";
import { endOf } from "./marks.ts";
import type { ScopedType, TypeScope } from "./scope.ts";

/** A function, and the module that declares it. */
export interface FunctionSource {
  readonly module: SourceModule;
  readonly value: FunctionValue;
}

/** Resolves a name to a function, through aliases. */
export function findFunction(
  modules: Modules,
  module: SourceModule,
  written: ValueName,
): FunctionSource | undefined {
  const found = followValue(modules, module, written);
  if (found === undefined || found.rest.length > 0 || found.declaration.kind !== "function") return undefined;
  return { module: found.module, value: found.declaration };
}

/** The declared result type, else the one inferred from its `return`s. */
export function resultOf(modules: Modules, source: FunctionSource): ScopedType | undefined {
  const { module, value } = source;
  const written = writtenResultOf(modules, source);
  const returned = written ? undefined : readReturns(value, module);
  if (returned === undefined) return written;
  const { types, isAsync, isGenerator } = returned;
  const place = { text: "what it returns", location: value.location };
  const type = types.length > 0 ? unionOf(types, place) : keyword("never", place);
  const wrapper = isGenerator ? (isAsync ? "AsyncGenerator" : "Generator") : isAsync ? "Promise" : undefined;
  return { type: wrapper ? globalType(wrapper, [type], place) : type, scope: scopeOf(module, value) };
}

/** The declared result type: of the function, its overloads, or the annotation of its variable. */
export function writtenResultOf(modules: Modules, { module, value }: FunctionSource): ScopedType | undefined {
  const scope = scopeOf(module, value);
  if (value.returns) return { type: value.returns, scope };
  const overloads = value.overloads?.flatMap(({ returns }) => returns ?? []) ?? [];
  const place = { text: "its overloads", location: value.location };
  if (overloads.length > 0) return { type: unionOf(overloads, place), scope };
  if (value.contextual === null) return undefined;
  const { type, scope: inner } = endOf(modules, { type: value.contextual, scope });
  if (type.kind === "function" && type.returns) return { type: type.returns, scope: inner };
  return undefined;
}

/** The scope of a function's types. Its type parameters are `unknown`, because the calls are not analysed. */
export function scopeOf(module: SourceModule, { generics, location }: FunctionValue): TypeScope {
  const type: TypeExpression = { kind: "keyword", name: "unknown", text: "unknown", location };
  const unknown: ScopedType = { type, scope: { module, parameters: new Map() } };
  return { module, parameters: new Map(generics.map((name) => [name, unknown])) };
}
