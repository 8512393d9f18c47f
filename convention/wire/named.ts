/**
 * Resolves the names in type expressions: to declarations of the project, instantiated with their type arguments as a
 * {@link Definition}, to types of TypeScript and the framework, and to the constants of `typeof`.
 */

import type { Location } from "#runtime/routing/route";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { FunctionValue, TypeDeclaration, TypeExpression } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import { CIRCLE, type DeclaredType, findAnywhere, type LostType, type NamedType } from "../source/names.ts";
import { readBuiltin, refuseBuiltin, refuseMissing } from "./builtins.ts";
import { findConstant } from "./constant-types.ts";
import { readFrameworkType, unknownName } from "./framework-types.ts";
import { indexed } from "./keys.ts";
import { labelPlace, labelType, type Naming } from "./labels.ts";
import { findFunction, resultOf } from "./result-types.ts";
import { OPERATORS } from "./results.ts";
import { findOutput } from "./schemas.ts";
import { enterDeclaration, parameterOf, type ScopedType, type TypeScope } from "./scope.ts";
import {
  type Definition,
  endless,
  type Kind,
  labelOf,
  lazily,
  literalType,
  NEVER,
  type Origin,
  type Refused,
  refuse,
  type Type,
  type TypePlace,
  UNKNOWN,
} from "./type.ts";

type NamedExpression = Extract<TypeExpression, { readonly kind: "name" | "import" }>;
type ConstantExpression = Extract<TypeExpression, { readonly kind: "typeof" }>;
type OtherNamed = Exclude<NamedType, DeclaredType>;

export type ReadType = (type: TypeExpression, scope: TypeScope) => Type;

export interface Names {
  read(type: NamedExpression | ConstantExpression, scope: TypeScope): Type;
  label(type: TypeExpression, scope: TypeScope): string;
}

/** The deepest nesting of type arguments: `type Nested<T> = { inner: Nested<T[]> }` never ends. */
const DEEPEST_NESTED = 40;
/** The longest label: arguments that double at each level, as in `Nested<[T, T]>`, get long before they get deep. */
const LONGEST_LABEL = 10_000;

/**
 * @param readType reads the expressions that are not names.
 * @param readDeclaration reads the body of a declaration; the scope has its type arguments.
 */
export function createNames(
  modules: Modules,
  naming: Naming,
  isResult: boolean,
  readType: ReadType,
  readDeclaration: (declaration: TypeDeclaration, scope: TypeScope) => Type,
): Names {
  /** Definitions by label. */
  const definitions = new Map<string, Definition>();

  const typeArguments = new WeakMap<ScopedType, Type>();
  const constants = new Map<string, Type>();
  const functions = new Map<FunctionValue, Type>();
  const nesting = new WeakMap<TypeScope, number>();

  function label(type: TypeExpression, scope: TypeScope): string {
    return labelType(type, scope, (named, inner) => labelOf(read(named, inner)));
  }

  function read(type: NamedExpression | ConstantExpression, scope: TypeScope): Type {
    if (type.kind === "typeof") return readConstant(type, scope);
    return readName(type, scope, []);
  }

  /** @param followed the aliases that led to this name, to detect cycles. */
  function readName(type: NamedExpression, scope: TypeScope, followed: readonly TypeDeclaration[]): Type {
    const parameter = parameterOf(type, scope);
    if (parameter) return argument(parameter);
    const schema = isResult ? findOutput(modules, type, scope) : undefined;
    if (schema) return { ...schema, at: originAt(type) };
    const named = lookUp(type, scope);
    return named.kind === "declared"
      ? readDeclared(named, type, scope, followed)
      : readOther(named, type, scope);
  }

  function argument(scoped: ScopedType): Type {
    const before = typeArguments.get(scoped);
    if (before) return before;
    const type = readType(scoped.type, scoped.scope);
    typeArguments.set(scoped, type);
    return type;
  }

  function lookUp(type: NamedExpression, { module }: TypeScope): NamedType {
    return findAnywhere(modules, module, type, "type");
  }

  /** Reads a type that the project does not declare. */
  function readOther(named: OtherNamed, type: NamedExpression, scope: TypeScope): Type {
    const types = type.arguments.map((inner) => readType(inner, scope));
    const { text, location } = type;
    const at: Origin = {
      text,
      location,
      isOperator: true,
      label() {
        const name = "path" in named ? named.path.join(".") : text;
        return naming.claim(`${named.kind} ${name}`, name) + labelArguments(types.map(labelOf));
      },
    };
    return { ...toKind(named, type, scope, types), at };
  }

  function toKind(named: OtherNamed, type: NamedExpression, scope: TypeScope, types: readonly Type[]): Kind {
    const name = type.path.join(".");
    switch (named.kind) {
      case "framework": {
        const kind = readFrameworkType(named.from, named.path, types, type);
        const isKnown = kind.kind !== "refused" || !isResult;
        return isKnown ? kind : readResultType(`framework ${named.path.join(".")}`, types, type, kind);
      }
      case "foreign": {
        const why = `it comes from "${named.from}", of which no types are installed`;
        return { kind: "refused", diagnostic: diagnoseForeign(name, why, type.location) };
      }
      case "lost":
        return lost(name, named, type);
      case "global": {
        const global = named.path[0] === "globalThis" ? named.path.slice(1).join(".") : name;
        const kind = readBuiltin(global, types, type);
        if (kind) return kind;
        const refusal = refuseBuiltin(global, type);
        return isResult
          ? readResultType(global, types, type, refusal)
          : (refusal ?? unknownName(name, scope.module, type));
      }
    }
  }

  /** Reads a type that only results have. @param fallback the type of an operator whose argument is unknown. */
  function readResultType(
    name: string,
    of: readonly Type[],
    place: TypePlace,
    fallback: Kind = UNKNOWN,
  ): Kind {
    const operator = OPERATORS.get(name);
    return operator ? (operator(of, place) ?? fallback) : { kind: "named", name, of };
  }

  function readDeclared(
    found: DeclaredType,
    type: NamedExpression,
    scope: TypeScope,
    followed: readonly TypeDeclaration[],
  ): Type {
    const { name, declaration } = found;
    const inner = refuseDeclared(found, type, isResult) ?? enter(found, type, scope);
    if ("kind" in inner) return { ...inner, at: originAt(type) };
    const next = aliasOf(declaration, inner);
    if (next === undefined) return refer(found, type, inner);
    if (!followed.includes(declaration)) {
      const end = readName(next, inner, [...followed, declaration]);
      const { text, location } = type;
      return { ...end, at: { ...end.at, text, location, label: () => labelOf(end) } };
    }
    return { ...endless({ text: name, location: declaration.location }, CIRCLE), at: originAt(type) };
  }

  /** The target of an alias that only renames another type; undefined for any other declaration. */
  function aliasOf(declaration: TypeDeclaration, inner: TypeScope): NamedExpression | undefined {
    const body = declaration.kind === "alias" ? declaration.type : undefined;
    if (body?.kind !== "name" && body?.kind !== "import") return undefined;
    return parameterOf(body, inner) || lookUp(body, inner).kind !== "global" ? body : undefined;
  }

  function refer(found: DeclaredType, type: NamedExpression, scope: TypeScope): Type {
    const to = define(found, scope);
    if (to) return { kind: "reference", to, at: type };
    return { ...endless(type, "it refers to itself without end"), at: originAt(type) };
  }

  /** Finds or creates the definition of an instantiated declaration. @returns undefined for infinitely growing type arguments. */
  function define({ declaration, module, name }: DeclaredType, scope: TypeScope): Definition | undefined {
    const declaredName = naming.claimDeclared({ file: module.file, name });
    const label = declaredName + labelArguments(labelsOf(declaration, scope));
    const before = definitions.get(label);
    if (before) return before;
    if (label.length > LONGEST_LABEL || (nesting.get(scope) ?? 0) > DEEPEST_NESTED) return undefined;
    const { location } = declaration;
    const definition: Definition = {
      name: naming.claimLabel(label),
      declaredName,
      of: [...scope.parameters.values()].map(argument),
      location,
      read: lazily({ text: name, location }, () => readDeclaration(declaration, scope)),
    };
    definitions.set(label, definition);

    return definition;
  }

  /** The labels of the type arguments, without trailing ones that equal the defaults. */
  function labelsOf({ generics }: TypeDeclaration, scope: TypeScope): readonly string[] {
    const labels = [...scope.parameters.values()].map((parameter) => labelOf(argument(parameter)));
    const isDefault = (index: number): boolean => {
      const fallback = generics[index]?.default;
      return fallback != null && label(fallback, scope) === labels[index];
    };
    while (labels.length > 0 && isDefault(labels.length - 1)) labels.pop();
    return labels;
  }

  /** The scope of a declaration's body, with the type arguments of this reference. */
  function enter(
    { declaration, module }: DeclaredType,
    type: NamedExpression,
    scope: TypeScope,
  ): TypeScope | Refused {
    const inner = enterDeclaration(declaration, module, { type, scope });
    const name = type.path.join(".");
    if (typeof inner === "string") return refuseMissing(name, inner, `${name}<Product>`, type);
    const depths = [...inner.parameters.values()].map((parameter) => nesting.get(parameter.scope) ?? 0);
    if (depths.length > 0) nesting.set(inner, Math.max(...depths) + 1);
    return inner;
  }

  function readConstant(type: ConstantExpression, { module }: TypeScope): Type {
    const found = findConstant(modules, module, type);
    if (typeof found === "string")
      return (isResult && readFunction(type, module)) || { ...unreadable(type, found), at: originAt(type) };
    const own = `typeof ${naming.claimDeclared({ file: found.module.file, name: found.name })}`;
    const before = constants.get(own);
    const whole = before ?? readType(found.type, { module: found.module, parameters: new Map() });
    constants.set(own, whole);
    const { text, location } = type;
    const atOwn = (name: string): Origin => ({ text, location, label: () => name, isOperator: true });
    let end: Type = { ...whole, at: atOwn(own) };
    for (const [index, name] of found.rest.entries()) {
      const label = [own, ...found.rest.slice(0, index + 1)].join(".");
      end = { ...indexed(type, end, literalType([name], type)), at: atOwn(label) };
    }
    return end;
  }

  function readFunction(type: ConstantExpression, module: TypeScope["module"]): Type | undefined {
    const found = findFunction(modules, module, type);
    if (found === undefined) return undefined;
    const before = functions.get(found.value);
    if (before) return before;
    const place = originAt(type);
    const unknown: Type = { ...UNKNOWN, at: place };
    let isCircular = false;
    const readReturned = (): Type => {
      const scoped = resultOf(modules, found);
      const type = scoped ? readType(scoped.type, scoped.scope) : unknown;
      return isCircular && type.kind === "never" ? unknown : type;
    };
    // A recursive call reads as `never`, which vanishes in a union, so that it adds nothing to the result.
    const returns = lazily(place, readReturned, () => {
      isCircular = true;
      return { ...NEVER, at: place };
    });
    const made: Type = { kind: "function", returns, at: place };
    functions.set(found.value, made);
    return made;
  }

  return { read, label };
}

function originAt({ text, location }: TypePlace): Origin {
  return { text, location, label: () => labelPlace({ text, location }) };
}

function labelArguments(labels: readonly string[]): string {
  return labels.length > 0 ? `<${labels.join(", ")}>` : "";
}

/** Refuses enums, namespaces, and classes outside of results. */
function refuseDeclared(
  { declaration, name, rest }: DeclaredType,
  type: NamedExpression,
  isResult: boolean,
): Refused | undefined {
  const { kind } = declaration;
  const unsupported = (what: string, instead: string): Refused =>
    refuse("FW323", { what, instead }, declaration);
  if (kind === "enum")
    return unsupported(`the enum \`${name}\``, `its values: type ${name} = "admin" | "guest"`);
  if (kind === "class" && !isResult)
    return unsupported(`the class \`${name}\``, `what it looks like: interface ${name} { … }`);
  if (rest.length > 0) return lost(type.path.join("."), { why: `\`${name}\` is not a namespace` }, type);
  return undefined;
}

function lost(
  name: string,
  { why, nearest, unread = false }: Omit<LostType, "kind">,
  place: TypePlace,
): Refused {
  return refuse("FW327", { name, why, nearest, right: undefined, unread }, place);
}

/** The error for a package's type that can't be read. */
export function diagnoseForeign(type: string, why: string, location: Location): Diagnostic {
  const instead = "Declare it in the project, or use a Standard Schema: Body<typeof schema>";
  return diagnose("FW328", { type, why, instead }, location);
}

function unreadable(type: ConstantExpression, why: string): Refused {
  const instead = "Write its type out, or its value with `as const`";
  return refuse("FW328", { type: `typeof ${type.path.join(".")}`, why, instead }, type);
}
