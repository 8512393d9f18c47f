/** What the top level of a file gives to those who follow its names: the values of its constants, its functions and its classes. */

import type { Ast } from "#convention/deps/babel-parser";
import { isFunction } from "./bodies.ts";
import type { SourceModule } from "./module.ts";
import { parseAgain, sourceOf } from "./syntax.ts";
import { type Callable, type ThrowFacts, toThrowFacts, toWrittenClass, type WrittenClass } from "./throws.ts";
import { nameOfKey, toWritten, UNWRITTEN, type Written, type WrittenScope } from "./written.ts";

export interface WrittenModule {
  /** The value of a constant. */
  constant(name: string): Written;
  readonly classes: ReadonlyMap<string, WrittenClass>;
  /** A function, or `a.b` of an object of functions. */
  callable(path: readonly string[]): Callable | undefined;
  factsOf(callable: Callable): ThrowFacts;
}

const writtenModules = new WeakMap<SourceModule, WeakRef<WrittenModule>>();

/** It has nodes, so it is kept no longer than the tree itself. */
export function readWrittenModule(module: SourceModule): WrittenModule {
  const before = writtenModules.get(module)?.deref();
  if (before) return before;
  const written = createWrittenModule(module);
  writtenModules.set(module, new WeakRef(written));
  return written;
}

function createWrittenModule(module: SourceModule): WrittenModule {
  const source = sourceOf(module);
  const scope: WrittenScope = { source, find: () => undefined };
  const { values, functions, classes } = listDeclarations(parseAgain(source));
  const constants = new Map<string, Written>();
  const facts = new Map<Callable, ThrowFacts>();
  return {
    classes,
    constant(name) {
      const value = values.get(name);
      const known = constants.get(name) ?? (value ? toWritten(scope, value) : UNWRITTEN);
      constants.set(name, known);
      return known;
    },
    callable([name = "", ...rest]) {
      if (rest.length === 0) return functions.get(name);
      const value = withoutTypes(values.get(name));
      return value?.type === "ObjectExpression" ? findFunctionIn(value, rest) : undefined;
    },
    factsOf(callable) {
      const known = facts.get(callable) ?? toThrowFacts(source, callable);
      facts.set(callable, known);
      return known;
    },
  };
}

interface Declarations {
  readonly values: Map<string, Ast.Node>;
  readonly functions: Map<string, Callable>;
  readonly classes: Map<string, WrittenClass>;
}

function listDeclarations(statements: readonly Ast.Statement[]): Declarations {
  const found: Declarations = { values: new Map(), functions: new Map(), classes: new Map() };
  for (const statement of statements) {
    const exported =
      statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration";
    const declaration = exported ? statement.declaration : statement;
    if (declaration)
      noteDeclaration(found, declaration, exported && statement.type === "ExportDefaultDeclaration");
  }
  return found;
}

const DEFAULT_EXPORT = "*default*";

function noteDeclaration(found: Declarations, node: Ast.Node, isDefault: boolean): void {
  if (node.type === "VariableDeclaration") {
    for (const { id, init } of node.declarations)
      if (id.type === "Identifier" && init) noteValue(found, id.name, init, node.kind === "const");
    return;
  }
  const name =
    "id" in node && node.id?.type === "Identifier" ? node.id.name : isDefault ? DEFAULT_EXPORT : "";
  noteValue(found, name, node, true);
}

function noteValue(
  { values, functions, classes }: Declarations,
  name: string,
  node: Ast.Node,
  isConst: boolean,
): void {
  const value = withoutTypes(node);
  if (value === undefined) return;
  if (isFunction(value)) functions.set(name, value);
  else if (value.type === "ClassDeclaration" || value.type === "ClassExpression")
    classes.set(name, toWrittenClass(value));
  else if (isConst) values.set(name, value);
}

/** Without the parentheses and the types around it. */
function withoutTypes(node: Ast.Node | undefined): Ast.Node | undefined {
  let inner = node;
  while (inner && "expression" in inner && /^(?:Parenthesized|TS\w+)Expression$/.test(inner.type))
    inner = inner.expression as Ast.Node;
  return inner;
}

function findFunctionIn(object: Ast.ObjectExpression, path: readonly string[]): Callable | undefined {
  const [name, ...rest] = path;
  for (const property of object.properties) {
    if (property.type === "SpreadElement" || nameOfKey(property) !== name) continue;
    if (property.type === "ObjectMethod") return rest.length === 0 ? property : undefined;
    const value = withoutTypes(property.value);
    if (value?.type === "ObjectExpression" && rest.length > 0) return findFunctionIn(value, rest);
    return value && isFunction(value) && rest.length === 0 ? value : undefined;
  }
  return undefined;
}
