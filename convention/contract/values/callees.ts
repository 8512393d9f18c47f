/** Finds the functions and the classes of the project that a function calls, and those of the values that it has. */

import type { Ast } from "#convention/deps/babel-parser";
import { resolveType } from "../../rule/param-types.ts";
import type { SourceModule, TypeDeclaration } from "../../source/module.ts";
import type { Modules } from "../../source/modules.ts";
import { type DeclaredValue, followValue, importedFromFramework } from "../../source/names.ts";
import { sourceOf } from "../../source/syntax.ts";
import type { Callable, WrittenClass } from "../../source/throws.ts";
import { pathOf } from "../../source/tree.ts";
import { typeOf } from "../../source/types.ts";
import type { Written } from "../../source/written.ts";
import { readWrittenModule } from "../../source/written-module.ts";

/** A function of the project. */
export interface Callee {
  readonly module: SourceModule;
  readonly callable: Callable;
  /** The class that it is a method of. */
  readonly owner?: Owner | undefined;
}

export interface Owner {
  readonly module: SourceModule;
  readonly written: WrittenClass;
}

/** How many names or classes may lead to each other. */
export const DEEPEST = 20;

export function isRequest(modules: Modules, { module, callable }: Callee, parameter: number): boolean {
  const param = callable.params[parameter];
  if (param?.type !== "Identifier") return false;
  const type = typeOf(sourceOf(module), param);
  if (type === null) return param.name === "request";
  const scope = { modules, module, generics: new Set<string>(), followed: new Set<TypeDeclaration>() };
  return resolveType(scope, type).kind === "request";
}

/** @returns undefined for what is not a class of the project. */
export function findClass(
  modules: Modules,
  module: SourceModule,
  path: readonly string[],
): Owner | undefined {
  const found = findDeclared(modules, module, path);
  if (found === undefined || found.rest.length > 0) return undefined;
  const written = readWrittenModule(found.module).classes.get(found.name);
  return written && { module: found.module, written };
}

/** Follows a name to its declaration, also through `const a = b`. */
export function findDeclared(
  modules: Modules,
  module: SourceModule,
  path: readonly string[],
): DeclaredValue | undefined {
  return followValue(modules, module, { path }, DEEPEST);
}

export function findCallee(
  modules: Modules,
  frame: Pick<Callee, "module" | "owner">,
  path: readonly string[],
): Callee | undefined {
  const [root, method = ""] = path;
  if (root === "this") return frame.owner && findMethod(modules, frame.owner, method);
  const found = findDeclared(modules, frame.module, path);
  if (found === undefined) return undefined;
  const { module, name, rest } = found;
  const written = readWrittenModule(module);
  const callable = written.callable([name, ...rest]);
  if (callable) return { module, callable };
  const [member, ...more] = rest;
  if (member === undefined || more.length > 0) return undefined;
  const ownClass = written.classes.get(name);
  if (ownClass) {
    const owner = { module, written: ownClass };
    return findMethod(modules, owner, member, "statics");
  }
  const value = written.constant(name);
  const owner = findClassOf(modules, { module }, value);
  return owner && findMethod(modules, owner, member);
}

/** Of the class, or of one that it extends. */
export function findMethod(
  modules: Modules,
  first: Owner,
  name: string,
  kind: "methods" | "statics" = "methods",
): Callee | undefined {
  let owner: Owner | undefined = first;
  for (let depth = 0; owner && depth < DEEPEST; depth++) {
    const callable: Callable | undefined = owner.written[kind].get(name);
    if (callable) return { module: owner.module, callable, owner };
    const superPath: readonly string[] | undefined = owner.written.superPath;
    owner = superPath && findClass(modules, owner.module, superPath);
  }
  return undefined;
}

/** The class of the project that a value is made of. */
export function findClassOf(
  modules: Modules,
  frame: Pick<Callee, "module" | "owner"> & Partial<Callee>,
  value: Written,
  depth = 0,
): Owner | undefined {
  if (value.kind === "made") return findClass(modules, frame.module, value.path);
  if (value.kind === "called") return givenClass(modules, findCallee(modules, frame, value.path), depth);
  if (value.kind === "name") return constantClass(modules, frame.module, value.path, depth);
  if (value.kind !== "parameter") return undefined;
  const param = frame.callable?.params[value.index];
  const bare = param?.type === "AssignmentPattern" ? param.left : param;
  return bare?.type === "Identifier"
    ? typedClass(modules, frame.module, bare.typeAnnotation, depth)
    : undefined;
}

function constantClass(
  modules: Modules,
  module: SourceModule,
  path: readonly string[],
  depth: number,
): Owner | undefined {
  const found = depth > DEEPEST ? undefined : findDeclared(modules, module, path);
  if (found === undefined || found.rest.length > 0) return undefined;
  const value = readWrittenModule(found.module).constant(found.name);
  return findClassOf(modules, { module: found.module }, value, depth + 1);
}

/** Of what a function returns or yields: as it is written, else as it is made. */
function givenClass(modules: Modules, callee: Callee | undefined, depth: number): Owner | undefined {
  if (callee === undefined || depth > DEEPEST) return undefined;
  const { module, callable } = callee;
  if (callable.returnType) return typedClass(modules, module, callable.returnType, depth);
  const { gives } = readWrittenModule(module).factsOf(callable);
  const found = gives.map((value) => findClassOf(modules, callee, value, depth + 1));
  return found.find((owner) => owner !== undefined);
}

/** What only holds the value that a function gives. */
const HOLDERS = /^(?:Promise|(?:Async)?Generator)$/;

function typedClass(
  modules: Modules,
  module: SourceModule,
  annotation: Ast.Node | null | undefined,
  depth: number,
): Owner | undefined {
  const type = annotation?.type === "TSTypeAnnotation" ? annotation.typeAnnotation : annotation;
  const path = type?.type === "TSTypeReference" ? pathOf(type.typeName) : null;
  if (type?.type !== "TSTypeReference" || path === null) return undefined;
  const [given] = type.typeParameters?.params ?? [];
  if (HOLDERS.test(path.join("."))) return typedClass(modules, module, given, depth);
  if (importedFromFramework(module, path) !== "From") return findClass(modules, module, path);
  const provider = given?.type === "TSTypeQuery" ? pathOf(given.exprName) : null;
  return provider ? givenClass(modules, findCallee(modules, { module }, provider), depth + 1) : undefined;
}
