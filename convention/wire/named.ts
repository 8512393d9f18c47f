/** Follows the names in types: to declarations, whose type parameters are substituted, and to types of TypeScript and the framework. */

import { diagnose } from "../diagnostics/catalogue.ts";
import type { FunctionValue, SourceModule, TypeDeclaration, TypeExpression } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import {
  CIRCLE,
  type DeclaredType,
  findImportedType,
  findType,
  type LostType,
  type NamedType,
} from "../source/names.ts";
import { readThing } from "../source/things.ts";
import { once } from "../source/types.ts";
import { readBuiltin } from "./builtins.ts";
import { findConstant } from "./constant-types.ts";
import { readFrameworkType, unknownName } from "./framework-types.ts";
import { indexedOutline } from "./keys.ts";
import { createNameGiver, labelPlace, labelType } from "./labels.ts";
import {
  createPart,
  endless,
  type Outline,
  type Part,
  type Refused,
  refused,
  refusedLater,
  type Sent,
  type TypePlace,
  toPart,
  UNKNOWN,
  withoutSent,
} from "./outline.ts";
import { findFunction, resultOf } from "./result-types.ts";
import type { ScopedType, TypeScope } from "./scope.ts";
import { settle } from "./sent.ts";
import { OPERATORS } from "./sent-operators.ts";
import { literalPart } from "./unions.ts";

type NamedExpression = Extract<TypeExpression, { readonly kind: "name" | "import" }>;
type ConstantExpression = Extract<TypeExpression, { readonly kind: "typeof" }>;

export interface Names {
  partOf(type: NamedExpression | ConstantExpression, scope: TypeScope): Part;
  labelOf(type: TypeExpression, scope: TypeScope): string;
  /** @returns a name that no other type has. */
  claim(key: string, wanted: string): string;
}

export interface Evaluator {
  part(type: TypeExpression, scope: TypeScope): Part;
  /** What a declaration is on its outside, with its type parameters in the scope. */
  declared(declaration: TypeDeclaration, scope: TypeScope): Outline;
}

/** How often a type may be given one that is made of it: `type Nested<T> = { inner: Nested<T[]> }` never ends. */
const DEEPEST_NESTED = 40;
/** Arguments that double with each step, as in `Nested<[T, T]>`, are long before they are deep. */
const LONGEST_LABEL = 10_000;

const NONE: ReadonlySet<TypeDeclaration> = new Set();

export function createNames(modules: Modules, evaluator: Evaluator): Names {
  const names = createNameGiver();
  const known = new Map<string, Part>();
  const returned = new Map<FunctionValue, Part>();
  /** Of the declarations without type parameters. */
  const simple = new Map<TypeDeclaration, Part>();
  const given = new WeakMap<ScopedType, Part>();
  /** By what a module writes, where its place does not matter: most names are written many times. */
  const written = new WeakMap<SourceModule, Map<string, Part>>();
  const nesting = new WeakMap<TypeScope, number>();

  function partOf(type: NamedExpression | ConstantExpression, scope: TypeScope): Part {
    const { label, outline, role, operands, location: declared } = findWritten(type, scope);
    return { text: type.text, location: type.location, label, outline, role, operands, declared };
  }

  function findWritten(type: NamedExpression | ConstantExpression, scope: TypeScope): Part {
    const text = scope.parameters.size === 0 ? writtenText(type) : undefined;
    if (text === undefined) return findPart(type, scope);
    const texts = written.get(scope.module) ?? new Map<string, Part>();
    const before = texts.get(text);
    if (before) return before;
    const part = findPart(type, scope);
    // A builtin's outline can refuse a place, unlike that of a constant.
    if (part.role === "named" || (part.role && type.kind === "typeof"))
      written.set(scope.module, texts.set(text, part));
    return part;
  }

  function findPart(type: NamedExpression | ConstantExpression, scope: TypeScope): Part {
    return type.kind === "typeof" ? constant(type, scope) : find(type, scope, NONE);
  }

  function labelOf(type: TypeExpression, scope: TypeScope): string {
    return labelType(type, scope, (named, inner) => partOf(named, inner).label());
  }

  function find(type: NamedExpression, scope: TypeScope, followed: ReadonlySet<TypeDeclaration>): Part {
    const parameter = parameterOf(type, scope);
    if (parameter) return argument(parameter);
    const named = lookUp(type, scope);
    return named.kind === "declared"
      ? findDeclared(named, type, scope, followed)
      : findOther(named, type, scope);
  }

  function argument(scoped: ScopedType): Part {
    const before = given.get(scoped);
    if (before) return before;
    const part = evaluator.part(scoped.type, scoped.scope);
    given.set(scoped, part);
    return part;
  }

  function lookUp(type: NamedExpression, { module }: TypeScope): NamedType {
    return type.kind === "name"
      ? findType(modules, module, type.path)
      : findImportedType(modules, module, type.from, type.path);
  }

  /** A type that no file of the project declares. */
  function findOther(named: Exclude<NamedType, DeclaredType>, type: NamedExpression, scope: TypeScope): Part {
    const parts = type.arguments.map((inner) => evaluator.part(inner, scope));
    const label = (): string => {
      const name = "path" in named ? named.path.join(".") : type.text;
      const own = names.claim(`${named.kind} ${name}`, name);
      return own + labelArguments(parts.map((part) => part.label()));
    };
    return createPart(type, label, () => readOther(named, type, scope, parts), "operator");
  }

  function readOther(
    named: Exclude<NamedType, DeclaredType>,
    type: NamedExpression,
    { module }: TypeScope,
    parts: readonly Part[],
  ): Outline {
    const name = type.path.join(".");
    switch (named.kind) {
      case "framework": {
        const outline = readFrameworkType(named.from, named.path, parts, type);
        return withName(`framework ${named.path.join(".")}`, parts, type, outline);
      }
      case "foreign":
        return refused(diagnose("FW328", { type: name, ...ofPackage(named.from) }, type.location));
      case "lost":
        return lost(name, named, type);
      case "global": {
        const global = named.path[0] === "globalThis" ? named.path.slice(1).join(".") : name;
        const outline = readBuiltin(global, parts, type);
        return outline
          ? withName(global, parts, type, outline)
          : refusedLater(() => unknownName(name, module, type).diagnostic, toSent(global, parts, type));
      }
    }
  }

  function findDeclared(
    found: DeclaredType,
    type: NamedExpression,
    scope: TypeScope,
    followed: ReadonlySet<TypeDeclaration>,
  ): Part {
    const bad = refuseDeclared(found, type);
    if (bad === undefined) return findRead(found, type, scope, followed);
    const sent = once(() => findSent(found, type, scope));
    return createPart(
      type,
      () => sent()?.label() ?? labelPlace(type),
      () => {
        const as = sent();
        return as ? { ...bad, sent: { kind: "same", as: () => as } } : bad;
      },
    );
  }

  /** What results have of an enum or a class. */
  function findSent(found: DeclaredType, type: NamedExpression, scope: TypeScope): Part | undefined {
    const declaration = readThing(found.declaration, found.rest);
    return declaration ? findRead({ ...found, declaration, rest: [] }, type, scope, NONE) : undefined;
  }

  function findRead(
    found: DeclaredType,
    type: NamedExpression,
    scope: TypeScope,
    followed: ReadonlySet<TypeDeclaration>,
  ): Part {
    const { declaration, module } = found;
    const inner = bind(declaration, type, scope, module);
    if ("kind" in inner)
      return createPart(
        type,
        () => labelPlace(type),
        () => inner,
      );
    const next = aliasOf(declaration, inner);
    if (next && followed.has(declaration))
      return createPart(
        type,
        () => labelPlace(type),
        () => endless(place(found), CIRCLE),
      );
    if (next) return find(next, inner, new Set(followed).add(declaration));
    return instance(found, type, inner);
  }

  /** The name that an alias is another name for, if it is just that. */
  function aliasOf(declaration: TypeDeclaration, inner: TypeScope): NamedExpression | undefined {
    const body = declaration.kind === "alias" ? declaration.type : undefined;
    if (body?.kind !== "name" && body?.kind !== "import") return undefined;
    return parameterOf(body, inner) || lookUp(body, inner).kind !== "global" ? body : undefined;
  }

  function instance(found: DeclaredType, type: NamedExpression, scope: TypeScope): Part {
    const { declaration, module, name } = found;
    const plain = scope.parameters.size === 0 ? simple.get(declaration) : undefined;
    if (plain) return plain;
    const own = names.claim(`${module.file} ${name}`, name);
    const label = own + labelArguments(labelsOf(declaration, scope));
    const before = known.get(label);
    if (before) return before;
    if (label.length > LONGEST_LABEL || (nesting.get(scope) ?? 0) > DEEPEST_NESTED)
      return createPart(
        type,
        () => labelPlace(type),
        () => endless(type, "it refers to itself without end"),
      );
    const read = (): Outline => evaluator.declared(declaration, scope);
    const part = createPart(place(found), () => label, read, "named");
    known.set(label, part);
    if (scope.parameters.size === 0) simple.set(declaration, part);
    return part;
  }

  /** Of what the type parameters are given, without the last ones if they are the defaults. */
  function labelsOf({ generics }: TypeDeclaration, scope: TypeScope): readonly string[] {
    const labels = [...scope.parameters.values()].map((parameter) => argument(parameter).label());
    const isDefault = (index: number): boolean => {
      const fallback = generics[index]?.default;
      return fallback != null && labelOf(fallback, scope) === labels[index];
    };
    while (labels.length > 0 && isDefault(labels.length - 1)) labels.pop();
    return labels;
  }

  /** The scope of a declaration's inside, where its type parameters have the types that are given here. */
  function bind(
    { generics }: TypeDeclaration,
    type: NamedExpression,
    scope: TypeScope,
    module: TypeScope["module"],
  ): TypeScope | Refused {
    const parameters = new Map<string, ScopedType>();
    const inner: TypeScope = { module, parameters };
    let deepest = 0;
    for (const [index, { name, default: fallback }] of generics.entries()) {
      const written = type.arguments[index];
      const scoped = written ? toScoped(written, scope) : fallback && toScoped(fallback, snapshot(inner));
      if (!scoped) return missingArgument(type, name);
      deepest = Math.max(deepest, nesting.get(scoped.scope) ?? 0);
      parameters.set(name, scoped);
    }
    if (generics.length > 0) nesting.set(inner, deepest + 1);
    return inner;
  }

  function constant(type: ConstantExpression, { module }: TypeScope): Part {
    const found = findConstant(modules, module, type);
    if (typeof found === "string")
      return createPart(
        type,
        () => labelPlace(type),
        () => ({ ...unreadable(type, found), ...sentOf(type, module) }),
      );
    const key = `${found.module.file} ${found.name}`;
    const own = names.claim(`typeof ${key}`, `typeof ${found.name}`);
    const label = [own, ...found.rest].join(".");
    const before = known.get(label);
    if (before) return before;
    const whole = evaluator.part(found.type, { module: found.module, parameters: new Map() });
    const part = found.rest.reduce(
      (object, name) => {
        const inner = `${object.label()}.${name}`;
        return createPart(
          type,
          () => inner,
          () => indexedOutline(type, object, literalPart(type, [name])),
        );
      },
      createPart(whole, () => own, whole.outline, "operator"),
    );
    known.set(label, part);
    return part;
  }

  /** Of a function. */
  function sentOf(type: ConstantExpression, module: SourceModule): Pick<Refused, "sent"> {
    const found = findFunction(modules, module, type);
    const returns = (): Part | undefined => {
      if (found === undefined) return undefined;
      const before = returned.get(found.value);
      if (before) return before;
      const scoped = resultOf(modules, found);
      const part = scoped && evaluator.part(scoped.type, scoped.scope);
      if (part) returned.set(found.value, part);
      return part;
    };
    return found ? { sent: { kind: "function", returns } } : {};
  }

  return { partOf, labelOf, claim: names.claim };
}

function parameterOf(type: TypeExpression, { parameters }: TypeScope): ScopedType | undefined {
  return type.kind === "name" && type.path.length === 1 ? parameters.get(type.path[0] ?? "") : undefined;
}

/** A parameter that is handed on is what it was given. */
function toScoped(type: TypeExpression, scope: TypeScope): ScopedType {
  return parameterOf(type, scope) ?? { type, scope };
}

/** The parameters so far, which a default may use. */
function snapshot({ module, parameters }: TypeScope): TypeScope {
  return { module, parameters: new Map(parameters) };
}

/** A name with its type arguments; undefined for one that may be written in other ways. */
function writtenText(type: NamedExpression | ConstantExpression): string | undefined {
  if (type.kind === "typeof" && type.from === undefined) return `typeof ${type.path.join(".")}`;
  if (type.kind !== "name") return undefined;
  let text = type.path.join(".");
  for (const argument of type.arguments) {
    if (argument.kind !== "literal") return undefined;
    text += ` ${JSON.stringify(argument.value)}`;
  }
  return text;
}

function labelArguments(labels: readonly string[]): string {
  return labels.length > 0 ? `<${labels.join(", ")}>` : "";
}

function place({ name, declaration }: DeclaredType): TypePlace {
  return { text: name, location: declaration.location };
}

function withName(name: string, of: readonly Part[], place: TypePlace, outline: Outline): Outline {
  if (outline.kind !== "refused" || outline.sent) return outline;
  return { ...outline, sent: toSent(name, of, place, outline) };
}

/** @param bad what an operator comes to that has nothing to work on. */
function toSent(name: string, of: readonly Part[], place: TypePlace, bad?: Refused): Sent {
  const operator = OPERATORS.get(name);
  const apply = (): Part | undefined =>
    operator?.(of.map(settle), place) ?? (operator && bad && toPart(place, place.text, withoutSent(bad)));
  let isApplied = false;
  // What it works on may be made of itself, as the result of a function that calls itself.
  let applied: Part | undefined = toPart(place, place.text, UNKNOWN);
  return {
    kind: "named",
    name,
    of,
    as() {
      if (isApplied) return applied;
      isApplied = true;
      applied = apply();
      return applied;
    },
  };
}

function refuseDeclared(
  { declaration, name, rest }: DeclaredType,
  type: NamedExpression,
): Refused | undefined {
  const { kind, location } = declaration;
  if (kind === "enum")
    return refused(
      diagnose(
        "FW323",
        { what: `the enum \`${name}\``, instead: `its values: type ${name} = "admin" | "guest"` },
        location,
      ),
    );
  if (kind === "class")
    return refused(
      diagnose(
        "FW323",
        { what: `the class \`${name}\``, instead: `what it looks like: interface ${name} { … }` },
        location,
      ),
    );
  if (rest.length > 0) return lost(type.path.join("."), { why: `\`${name}\` is not a namespace` }, type);
  return undefined;
}

function lost(
  name: string,
  { why, nearest, unread = false }: Omit<LostType, "kind">,
  { location }: TypePlace,
): Refused {
  return refused(diagnose("FW327", { name, why, nearest, right: undefined, unread }, location));
}

function ofPackage(from: string): { readonly why: string; readonly instead: string } {
  const why = `it comes from "${from}", and the types of packages are not read`;
  return { why, instead: "Declare it in the project, or use a Standard Schema: Body<typeof schema>" };
}

function missingArgument({ path, location }: NamedExpression, parameter: string): Refused {
  const name = path.join(".");
  return refused(
    diagnose(
      "FW340",
      { name, wanted: `a type for \`${parameter}\``, found: "none", example: `${name}<Product>` },
      location,
    ),
  );
}

function unreadable({ path, location }: ConstantExpression, why: string): Refused {
  const instead = "Write its type out, or its value with `as const`";
  return refused(diagnose("FW328", { type: `typeof ${path.join(".")}`, why, instead }, location));
}
