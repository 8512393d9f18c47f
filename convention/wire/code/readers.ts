/** Writes a function for each shape whose values are built afresh: it checks and builds in one pass, and gives undefined at the first misfit. */

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

/** So many optional properties are told apart by a literal each for those that are there: V8 builds a literal at once. */
const MAX_BRANCHES = 2;

/** How many levels are above what is inside the value of a function. */
const BELOW = "depth + 1";

const REFUSE = "return undefined;";

/** What is written so far. */
export class WireText {
  readonly definitions: Definitions;
  readonly functions: string[] = [];
  readonly #deep: ReadonlySet<string>;
  readonly #checks = new Set<Check>();
  readonly #schemas = new Map<string, { local: string; file: string; exported: string }>();
  /** The names by the expressions. */
  readonly #constants = new Map<string, string>();
  /** The names by the shapes, as JSON. */
  readonly #readers = new Map<string, string>();
  readonly #names = new Set<string>();
  /** Writes the functions that have a name but no text yet. */
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

  /** @returns the name of a check, which is then imported. */
  use(check: Check): Check {
    this.#checks.add(check);
    return check;
  }

  /** @returns the name of a constant with this value: one for all that are equal. */
  hoist(stem: string, expression: string): string {
    const known = this.#constants.get(expression);
    if (known !== undefined) return known;
    const name = `${stem}${this.#constants.size + 1}`;
    this.#constants.set(expression, name);
    return name;
  }

  /** @returns the name under which a Standard Schema is imported. */
  import(file: string, exported: string): string {
    const key = JSON.stringify([file, exported]);
    const known = this.#schemas.get(key);
    const local = known?.local ?? `schema${this.#schemas.size + 1}`;
    this.#schemas.set(key, { local, file, exported });
    return local;
  }

  /** @returns an expression that is true where a value does not fit a plain shape. */
  #misfit(shape: Shape, value: string): string {
    return not(conditionOf(shape, value, this.definitions, this));
  }

  /**
   * @param shape is not plain.
   * @param path names the function for it, if it has no name of its own.
   * @param depth the expression for how many levels are above the value.
   * @returns an expression that gives what is built, or undefined.
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

  /** One function after the other: a chain of types can be longer than the stack. */
  #write(one: () => void): void {
    this.#waiting.push(one);
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
   * @param source is evaluated once.
   * @returns the statements that declare a variable with what is read of a value, or return.
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
    // If all items are given as they are, so is the array.
    const isSame = [...items, ...(rest ? [rest] : [])].every((item) => isPlain(item, this.definitions));
    const given = isSame ? "value" : "items";
    return [
      `if (${misfits.join(" || ")}) ${REFUSE}`,
      ...this.#limit(shape),
      ...(isSame ? [] : ["const items = [];"]),
      ...items.flatMap((item, index) => this.#tupleItem(item, index, index >= required, path, isSame)),
      ...(rest ? this.#restItems(rest, path, isSame, items.length) : []),
      // What the handler is given counts: two items may differ in keys that are dropped.
      ...(shape.uniqueItems ? [`if (!${this.use("isUnique")}(${given})) ${REFUSE}`] : []),
      `return ${given};`,
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
    const met = conditionOf({ kind: "union", of }, "value", this.definitions, this);
    const objects = built.flatMap(({ shape: one }) => (one.kind === "object" ? [one] : []));
    const tag = tagOf(objects, this.definitions);
    const others = tag === undefined ? built : built.filter((part) => part.shape.kind !== "object");
    const reads = others.map((part) => this.#readPart(part));
    return [
      ...(plain.length === 0 ? [] : [`if (${met}) return value;`]),
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

/** A shape of a union, and the name for its function. */
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

/** @returns the shape behind names, and the last of these. */
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

interface Local {
  readonly name: string;
  readonly local: string;
  readonly optional: boolean;
}

/** @returns the statements that return an object with those of the properties that are there. */
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

/** In declared order: what comes before the first optional property is in the literal. */
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
