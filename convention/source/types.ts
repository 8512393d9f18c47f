/** Converts the types in signatures and declarations from syntax tree nodes to {@link TypeExpression}s. */

import type { Ast } from "#convention/deps/babel-parser";
import type { Location } from "#runtime/routing/route";
import type {
  KeywordType,
  Literal,
  Member,
  Parameter,
  TupleItem,
  TypeDeclaration,
  TypeExpression,
  TypeParameter,
} from "./module.ts";
import { locate, pathOf, type Source, textOf } from "./tree.ts";

/** Skips a `this` parameter, which callers don't pass. */
export function toParameters(source: Source, nodes: readonly Ast.Node[]): Parameter[] {
  return nodes
    .filter((node) => !(node.type === "Identifier" && node.name === "this"))
    .map((node) => toParameter(source, node));
}

function toParameter(source: Source, node: Ast.Node): Parameter {
  const location = locate(source, node);
  if (node.type === "RestElement") return { kind: "rest", location };
  const [target, value] = node.type === "AssignmentPattern" ? [node.left, node.right] : [node];
  if (target.type === "ObjectPattern" || target.type === "ArrayPattern")
    return {
      kind: "destructured",
      type: typeOf(source, target),
      optional: value !== undefined,
      defaults: target.type === "ObjectPattern" ? defaultsIn(target) : new Map(),
      location,
    };
  if (target.type !== "Identifier")
    return { kind: "destructured", type: null, optional: false, defaults: new Map(), location };
  const literal = value && literalOf(value);
  return {
    kind: "plain",
    name: target.name,
    type: typeOf(source, target) ?? (value ? typeOfDefault(source, value) : null),
    optional: value !== undefined || target.optional === true,
    ...(literal !== undefined && { default: literal }),
    location,
  };
}

/** @example `{ limit: most = 20 }` has 20 for `limit` */
function defaultsIn({ properties }: Ast.ObjectPattern): ReadonlyMap<string, Literal> {
  return new Map(
    properties.flatMap((property): (readonly [string, Literal])[] => {
      if (property.type === "RestElement") return [];
      const { value } = property;
      const literal = value.type === "AssignmentPattern" ? literalOf(value.right) : undefined;
      const name = keyOf(property);
      return literal === undefined || name === undefined ? [] : [[name, literal]];
    }),
  );
}

/** Like TypeScript, infers `number` for `id = 5`. */
function typeOfDefault(source: Source, node: Ast.Expression): TypeExpression | null {
  if (node.type !== "NumericLiteral" && node.type !== "StringLiteral") return null;
  const name = node.type === "NumericLiteral" ? "number" : "string";
  return { kind: "keyword", name, text: name, location: locate(source, node) };
}

/** @returns the value of a literal; undefined for any other expression. */
export function literalOf(node: Ast.Node): Literal | undefined {
  switch (node.type) {
    case "StringLiteral":
    case "NumericLiteral":
    case "BooleanLiteral":
      return node.value;
    case "NullLiteral":
      return null;
    case "TemplateLiteral":
      return node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? undefined) : undefined;
    case "UnaryExpression":
      return node.operator === "-" && node.argument.type === "NumericLiteral"
        ? -node.argument.value
        : undefined;
    default:
      return undefined;
  }
}

/** The name of a property or a member; undefined for a computed key that is not a literal. */
export function keyOf({ key, computed }: { key: Ast.Node; computed?: boolean | null }): string | undefined {
  if (key.type === "Identifier" && !computed) return key.name;
  const literal = literalOf(key);
  return literal === undefined ? undefined : String(literal);
}

/** The type annotation of a name or a pattern. */
export function typeOf(
  source: Source,
  { typeAnnotation }: Pick<Ast.Identifier, "typeAnnotation">,
): TypeExpression | null {
  return toReturnType(source, typeAnnotation);
}

/** @param node the return type annotation of a function. */
export function toReturnType(source: Source, node: Ast.Node | null | undefined): TypeExpression | null {
  return node?.type === "TSTypeAnnotation" ? toType(source, node.typeAnnotation) : null;
}

const KEYWORDS: Readonly<Partial<Record<Ast.TSType["type"], KeywordType>>> = {
  TSAnyKeyword: "any",
  TSBigIntKeyword: "bigint",
  TSBooleanKeyword: "boolean",
  TSNeverKeyword: "never",
  TSNullKeyword: "null",
  TSNumberKeyword: "number",
  TSObjectKeyword: "object",
  TSStringKeyword: "string",
  TSSymbolKeyword: "symbol",
  TSUndefinedKeyword: "undefined",
  TSUnknownKeyword: "unknown",
  TSVoidKeyword: "void",
};

/** The names of unsupported types for messages. */
const UNREAD: Readonly<Partial<Record<Ast.TSType["type"], string>>> = {
  TSConditionalType: "a conditional type",
  TSConstructorType: "a constructor type",
  TSIndexedAccessType: "an indexed type",
  TSInferType: "an inferred type",
  TSMappedType: "a mapped type",
  TSThisType: "the type `this`",
  TSTypePredicate: "a type predicate",
};

/** The deepest nesting, beyond any real type. Each level needs stack space here and in every later walk over the expression. */
const MOST_NESTED = 500;

let level = 0;

/** @returns kind "other" for a type that is nested too deeply. */
export function toType(source: Source, node: Ast.TSType): TypeExpression {
  if (node.type === "TSParenthesizedType") return toType(source, node.typeAnnotation);
  const text = textOf(source, node);
  const location = locate(source, node);
  const name = KEYWORDS[node.type];
  if (name !== undefined) return { kind: "keyword", name, text, location };
  if (level === MOST_NESTED)
    return { kind: "other", what: "a type that is nested too deeply", text, location };
  level++;
  try {
    return toCompound(source, node, text, location);
  } finally {
    level--;
  }
}

// `text` and `location` are written out: spreads took a tenth of the time of `routes list`.
function toCompound(source: Source, node: Ast.TSType, text: string, location: Location): TypeExpression {
  const read = (inner: Ast.TSType): TypeExpression => toType(source, inner);
  switch (node.type) {
    case "TSLiteralType":
      return toLiteralType(node.literal, text, location);
    case "TSTemplateLiteralType": {
      const texts = node.quasis.map(({ value }) => value.cooked ?? value.raw);
      return { kind: "template", texts, types: node.types.map(read), text, location };
    }
    case "TSTypeReference":
    case "TSImportType":
      return toNamedType(source, node, text, location);
    case "TSFunctionType":
      return {
        kind: "function",
        parameters: toParameters(source, node.params),
        returns: toReturnType(source, node.returnType),
        text,
        location,
      };
    case "TSUnionType":
      return { kind: "union", of: node.types.map(read), text, location };
    case "TSIntersectionType":
      return { kind: "intersection", of: node.types.map(read), text, location };
    case "TSArrayType":
      return { kind: "array", items: read(node.elementType), text, location };
    case "TSTupleType":
      return {
        kind: "tuple",
        items: node.elementTypes.map((item) => toTupleItem(source, item)),
        text,
        location,
      };
    case "TSTypeLiteral":
      return {
        kind: "object",
        members: node.members.map((member) => toMember(source, member)),
        text,
        location,
      };
    case "TSIndexedAccessType":
      return { kind: "indexed", object: read(node.objectType), index: read(node.indexType), text, location };
    case "TSTypeOperator":
      if (node.operator === "keyof") return { kind: "keyof", of: read(node.typeAnnotation), text, location };
      return node.operator === "readonly"
        ? read(node.typeAnnotation)
        : { kind: "other", what: "a unique symbol", text, location };
    case "TSTypeQuery":
      return toValueType(node, text, location);
    default:
      return { kind: "other", what: UNREAD[node.type] ?? "a type that is not read", text, location };
  }
}

function toValueType(
  { exprName: name, typeArguments }: Ast.TSTypeQuery,
  text: string,
  location: Location,
): TypeExpression {
  const imported = name.type === "TSImportType" ? name : undefined;
  const node = imported ? imported.qualifier : name;
  const path = node && !typeArguments ? pathOf(node) : null;
  if (path === null) return { kind: "other", what: "the type of an import", text, location };
  return { kind: "typeof", path, ...(imported && { from: imported.source.value }), text, location };
}

function toLiteralType(
  literal: Ast.TSLiteralType["literal"],
  text: string,
  location: Location,
): TypeExpression {
  const value = literalOf(literal);
  return value === undefined || value === null
    ? { kind: "other", what: "a bigint", text, location }
    : { kind: "literal", value, text, location };
}

function toNamedType(
  source: Source,
  node: Ast.TSTypeReference | Ast.TSImportType,
  text: string,
  location: Location,
): TypeExpression {
  const typeArguments = toArguments(source, node.typeArguments);
  const name = node.type === "TSImportType" ? node.qualifier : node.typeName;
  const path = name ? pathOf(name) : null;
  if (path === null) return { kind: "other", what: "all of another file", text, location };
  if (node.type === "TSImportType")
    return { kind: "import", from: node.source.value, path, arguments: typeArguments, text, location };
  const [only] = typeArguments;
  // `Array<T>` is `T[]`.
  if (only && typeArguments.length === 1 && path.length === 1 && /^(?:Readonly)?Array$/.test(path[0] ?? ""))
    return { kind: "array", items: only, text, location };
  return { kind: "name", path, arguments: typeArguments, text, location };
}

const NO_TYPES: readonly TypeExpression[] = [];

export function toArguments(
  source: Source,
  node: Ast.TSTypeParameterInstantiation | null | undefined,
): readonly TypeExpression[] {
  return node ? node.params.map((inner) => toType(source, inner)) : NO_TYPES;
}

function toTupleItem(source: Source, node: Ast.TSType | Ast.TSNamedTupleMember): TupleItem {
  switch (node.type) {
    case "TSNamedTupleMember":
      return { ...toTupleItem(source, node.elementType), optional: node.optional };
    case "TSOptionalType":
      return { type: toType(source, node.typeAnnotation), optional: true, rest: false };
    case "TSRestType": {
      const inner: Ast.TSType | Ast.TSNamedTupleMember = node.typeAnnotation;
      return { ...toTupleItem(source, inner), rest: true };
    }
    default:
      return { type: toType(source, node), optional: false, rest: false };
  }
}

function toMember(source: Source, node: Ast.TSTypeElement): Member {
  const location = locate(source, node);
  if (node.type === "TSPropertySignature") {
    const name = keyOf(node);
    if (name === undefined) return { kind: "other", what: "a computed name", location };
    return {
      kind: "property",
      name,
      type: typeOf(source, node),
      optional: node.optional === true,
      location,
    };
  }
  if (node.type === "TSIndexSignature") {
    const [key] = node.parameters;
    const keyType = key && typeOf(source, key);
    const type = typeOf(source, node);
    if (keyType && type) return { kind: "index", key: keyType, type, location };
  }
  if (node.type !== "TSMethodSignature") return { kind: "other", what: "a call signature", location };
  const name = keyOf(node);
  const returns = toReturnType(source, node.returnType);
  return { kind: "other", what: "a method", ...(name !== undefined && { name, returns }), location };
}

type TypeNode = Ast.TSTypeAliasDeclaration | Ast.TSInterfaceDeclaration;

/** @param before the earlier declaration of this name in the file: interfaces merge. */
export function toTypeDeclaration(
  source: Source,
  node: TypeNode,
  before: TypeDeclaration | undefined,
): TypeDeclaration {
  const generics = once(() => toTypeParameters(source, node.typeParameters));
  const location = locate(source, node.id);
  if (node.type === "TSTypeAliasDeclaration") {
    const type = once(() => toType(source, node.typeAnnotation));
    return {
      kind: "alias",
      location,
      bases: [],
      get generics() {
        return generics();
      },
      get type() {
        return type();
      },
    };
  }
  const merged = before?.kind === "interface" ? before : undefined;
  const nodes = (merged && merging.get(merged)) ?? [];
  nodes.push(node);
  const members = once(() => nodes.flatMap(({ body }) => body.body.map((one) => toMember(source, one))));
  const bases = once(() => nodes.flatMap((one) => (one.extends ?? []).map((base) => toBase(source, base))));
  const declaration: TypeDeclaration = {
    kind: "interface",
    location: merged?.location ?? location,
    get generics() {
      return generics();
    },
    get type(): TypeExpression {
      return { kind: "object", members: members(), text: node.id.name, location };
    },
    get bases() {
      return bases();
    },
  };
  merging.set(declaration, nodes);
  return declaration;
}

/** The nodes of a merged interface in a list: nested merging would overflow the stack for many declarations. */
const merging = new WeakMap<TypeDeclaration, Ast.TSInterfaceDeclaration[]>();

function toBase(
  source: Source,
  node: NonNullable<Ast.TSInterfaceDeclaration["extends"]>[number],
): TypeExpression {
  const place = { text: textOf(source, node), location: locate(source, node) };
  const path = pathOf(node.expression);
  const typeArguments = toArguments(source, node.typeArguments);
  return path
    ? { kind: "name", path, arguments: typeArguments, ...place }
    : { kind: "other", what: "a computed base", ...place };
}

export function toTypeParameters(
  source: Source,
  node: Ast.TSTypeParameterDeclaration | null | undefined,
): TypeParameter[] {
  return (node?.params ?? []).map(({ name, default: fallback }) => ({
    name: name.name,
    default: fallback ? toType(source, fallback) : null,
  }));
}

export function once<T>(read: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}
