/** Reads classes and enums, which only results can be made of: as the interface or the union that they are to JSON. */

import type { Ast } from "#convention/deps/babel-parser";
import { isFunction } from "./bodies.ts";
import { typeOfValue } from "./literals.ts";
import type { Member, TypeDeclaration, TypeExpression } from "./module.ts";
import { parseAgain } from "./syntax.ts";
import { locate, pathOf, type Source, textOf } from "./tree.ts";
import { literalOf, toArguments, toReturnType, toTypeParameters, typeOf } from "./types.ts";

const thingPlaces = new WeakMap<TypeDeclaration, readonly [Source, number]>();

/** Keeps no node, as for a function. */
export function keepThing(
  declaration: TypeDeclaration,
  source: Source,
  { start }: Pick<Ast.Node, "start">,
): TypeDeclaration {
  thingPlaces.set(declaration, [source, start ?? 0]);
  return declaration;
}

const readBefore = new WeakMap<TypeDeclaration, TypeDeclaration | null>();

/**
 * Parses its file again.
 *
 * @param rest a member of the enum.
 * @returns null where it can't be read.
 */
export function readThing(declaration: TypeDeclaration, rest: readonly string[]): TypeDeclaration | null {
  const before = readBefore.get(declaration);
  const read = before !== undefined ? before : readAgain(declaration);
  if (before === undefined) readBefore.set(declaration, read);
  return read && rest.length > 0 ? toMemberOf(read, rest) : read;
}

function readAgain(declaration: TypeDeclaration): TypeDeclaration | null {
  const [source, start] = thingPlaces.get(declaration) ?? [];
  if (source === undefined) return null;
  for (const statement of parseAgain(source)) {
    const node = "declaration" in statement ? statement.declaration : statement;
    if (node?.start !== start) continue;
    if (node?.type === "ClassDeclaration") return toInterface(source, node, declaration);
    if (node?.type === "TSEnumDeclaration") return toUnion(source, node, declaration);
  }
  return null;
}

function toInterface(
  source: Source,
  node: Ast.ClassDeclaration,
  { location }: TypeDeclaration,
): TypeDeclaration {
  const { superClass, superTypeParameters, typeParameters, body } = node;
  const path = superClass ? pathOf(superClass) : null;
  const place = { text: node.id?.name ?? "class", location };
  const given = superTypeParameters?.type === "TSTypeParameterInstantiation" ? superTypeParameters : null;
  const base: TypeExpression = path
    ? { kind: "name", path, arguments: toArguments(source, given), ...place }
    : { kind: "other", what: "a computed base", ...place };
  return {
    kind: "class",
    generics:
      typeParameters?.type === "TSTypeParameterDeclaration" ? toTypeParameters(source, typeParameters) : [],
    type: { kind: "object", members: body.body.flatMap((one) => toMembers(source, one)), ...place },
    bases: superClass ? [base] : [],
    location,
  };
}

/** What JSON has: fields, and what `toJSON` returns. Accessors and methods are the prototype's. */
function toMembers(source: Source, node: Ast.ClassBody["body"][number]): Member[] {
  if (node.type === "ClassMethod" && node.kind === "constructor")
    return node.params.flatMap((parameter) => toParameterProperty(source, parameter));
  if (node.type === "ClassMethod" && !node.static && nameOfThing(node) === "toJSON") {
    const returns = toReturnType(source, node.returnType);
    return [{ kind: "other", what: "a method", name: "toJSON", returns, location: locate(source, node) }];
  }
  if (node.type !== "ClassProperty" || node.static || isHidden(node)) return [];
  const name = nameOfThing(node);
  if (name === undefined) return [];
  const { value, readonly } = node;
  const written = toReturnType(source, node.typeAnnotation);
  const type = written ?? (value ? typeOfInitial(source, value, readonly === true) : null);
  const optional = node.optional === true;
  return [
    {
      kind: "property",
      name,
      type: type ?? unreadThing(source, node),
      optional,
      location: locate(source, node),
    },
  ];
}

function typeOfInitial(source: Source, value: Ast.Expression, isFixed: boolean): TypeExpression | null {
  if (!isFunction(value)) return typeOfValue(source, value, isFixed ? "kept" : "wide");
  const place = { text: textOf(source, value), location: locate(source, value) };
  return { kind: "function", parameters: [], returns: toReturnType(source, value.returnType), ...place };
}

function toParameterProperty(source: Source, node: Ast.Node): Member[] {
  if (node.type !== "TSParameterProperty" || isHidden(node)) return [];
  const { parameter } = node;
  const target = parameter.type === "AssignmentPattern" ? parameter.left : parameter;
  if (target.type !== "Identifier") return [];
  const type =
    typeOf(source, target) ??
    (parameter.type === "AssignmentPattern" ? typeOfValue(source, parameter.right, "wide") : null);
  const optional = target.optional === true;
  const location = locate(source, node);
  return [
    { kind: "property", name: target.name, type: type ?? unreadThing(source, node), optional, location },
  ];
}

function isHidden({ accessibility }: { accessibility?: string | null | undefined }): boolean {
  return accessibility === "private" || accessibility === "protected";
}

function nameOfThing({ key, computed }: Ast.ClassProperty | Ast.ClassMethod): string | undefined {
  if (computed) return undefined;
  return key.type === "Identifier" ? key.name : String(literalOf(key) ?? "");
}

function unreadThing(source: Source, node: Ast.Node): TypeExpression {
  return {
    kind: "other",
    what: "a field without a type",
    text: textOf(source, node),
    location: locate(source, node),
  };
}

function toUnion(
  source: Source,
  { members }: Ast.TSEnumDeclaration,
  { location }: TypeDeclaration,
): TypeDeclaration | null {
  const of: TypeExpression[] = [];
  const names: string[] = [];
  let next: number | undefined = 0;
  for (const member of members) {
    const value: unknown = member.initializer ? literalOf(member.initializer) : next;
    if (typeof value !== "string" && typeof value !== "number") return null;
    next = typeof value === "number" ? value + 1 : undefined;
    of.push({ kind: "literal", value, text: textOf(source, member), location: locate(source, member) });
    names.push(member.id.type === "Identifier" ? member.id.name : member.id.value);
  }
  const type: TypeExpression = { kind: "union", of, text: "enum", location };
  const declaration: TypeDeclaration = { kind: "enum", generics: [], type, bases: [], location };
  namesOf.set(declaration, names);
  return declaration;
}

/** Of the members of an enum, in their order. */
const namesOf = new WeakMap<TypeDeclaration, readonly string[]>();

/** `Role.Admin` */
function toMemberOf(
  declaration: TypeDeclaration,
  [name = "", ...more]: readonly string[],
): TypeDeclaration | null {
  const { type } = declaration;
  const index = namesOf.get(declaration)?.indexOf(name) ?? -1;
  const found = type?.kind === "union" && more.length === 0 ? type.of[index] : undefined;
  return found ? { ...declaration, type: found } : null;
}
