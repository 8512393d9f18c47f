/**
 * Generates reader functions for objects, lists and unions. A reader checks a value and copies it in one pass, so that undeclared keys are
 * dropped, and returns undefined at the first mismatch.
 */

import { MAX_DEPTH } from "#runtime/message/json";
import {
  type ArrayShape,
  type Definitions,
  type Member,
  type ObjectShape,
  type Property,
  type Shape,
  sizesOf,
  type TupleShape,
  tagOf,
  tagsOf,
  type UnionShape,
} from "#runtime/wire/shape";
import { referencesIn } from "../inner-shapes.ts";
import { conditionOf, isPlain, not } from "./condition.ts";
import { type Check, formatAccess, formatKey, toLocal, toPascal } from "./names.ts";
import { findDeep } from "./recursion.ts";

/** Up to so many optional properties, each combination has its own object literal, which V8 creates faster than it adds properties. */
const MAX_BRANCHES = 2;

/** The expression for the nesting depth of the children of a reader's value. */
const BELOW = "depth + 1";

const REFUSE = "return undefined;";

/** Accumulates the imports, constants and functions of a wire module. */
export class WireText {
  readonly definitions: Definitions;
  readonly functions: string[] = [];
  /** The recursive definitions, whose readers count the depth. */
  readonly #deep: ReadonlySet<string>;
  readonly #checks = new Set<Check>();
  readonly #schemas = new Map<string, { local: string; file: string; exported: string }>();
  /** The names of constants by their expressions. */
  readonly #constants = new Map<string, string>();
  /** The names of readers by their shapes as JSON. */
  readonly #readers = new Map<string, string>();
  readonly #names = new Set<string>();
  /** Writers of functions that have a name, but no text yet. */
  readonly #waiting: (() => void)[] = [];
  #isWriting = false;

  constructor(definitions: Definitions) {
    this.definitions = definitions;
    this.#deep = findDeep(definitions);
  }

  get checks(): readonly Check[] {
    return [...this.#checks].sort();
  }

  get constants(): readonly string[] {
    return [...this.#constants].map(([expression, name]) => `const ${name} = ${expression};`);
  }

  get schemas(): readonly { readonly local: string; readonly file: string; readonly exported: string }[] {
    return [...this.#schemas.values()];
  }

  /** Imports a check. @returns its name. */
  use(check: Check): Check {
    this.#checks.add(check);
    return check;
  }

  /** Declares a constant, or reuses one with the same expression. @returns its name. */
  hoist(stem: string, expression: string): string {
    const known = this.#constants.get(expression);
    if (known !== undefined) return known;
    const name = `${stem}${this.#constants.size + 1}`;
    this.#constants.set(expression, name);
    return name;
  }

  /** Imports a Standard Schema. @returns its local name. */
  import(file: string, exported: string): string {
    const key = JSON.stringify([file, exported]);
    const known = this.#schemas.get(key);
    const local = known?.local ?? `schema${this.#schemas.size + 1}`;
    this.#schemas.set(key, { local, file, exported });
    return local;
  }

  /** @returns an expression that is true if a value does not fit a plain shape. */
  #misfit(shape: Shape, value: string): string {
    return not(conditionOf(shape, value, this.definitions, this));
  }

  /**
   * @param shape a shape that is not plain.
   * @param path the name for the reader of an anonymous shape.
   * @param depth the expression for the nesting depth of the value.
   * @returns an expression with the copied value, or undefined for a mismatch.
   */
  read(shape: Shape, value: string, path: string, depth: string): string {
    const { found, name = path } = follow(shape, this.definitions);
    if (found.kind === "date") return `${this.use("toDate")}(${value})`;
    const reader = this.#reader(found, name);
    return this.#isDeep(found) ? `${reader}(${value}, ${depth})` : `${reader}(${value})`;
  }

  #isDeep(shape: Shape): boolean {
    return referencesIn(shape).some((name) => this.#deep.has(name));
  }

  #reader(shape: Member | UnionShape, path: string): string {
    const key = JSON.stringify(shape);
    const known = this.#readers.get(key);
    if (known !== undefined) return known;
    const stem = `read${toPascal(path) || "Value"}`;
    let name = stem;
    for (let count = 2; this.#names.has(name); count++) name = `${stem}_${count}`;
    this.#readers.set(key, name);
    this.#names.add(name);
    const parameters = this.#isDeep(shape) ? "value, depth" : "value";
    const place = this.functions.push("") - 1;
    this.#write(() => {
      const lines = this.#body(shape, path);
      this.functions[place] = `function ${name}(${parameters}) {\n${indent(lines)}\n}\n`;
    });
    return name;
  }

  /** Writes functions from a queue: recursion would overflow the stack for a long chain of types. */
  #write(writer: () => void): void {
    this.#waiting.push(writer);
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (this.#waiting.length > 0) for (const write of this.#waiting.splice(0)) write();
    this.#isWriting = false;
  }

  #body(shape: Member | UnionShape, path: string): readonly string[] {
    switch (shape.kind) {
      case "object":
        return this.#objectBody(shape, path);
      case "array":
      case "tuple":
        return this.#listBody(shape, path);
      case "union":
        return this.#unionBody(shape, path);
      default:
        throw new TypeError(`A shape of the kind ${shape.kind} can't be inside another.`);
    }
  }

  #limit(shape: Shape): readonly string[] {
    return this.#isDeep(shape) ? [`if (depth === ${MAX_DEPTH}) throw ${this.use("tooDeep")}();`] : [];
  }

  #objectBody(shape: ObjectShape, path: string): readonly string[] {
    const locals = shape.properties.map((property, index) => ({
      ...property,
      local: toLocal(property.name, index),
    }));
    const checks = locals.flatMap(({ name, local, ...property }) =>
      this.take(property, local, formatAccess("value", name), path + toPascal(name), BELOW),
    );
    return [
      `if (typeof value !== "object" || value === null || Array.isArray(value)) ${REFUSE}`,
      ...this.#limit(shape),
      ...checks,
      ...(shape.others ? this.#withOthers(shape, shape.others, locals, path) : build(locals)),
    ];
  }

  /**
   * @param source the expression for the value, evaluated once.
   * @returns the statements that declare `local` with the valid value, or refuse it.
   */
  take(
    { shape, optional }: Omit<Property, "name">,
    local: string,
    source: string,
    path: string,
    depth: string,
  ): readonly string[] {
    if (isPlain(shape, this.definitions)) {
      const isThere = optional ? `${local} !== undefined && ` : "";
      return [`const ${local} = ${source};`, `if (${isThere}${this.#misfit(shape, local)}) ${REFUSE}`];
    }
    if (!optional) {
      const read = this.read(shape, source, path, depth);
      return [`const ${local} = ${read};`, `if (${local} === undefined) ${REFUSE}`];
    }
    return [
      `let ${local} = ${source};`,
      `if (${local} !== undefined) {`,
      `  ${local} = ${this.read(shape, local, path, depth)};`,
      `  if (${local} === undefined) ${REFUSE}`,
      "}",
    ];
  }

  #withOthers(shape: ObjectShape, others: Shape, locals: readonly Local[], path: string): readonly string[] {
    const names = { kind: "literal", values: shape.properties.map(({ name }) => name) } as const;
    const declared = conditionOf(names, "key", this.definitions, this);
    return [
      ...assign(locals),
      "for (const key of Object.keys(value)) {",
      ...(locals.length === 0 ? [] : [`  if (${declared}) continue;`]),
      `  ${this.use("refuseEntry")}(key, value[key]);`,
      ...this.take({ shape: others, optional: false }, "item", "value[key]", `${path}Value`, BELOW).map(
        (line) => `  ${line}`,
      ),
      "  result[key] = item;",
      "}",
      "return result;",
    ];
  }

  #listBody(shape: ArrayShape | TupleShape, path: string): readonly string[] {
    const [least, most] = sizesOf(shape);
    const { items, required, rest } =
      shape.kind === "tuple" ? shape : { items: [], required: 0, rest: shape.items };
    const misfits = [
      "!Array.isArray(value)",
      ...(least > 0 ? [`value.length < ${least}`] : []),
      ...(most === Number.POSITIVE_INFINITY ? [] : [`value.length > ${most}`]),
    ];
    // If all items are passed on unchanged, so is the array.
    const isSame = [...items, ...(rest ? [rest] : [])].every((item) => isPlain(item, this.definitions));
    const result = isSame ? "value" : "items";
    return [
      `if (${misfits.join(" || ")}) ${REFUSE}`,
      ...this.#limit(shape),
      ...(isSame ? [] : ["const items = [];"]),
      ...items.flatMap((item, index) => this.#tupleItem(item, index, index >= required, path, isSame)),
      ...(rest ? this.#restItems(rest, path, isSame, items.length) : []),
      // Compares the copies: two items may differ only in keys that are dropped.
      ...(shape.uniqueItems ? [`if (!${this.use("isUnique")}(${result})) ${REFUSE}`] : []),
      `return ${result};`,
    ];
  }

  #restItems(rest: Shape, path: string, isSame: boolean, from: number): readonly string[] {
    const take = this.take({ shape: rest, optional: false }, "item", "value[index]", `${path}Item`, BELOW);
    return [
      `for (let index = ${from}; index < value.length; index++) {`,
      ...take.map((line) => `  ${line}`),
      ...(isSame ? [] : ["  items.push(item);"]),
      "}",
    ];
  }

  #tupleItem(
    shape: Shape,
    index: number,
    optional: boolean,
    path: string,
    isSame: boolean,
  ): readonly string[] {
    const local = `item${index}`;
    return [
      ...this.take({ shape, optional }, local, `value[${index}]`, `${path}Item${index}`, BELOW),
      ...(isSame ? [] : [`${optional ? `if (${local} !== undefined) ` : ""}items.push(${local});`]),
    ];
  }

  #unionBody(shape: UnionShape, path: string): readonly string[] {
    const parts = partsOf(shape, path, this.definitions);
    const plain = parts.filter((part) => isPlain(part.shape, this.definitions));
    const built = parts.filter((part) => !plain.includes(part));
    const of = plain.map((part) => part.shape);
    const plainCondition = conditionOf({ kind: "union", of }, "value", this.definitions, this);
    const objects = built.flatMap(({ shape: one }) => (one.kind === "object" ? [one] : []));
    const tag = tagOf(objects, this.definitions);
    const others = tag === undefined ? built : built.filter((part) => part.shape.kind !== "object");
    const reads = others.map((part) => this.#readPart(part));
    return [
      ...(plain.length === 0 ? [] : [`if (${plainCondition}) return value;`]),
      ...(tag === undefined ? [] : this.#switch(tag, built, reads)),
      ...(tag === undefined ? [`return ${reads.join(" ?? ")};`] : []),
    ];
  }

  #readPart({ shape, name }: Part): string {
    return this.read(shape, "value", name, "depth");
  }

  #switch(tag: string, parts: readonly Part[], reads: readonly string[]): readonly string[] {
    const isObject = 'typeof value === "object" && value !== null && !Array.isArray(value)';
    const cases = parts.flatMap((part) => {
      if (part.shape.kind !== "object") return [];
      const tags = tagsOf(part.shape, tag, this.definitions);
      return [...tags.map((one) => `  case ${JSON.stringify(one)}:`), `    return ${this.#readPart(part)};`];
    });
    return [
      `if (!(${isObject})) return ${reads.join(" ?? ") || "undefined"};`,
      `switch (${formatAccess("value", tag)}) {`,
      ...cases,
      "  default:",
      "    return undefined;",
      "}",
    ];
  }
}

/** A member of a union, and the name for its reader. */
interface Part {
  readonly shape: Member;
  readonly name: string;
}

function partsOf(
  shape: Shape,
  path: string,
  definitions: Definitions,
  above: readonly Shape[] = [],
): readonly Part[] {
  const { found, name = path } = follow(shape, definitions);
  if (found.kind !== "union") return [{ shape: found, name }];
  if (above.includes(found)) return [];
  return found.of.flatMap((member, index) =>
    partsOf(member, `${name}Case${index + 1}`, definitions, [...above, found]),
  );
}

/** Resolves references. @returns the shape, and the name of the last definition. */
function follow(
  shape: Shape,
  definitions: Definitions,
): { readonly found: Member | UnionShape; readonly name?: string } {
  const seen = new Set<string>();
  let found = shape;
  let name: string | undefined;
  while (found.kind === "reference") {
    name = found.name;
    found = (seen.has(name) ? undefined : definitions[name]) ?? { kind: "never" };
    seen.add(name);
  }
  return name === undefined ? { found } : { found, name };
}

/** A property, and the variable with its value. */
interface Local {
  readonly name: string;
  readonly local: string;
  readonly optional: boolean;
}

/** @returns the statements that return an object with the properties that are present. */
function build(locals: readonly Local[]): readonly string[] {
  const optional = locals.filter((local) => local.optional);
  if (optional.length > MAX_BRANCHES) return [...assign(locals), "return result;"];
  const branch = (left: readonly Local[], rest: readonly Local[]): readonly string[] => {
    const [first, ...more] = rest;
    if (first === undefined) return [`return ${formatObject(left)};`];
    const without = left.filter((local) => local !== first);
    return [
      `if (${first.local} === undefined) {`,
      ...branch(without, more).map((line) => `  ${line}`),
      "}",
      ...branch(left, more),
    ];
  };
  return branch(locals, optional);
}

/** Keeps the declared order: the properties before the first optional one are in the literal, the others are assigned. */
function assign(locals: readonly Local[]): readonly string[] {
  const first = locals.findIndex(({ optional }) => optional);
  const end = first === -1 ? locals.length : first;
  const more = locals.slice(end).map(({ name, local, optional }) => {
    const set =
      name === "__proto__"
        ? `Object.defineProperty(result, "__proto__", { value: ${local}, enumerable: true, writable: true, configurable: true });`
        : `result[${JSON.stringify(name)}] = ${local};`.replace(
            /^result\["([A-Za-z_$][\w$]*)"\]/,
            "result.$1",
          );
    return optional ? `if (${local} !== undefined) ${set}` : set;
  });
  return [`const result = ${formatObject(locals.slice(0, end))};`, ...more];
}

function formatObject(locals: readonly Local[]): string {
  if (locals.length === 0) return "{}";
  const entries = locals.map(({ name, local }) => {
    const key = formatKey(name);
    return key === local ? local : `${key}: ${local}`;
  });
  const line = `{ ${entries.join(", ")} }`;
  return line.length <= 90 ? line : `{\n${entries.map((entry) => `    ${entry},\n`).join("")}  }`;
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join("\n");
}
