/** The types of expressions, as far as the text says them: what it does not say is a type of the kind "other". */

import type { Ast } from "#convention/deps/babel-parser";
import { isFunction, nodesOutside, type WrittenFunction } from "./bodies.ts";
import type { KeywordType, Member, SourceModule, TypeExpression } from "./module.ts";
import { type Fact, findFacts } from "./narrowing.ts";
import { parseAgain } from "./syntax.ts";
import { locate, pathOf, type Source, textOf } from "./tree.ts";
import { literalOf, toType, typeOf } from "./types.ts";

/** What an expression is in: a file, and the function of it. */
export interface Surroundings {
  readonly source: Source;
  readonly module: SourceModule;
  /** What the names mean that are declared in the function, and in those around it. */
  readonly names: ReadonlyMap<string, () => TypeExpression>;
  readonly facts: readonly Fact[];
}

/** As it is after `as const`, as it is alone, or as it is in an array or an object. */
export type Width = "exact" | "kept" | "wide";

type Place = Pick<TypeExpression, "text" | "location">;

/** Literals whose type widens where something may change them. */
const fresh = new WeakSet<TypeExpression>();

export function typeOfExpression(
  node: Ast.Node,
  around: Surroundings,
  width: Width = "kept",
): TypeExpression {
  const place = { text: textOf(around.source, node), location: locate(around.source, node) };
  const literal = literalOf(node);
  if (literal === null) return keyword("null", place);
  if (literal !== undefined) return toLiteral(literal, place, width);
  const type = narrow(readExpression(node, around, width, place) ?? unread(place), node, around, place);
  return width === "wide" ? widen(type) : type;
}

function toLiteral(value: string | number | boolean, place: Place, width: Width): TypeExpression {
  const type: TypeExpression = { kind: "literal", value, ...place };
  if (width !== "exact") fresh.add(type);
  return width === "wide" ? widen(type) : type;
}

/** @example `8` is a `number` where the value may change. */
export function widen(type: TypeExpression): TypeExpression {
  const { text, location } = type;
  if (type.kind === "union") return { ...type, of: type.of.map(widen) };
  if (type.kind !== "literal" || !fresh.has(type)) return type;
  return keyword(typeof type.value as "string" | "number" | "boolean", { text, location });
}

export function unread(place: Place): TypeExpression {
  return { kind: "other", what: "a value", ...place };
}

export function keyword(name: KeywordType, place: Place): TypeExpression {
  return { kind: "keyword", name, ...place };
}

/** A type that TypeScript declares, whatever the file calls by that name; with `$` an operator of ours. */
export function own(name: string, given: readonly TypeExpression[], place: Place): TypeExpression {
  return { kind: "name", path: ["globalThis", name], arguments: given, ...place };
}

export function unionOf(of: readonly TypeExpression[], place: Place): TypeExpression {
  const [first, second] = of;
  return first && second === undefined ? first : { kind: "union", of, ...place };
}

function readExpression(
  node: Ast.Node,
  around: Surroundings,
  width: Width,
  place: Place,
): TypeExpression | null {
  const read = (inner: Ast.Node, as: Width = width): TypeExpression => typeOfExpression(inner, around, as);
  switch (node.type) {
    case "ParenthesizedExpression":
    case "TSSatisfiesExpression":
      return read(node.expression);
    case "TSAsExpression":
    case "TSTypeAssertion":
      if (isConst(node.typeAnnotation)) return read(node.expression, "exact");
      return toType(around.source, node.typeAnnotation);
    case "TSNonNullExpression":
      return own("$Present", [read(node.expression)], place);
    case "AwaitExpression":
      return own("Awaited", [read(node.argument)], place);
    case "TemplateLiteral":
      return keyword("string", place);
    case "Identifier":
      return toNamed(node.name, around, width, place);
    case "ArrayExpression":
      return toArray(node, around, width, place);
    case "ObjectExpression":
      return toObject(node, around, width, place);
    case "ConditionalExpression":
      return unionOf([read(node.consequent), read(node.alternate)], place);
    case "LogicalExpression": {
      const left = read(node.left);
      return unionOf(
        [node.operator === "&&" ? left : own("$Present", [left], place), read(node.right)],
        place,
      );
    }
    case "BinaryExpression":
      return toBinary(node, around, place);
    case "UnaryExpression":
      return toUnary(node, place);
    case "MemberExpression":
    case "OptionalMemberExpression":
      return toObjectMember(node, around, place);
    case "CallExpression":
    case "OptionalCallExpression":
      return toCall(node, around, place);
    case "NewExpression":
      return toMade(node, around, place);
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return { kind: "function", parameters: [], returns: null, ...place };
    default:
      return null;
  }
}

function isConst(type: Ast.Node): boolean {
  return type.type === "TSTypeReference" && pathOf(type.typeName)?.join() === "const";
}

function narrow(type: TypeExpression, node: Ast.Node, { facts }: Surroundings, place: Place): TypeExpression {
  if (facts.length === 0) return type;
  const path = pathOf(node)?.join(".");
  const start = node.start ?? 0;
  let narrowed = type;
  for (const fact of facts) {
    if (fact.path !== path || start < fact.start || start >= fact.end) continue;
    narrowed =
      fact.is === "present"
        ? own("$Present", [narrowed], place)
        : own("$Narrowed", [narrowed, keyword(fact.is, place)], place);
  }
  return narrowed;
}

function toNamed(name: string, { names, module }: Surroundings, width: Width, place: Place): TypeExpression {
  const local = names.get(name);
  if (local) return local();
  if (name === "undefined") return keyword("undefined", place);
  const constant = module.typeOfConstant(name);
  if (constant?.kind === "literal") {
    fresh.add(constant);
    return constant;
  }
  const type: TypeExpression = { kind: "typeof", path: [name], ...place };
  return width === "wide" ? own("$Wide", [type], place) : type;
}

function toArray(
  { elements }: Ast.ArrayExpression,
  around: Surroundings,
  width: Width,
  place: Place,
): TypeExpression {
  const inner = width === "exact" ? width : "wide";
  const items = elements.map((element) => {
    if (element?.type !== "SpreadElement")
      return element ? typeOfExpression(element, around, inner) : keyword("undefined", place);
    return itemOf(typeOfExpression(element.argument, around, inner), place);
  });
  const isPlain = elements.every((element) => element?.type !== "SpreadElement");
  if (width === "exact" && isPlain)
    return { kind: "tuple", items: items.map((type) => ({ type, optional: false, rest: false })), ...place };
  if (items.length === 0) return { kind: "array", items: unread(place), ...place };
  return { kind: "array", items: unionOf(items, place), ...place };
}

/** The type of each item. */
function itemOf(object: TypeExpression, place: Place): TypeExpression {
  return own("$Items", [object], place);
}

/** What comes later overrides what came before. */
function toObject(
  { properties }: Ast.ObjectExpression,
  around: Surroundings,
  width: Width,
  place: Place,
): TypeExpression {
  let whole: TypeExpression | undefined;
  let members: Member[] = [];
  const close = (): void => {
    if (members.length === 0 && whole) return;
    const own: TypeExpression = { kind: "object", members, ...place };
    whole = whole ? spread(whole, own, place) : own;
    members = [];
  };
  for (const property of properties) {
    if (property.type !== "SpreadElement") {
      members = [...members, toProperty(property, around, width, place)];
      continue;
    }
    const isFirst = whole === undefined && members.length === 0;
    close();
    const given = typeOfExpression(property.argument, around, width);
    whole = isFirst || whole === undefined ? own("$Spread", [given], place) : spread(whole, given, place);
  }
  close();
  return whole ?? { kind: "object", members: [], ...place };
}

function spread(one: TypeExpression, other: TypeExpression, place: Place): TypeExpression {
  return own("$Spread", [one, other], place);
}

function toProperty(
  property: Ast.ObjectProperty | Ast.ObjectMethod,
  around: Surroundings,
  width: Width,
  place: Place,
): Member {
  const location = locate(around.source, property);
  const name = keyOf(property);
  const inner = width === "exact" ? width : "wide";
  const type =
    property.type === "ObjectProperty"
      ? typeOfExpression(property.value, around, inner)
      : property.kind === "get"
        ? unread({ text: textOf(around.source, property), location })
        : ({ kind: "function", parameters: [], returns: null, ...place } as const);
  if (name === undefined)
    return {
      kind: "index",
      key: keyword("string", place),
      type: unread({ text: textOf(around.source, property), location }),
      location,
    };
  return { kind: "property", name, type, optional: false, location };
}

/** @returns undefined for one that is computed. */
export function keyOf({ key, computed }: Ast.ObjectProperty | Ast.ObjectMethod): string | undefined {
  if (key.type === "Identifier" && !computed) return key.name;
  const literal = literalOf(key);
  return literal === undefined ? undefined : String(literal);
}

const ARITHMETIC = /^(?:-|\*|\/|%|\*\*|&|\||\^|<<|>>>?)$/;

function toBinary(node: Ast.BinaryExpression, around: Surroundings, place: Place): TypeExpression | null {
  const { operator, left, right } = node;
  if (/^(?:[=!]==?|[<>]=?|in|instanceof)$/.test(operator)) return keyword("boolean", place);
  if (ARITHMETIC.test(operator)) return keyword("number", place);
  const types = [left, right].map((side) => typeOfExpression(side, around, "wide"));
  return operator === "+" ? own("$Sum", types, place) : null;
}

function toUnary({ operator }: Ast.UnaryExpression, place: Place): TypeExpression | null {
  const names: Partial<Record<string, KeywordType>> = {
    "!": "boolean",
    "+": "number",
    "-": "number",
    "~": "number",
    typeof: "string",
    void: "undefined",
    delete: "boolean",
  };
  const name = names[operator];
  return name ? keyword(name, place) : null;
}

function toObjectMember(
  node: Ast.MemberExpression | Ast.OptionalMemberExpression,
  around: Surroundings,
  place: Place,
): TypeExpression | null {
  const path = pathOf(node);
  const [root = ""] = path ?? [];
  // A namespace, or an enum.
  if (path && !around.names.has(root) && isNamespace(around.module, root))
    return { kind: "typeof", path, ...place };
  const key = toKey(node, around, place);
  if (key === null) return null;
  const object = typeOfExpression(node.object, around);
  const isOptional = node.type === "OptionalMemberExpression" && node.optional;
  const operator = node.computed && !isName(key) ? "$At" : "$Property";
  const found = own(operator, [isOptional ? own("$Present", [object], place) : object, key], place);
  return node.type === "OptionalMemberExpression"
    ? unionOf([found, keyword("undefined", place)], place)
    : found;
}

function isName(key: TypeExpression): boolean {
  return key.kind === "literal" && typeof key.value === "string";
}

function isNamespace({ imports }: SourceModule, name: string): boolean {
  return imports.get(name)?.name === "*";
}

function toKey(
  { property, computed }: Ast.MemberExpression | Ast.OptionalMemberExpression,
  around: Surroundings,
  place: Place,
): TypeExpression | null {
  if (!computed)
    return property.type === "Identifier" ? { kind: "literal", value: property.name, ...place } : null;
  const key = typeOfExpression(property, around);
  return key.kind === "other" ? null : key;
}

/** What functions return that are there without an import. */
const GLOBALS: ReadonlyMap<string, KeywordType> = new Map([
  ["String", "string"],
  ["JSON.stringify", "string"],
  ["crypto.randomUUID", "string"],
  ["encodeURIComponent", "string"],
  ["decodeURIComponent", "string"],
  ["Number", "number"],
  ["Number.parseInt", "number"],
  ["Number.parseFloat", "number"],
  ["parseInt", "number"],
  ["parseFloat", "number"],
  ["Date.now", "number"],
  ["Boolean", "boolean"],
  ["Array.isArray", "boolean"],
  ...["abs", "ceil", "floor", "max", "min", "random", "round", "sqrt", "trunc"].map(
    (name) => [`Math.${name}`, "number"] as const,
  ),
]);

function toCall(
  node: Ast.CallExpression | Ast.OptionalCallExpression,
  around: Surroundings,
  place: Place,
): TypeExpression | null {
  const { callee } = node;
  const path = pathOf(callee);
  const [root = ""] = path ?? [];
  const { module, names } = around;
  if (path && !names.has(root)) {
    const made = toFrameworkCall(node, importedFromFramework(module, path), around, place);
    if (made) return made;
    const isOurs = module.values.has(root) || module.imports.has(root);
    const global = isOurs ? undefined : GLOBALS.get(path.join("."));
    if (global) return keyword(global, place);
    if (!isOurs) return toStandardCall(node, path, around, place);
    if (path.length === 1 || isNamespace(module, root))
      return own("ReturnType", [{ kind: "typeof", path, ...place }], place);
  }
  return toMethodCall(node, around, place);
}

/** The name of what is imported from the framework. */
export function importedFromFramework(
  { imports, values }: SourceModule,
  path: readonly string[],
): string | undefined {
  const [root = "", second, third] = path;
  const imported = values.has(root) ? undefined : imports.get(root);
  if (!/^framework(?:\/http)?$/.test(imported?.from ?? "")) return undefined;
  if (imported?.name === "*") return third === undefined ? second : undefined;
  return second === undefined ? imported?.name : undefined;
}

/** @example `reply(user, 201)` is a `Reply<User, 201>`. */
function toFrameworkCall(
  { arguments: given }: Ast.CallExpression | Ast.OptionalCallExpression,
  name: string | undefined,
  around: Surroundings,
  place: Place,
): TypeExpression | null {
  const [first, second] = given;
  const read = (node: Ast.Node | undefined, width: Width): TypeExpression =>
    node ? typeOfExpression(node, around, width) : keyword("undefined", place);
  if (name === "reply") return fromFramework("Reply", [read(first, "wide"), read(second, "kept")], place);
  if (name === "events")
    return fromFramework("EventStream", [own("$Items", [read(first, "wide")], place)], place);
  if (name !== "event") return null;
  const data = own("$Property", [read(first, "wide"), { kind: "literal", value: "data", ...place }], place);
  return fromFramework("ServerSentEvent", [data], place);
}

function fromFramework(name: string, given: readonly TypeExpression[], place: Place): TypeExpression {
  return { kind: "import", from: "framework", path: [name], arguments: given, ...place };
}

/** Of a global object. */
function toStandardCall(
  node: Ast.CallExpression | Ast.OptionalCallExpression,
  path: readonly string[],
  around: Surroundings,
  place: Place,
): TypeExpression | null {
  const [first] = node.arguments;
  const name = path.join(".");
  if (/^Response\.(?:json|redirect)$/.test(name)) return own("Response", [], place);
  if (first === undefined) return null;
  if (name === "structuredClone") return typeOfExpression(first, around);
  const lists: Partial<Record<string, TypeExpression>> = {
    "Object.keys": keyword("string", place),
    "Object.values": unread(place),
    "Object.entries": unread(place),
    "Array.from": unread(place),
  };
  const items = Object.hasOwn(lists, name) ? lists[name] : undefined;
  if (items) return { kind: "array", items, ...place };
  if (name === "Promise.resolve") return own("Promise", [typeOfExpression(first, around)], place);
  return name === "Promise.all" ? own("Promise", [toAll(first, around, place)], place) : null;
}

function toAll(node: Ast.Node, around: Surroundings, place: Place): TypeExpression {
  const elements = node.type === "ArrayExpression" ? node.elements : [null];
  if (elements.every((element) => element && element.type !== "SpreadElement")) {
    const types = elements.map((element) => element && typeOfExpression(element, around, "wide"));
    const items = types.flatMap((type) => (type ? own("Awaited", [type], place) : []));
    return { kind: "tuple", items: items.map((type) => ({ type, optional: false, rest: false })), ...place };
  }
  const item = itemOf(typeOfExpression(node, around, "wide"), place);
  return { kind: "array", items: own("Awaited", [item], place), ...place };
}

function toMethodCall(
  node: Ast.CallExpression | Ast.OptionalCallExpression,
  around: Surroundings,
  place: Place,
): TypeExpression | null {
  const { callee } = node;
  if (callee.type !== "MemberExpression" && callee.type !== "OptionalMemberExpression") return null;
  if (callee.computed || callee.property.type !== "Identifier") return null;
  const object = typeOfExpression(callee.object, around);
  const isOptional = callee.type === "OptionalMemberExpression" && callee.optional;
  const [callback] = node.arguments;
  const item = itemOf(object, place);
  const given = callback && isFunction(callback) ? [returnedTypeOf(callback, around, [item], place)] : [];
  const name: TypeExpression = { kind: "literal", value: callee.property.name, ...place };
  const found = own(
    "$Called",
    [isOptional ? own("$Present", [object], place) : object, name, ...given],
    place,
  );
  return isOptional ? unionOf([found, keyword("undefined", place)], place) : found;
}

function toMade(
  node: Ast.NewExpression,
  { source, module }: Surroundings,
  place: Place,
): TypeExpression | null {
  const path = pathOf(node.callee);
  if (path === null) return null;
  const [root = ""] = path;
  const given =
    node.typeParameters?.type === "TSTypeParameterInstantiation" ? node.typeParameters.params : [];
  const types = given.map((type: Ast.TSType) => toType(source, type));
  if (module.values.has(root) || module.imports.has(root) || path.length > 1)
    return { kind: "name", path, arguments: types, ...place };
  return own(root, types, place);
}

/** What a function that is written in an expression returns. @param given the types of its arguments. */
function returnedTypeOf(
  node: WrittenFunction,
  around: Surroundings,
  given: readonly TypeExpression[],
  place: Place,
): TypeExpression {
  const written = node.returnType?.type === "TSTypeAnnotation" ? node.returnType.typeAnnotation : undefined;
  if (written) return toType(around.source, written);
  const inside = enter(node, around, given);
  const values = returnedValues(node).map((value) =>
    value ? typeOfExpression(value, inside, "wide") : keyword("undefined", place),
  );
  const type = unionOf(values.length > 0 ? values : [keyword("undefined", place)], place);
  return node.async ? own("Promise", [type], place) : type;
}

/** What is behind each `return`; null for nothing. */
export function returnedValues({ body }: WrittenFunction): readonly (Ast.Expression | null)[] {
  if (body.type !== "BlockStatement") return [body];
  return nodesOutside([body])
    .filter((node) => node.type === "ReturnStatement")
    .sort((one, other) => (one.start ?? 0) - (other.start ?? 0))
    .map(({ argument }) => argument ?? null);
}

/** The type of a constant of a file, where the declaration does not say it. */
export function typeOfInitializer(source: Source, module: SourceModule, name: string): TypeExpression | null {
  for (const statement of parseAgain(source)) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration" || declaration.kind !== "const") continue;
    for (const { id, init } of declaration.declarations)
      if (id.type === "Identifier" && id.name === name && init)
        return typeOfExpression(init, { source, module, names: new Map(), facts: [] });
  }
  return null;
}

/** The inside of a function. @param given the types of the arguments, for parameters without a type of their own. */
export function enter(
  node: WrittenFunction,
  around: Surroundings,
  given: readonly TypeExpression[] = [],
): Surroundings {
  const names = new Map(around.names);
  const inside: Surroundings = { ...around, names, facts: [...around.facts, ...findFacts(node.body)] };
  const declared = new Set<string>();
  const declare: Declare = (name, type) => {
    const known = declared.has(name);
    declared.add(name);
    names.set(
      name,
      known
        ? () => unread({ text: name, location: locate(around.source, node) })
        : settled(type, name, inside, node),
    );
  };
  for (const [index, parameter] of node.params.entries()) {
    if (parameter.type !== "AssignmentPattern") bind(parameter, inside, declare, () => given[index]);
    else
      bind(
        parameter.left,
        inside,
        declare,
        () => given[index] ?? typeOfExpression(parameter.right, inside, "wide"),
      );
  }
  for (const inner of nodesOutside([node.body])) {
    if (inner.type === "VariableDeclaration") declareVariables(inner, inside, declare);
    else if ((inner.type === "FunctionDeclaration" || inner.type === "ClassDeclaration") && inner.id)
      declare(inner.id.name, () => undefined);
    else if (inner.type === "CatchClause" && inner.param) bind(inner.param, inside, declare, () => undefined);
  }
  return inside;
}

type Declare = (name: string, type: () => TypeExpression | undefined) => void;

/** Read once, and not inside itself. */
function settled(
  read: () => TypeExpression | undefined,
  name: string,
  { source }: Surroundings,
  node: Ast.Node,
): () => TypeExpression {
  let known: TypeExpression | undefined;
  const unknown = unread({ text: name, location: locate(source, node) });
  return () => {
    if (known === undefined) {
      known = unknown;
      known = read() ?? unknown;
    }
    return known;
  };
}

/** A `let` has the type that it says, because what it holds may change. */
function declareVariables(
  { kind, declarations }: Ast.VariableDeclaration,
  inside: Surroundings,
  declare: Declare,
): void {
  for (const { id, init } of declarations)
    bind(id, inside, declare, () => (kind === "const" && init ? typeOfExpression(init, inside) : undefined));
}

/** Declares the names of a pattern. @param read gives the type of what it takes apart, if the pattern does not say it. */
function bind(
  pattern: Ast.Node,
  inside: Surroundings,
  declare: Declare,
  read: () => TypeExpression | undefined,
): void {
  const place = { text: textOf(inside.source, pattern), location: locate(inside.source, pattern) };
  const whole = (): TypeExpression | undefined => writtenType(pattern, inside, place) ?? read();
  const at = (key: string | number) => (): TypeExpression | undefined => {
    const object = whole();
    const operator = typeof key === "number" ? "$At" : "$Property";
    return object && own(operator, [object, { kind: "literal", value: key, ...place }], place);
  };
  if (pattern.type === "Identifier") declare(pattern.name, whole);
  if (pattern.type === "ObjectPattern")
    for (const property of pattern.properties) {
      const name = property.type === "ObjectProperty" ? keyOf(property) : undefined;
      if (property.type === "ObjectProperty" && name !== undefined)
        bindValue(property.value, inside, declare, at(name), place);
      else if (property.type === "RestElement") bind(property.argument, inside, declare, () => undefined);
    }
  if (pattern.type === "ArrayPattern")
    for (const [index, element] of pattern.elements.entries())
      if (element) bindValue(element, inside, declare, at(index), place);
  if (pattern.type === "RestElement") bind(pattern.argument, inside, declare, () => undefined);
}

function writtenType(pattern: Ast.Node, { source }: Surroundings, place: Place): TypeExpression | null {
  if (pattern.type !== "Identifier" && pattern.type !== "ObjectPattern" && pattern.type !== "ArrayPattern")
    return null;
  const type = typeOf(source, pattern);
  const isOptional = pattern.type === "Identifier" && pattern.optional === true;
  return type && isOptional ? unionOf([type, keyword("undefined", place)], place) : type;
}

/** A default is there in place of `undefined`. */
function bindValue(
  target: Ast.Node,
  inside: Surroundings,
  declare: Declare,
  read: () => TypeExpression | undefined,
  place: Place,
): void {
  if (target.type !== "AssignmentPattern") {
    bind(target, inside, declare, read);
    return;
  }
  bind(target.left, inside, declare, () => {
    const given = read();
    if (given === undefined) return undefined;
    return unionOf([own("$Present", [given], place), typeOfExpression(target.right, inside, "wide")], place);
  });
}
