/** Reads what a function returns from the declarations of a copy, as a type of the original. */

import { posix } from "node:path";
import type { SourceModule, TypeExpression } from "#convention/source/module";
import { type Modules, pathBetween, toRelative } from "#convention/source/modules";
import { endOf } from "#convention/wire/marks";
import type { ScopedType } from "#convention/wire/scope";
import type { Location } from "#runtime/routing/route";

/** A copy's original, and what is needed to find what a name in its declarations means. */
export interface Original {
  readonly module: SourceModule;
  readonly modules: Modules;
  /** The path from the folder of the copies to the project. */
  readonly home: string;
}

/**
 * @param declarations of the copy.
 * @param name of the function in it.
 * @param location what the type is to have in place of one in the declarations.
 */
export function readReturnType(
  declarations: SourceModule,
  name: string,
  original: Original,
  location: Location,
): ScopedType | undefined {
  const parameters = new Map<string, ScopedType>();
  const scope = { module: original.module, parameters };
  const settle = createSettle(original, location, parameters);
  const visited = new Set<string>();
  for (let next = name; !visited.has(next); ) {
    visited.add(next);
    const value = declarations.values.get(next);
    if (value?.kind === "name") next = value.name;
    if (value?.kind !== "function") continue;
    if (value.returns) return { type: settle(value.returns), scope };
    const { contextual } = value;
    if (contextual?.kind === "typeof" && contextual.path.length === 1) next = contextual.path[0] ?? "";
    else if (contextual) return returnsOf({ type: settle(contextual), scope }, original.modules);
  }
  return undefined;
}

/** Of a function type, or the name of one. */
function returnsOf(given: ScopedType, modules: Modules): ScopedType | undefined {
  const { type, scope } = endOf(modules, given);
  return type.kind === "function" && type.returns ? { type: type.returns, scope } : undefined;
}

/** @param parameters gets what stands for types that the original can't name. */
function createSettle(
  { module, home, modules }: Original,
  location: Location,
  parameters: Map<string, ScopedType>,
): (type: TypeExpression) => TypeExpression {
  return settle;

  function settle(type: TypeExpression): TypeExpression {
    switch (type.kind) {
      case "name":
        return settleName(type);
      case "import":
        return settleImport(type);
      case "typeof":
        return { ...type, location, ...(type.from !== undefined && { from: pointBack(type.from) }) };
      case "union": {
        const of = type.of.map(settle);
        return { ...type, location, of, text: of.map(({ text }) => text).join(" | ") };
      }
      default:
        return settleInside(type) as TypeExpression; // each part of it is one of the same kind
    }
  }

  /** Expressions are plain data, whatever is in which field. */
  function settleInside(part: object): object {
    const entries = Object.entries(part).map(([key, value]) => [key, settlePart(key, value)] as const);
    return Object.fromEntries(entries);
  }

  function settlePart(key: string, value: unknown): unknown {
    if (key === "location") return location;
    if (Array.isArray(value)) return value.map((one) => settlePart("", one));
    if (typeof value !== "object" || value === null) return value;
    return "text" in value ? settle(value as TypeExpression) : settleInside(value);
  }

  /** `$Pair` is what a copy has in place of an array literal; messages show the text. */
  function settleName(type: Extract<TypeExpression, { kind: "name" }>): TypeExpression {
    const given = type.arguments.map(settle);
    const texts = given.map(({ text }) => text).join(", ");
    if (type.path[0] !== "$Pair")
      return {
        ...type,
        location,
        arguments: given,
        text: texts ? `${type.path.join(".")}<${texts}>` : type.text,
      };
    const items = given.map((one) => ({ type: one, optional: false, rest: false }));
    return { kind: "tuple", items, text: `[${texts}]`, location };
  }

  function settleImport(type: Extract<TypeExpression, { kind: "import" }>): TypeExpression {
    const given = type.arguments.map(settle);
    const from = pointBack(type.from);
    const [first = ""] = type.path;
    const file = modules.resolve(module.file, from, true);
    const target = file === undefined ? undefined : modules.get(file);
    // A copy exports all of its types.
    if (!target?.types.has(first) || target.exports.has(first))
      return { ...type, location, from, arguments: given };
    // A parameter may mean a type of any file, whether that exports it or not.
    const names = given.map((_, index) => `${index}`);
    const inside = new Map(
      given.map((one, index) => [`${index}`, { type: one, scope: { module, parameters } }]),
    );
    const place = { location, text: type.text };
    const inner: TypeExpression = {
      kind: "name",
      path: type.path,
      arguments: names.map((name) => ({ kind: "name", path: [name], arguments: [], ...place })),
      ...place,
    };
    const name = `$${parameters.size}`;
    parameters.set(name, { type: inner, scope: { module: target, parameters: inside } });
    return { kind: "name", path: [name], arguments: [], ...place };
  }

  /** @param from as a copy writes it. */
  function pointBack(from: string): string {
    if (!from.startsWith(".")) return from;
    const path = posix.join(posix.dirname(module.file), from);
    const file = path.startsWith("..") ? pathBetween(home, path) : path;
    return FRAMEWORK.test(file) ? "framework" : toRelative(module.file, file);
  }
}

const FRAMEWORK = /(?:^|\/)(?:vendor|node_modules)\/framework\//;
