/** Generates random types of all supported kinds as TypeScript text, with values that resemble them, for tests. */

import { createRandom, pick, type Random } from "#runtime/random.fixture";
import { changeOne, KEYS, randomJson, randomNumber, randomText, TEXTS } from "./random-values.fixture.ts";

export interface RandomType {
  /** The text of a module that exports the type as `T`. */
  readonly module: string;
  /** Values that fit, almost fit or don't fit: TypeScript decides. */
  readonly values: readonly unknown[];
}

export function createRandomType(seed: number, count: number): RandomType {
  const scope: Scope = { random: createRandom(seed), declarations: [] };
  const { text, make } = anyType(scope, 3);
  const values = Array.from({ length: count }, () => toValue(scope.random, make));
  return { module: [...scope.declarations, `export type T = ${text};`, ""].join("\n"), values };
}

function toValue(random: Random, make: () => unknown): unknown {
  if (random(20) === 0) return randomJson(random, 2);
  let value = make();
  for (let changes = random(3); changes > 0; changes--) value = changeOne(random, value);
  return value;
}

interface Scope {
  readonly random: Random;
  readonly declarations: string[];
}

interface Type {
  readonly text: string;
  /** Generates a value that probably fits. */
  make(): unknown;
}

interface Field {
  readonly key: string;
  readonly type: Type;
  readonly optional: boolean;
}

interface ObjectType extends Type {
  readonly fields: readonly Field[];
}

type Maker = (scope: Scope, depth: number) => Type;

const LEAVES: readonly Maker[] = [
  () => ({ text: "string", make: () => "a" }),
  ({ random }) => ({ text: "string", make: () => randomText(random) }),
  ({ random }) => ({ text: "number", make: () => randomNumber(random) }),
  ({ random }) => ({ text: "boolean", make: () => random(2) === 0 }),
  () => ({ text: "null", make: () => null }),
  ({ random }) => ({ text: "unknown", make: () => randomJson(random, 2) }),
  literals,
  template,
  constants,
  keys,
];

const COMPOSITES: readonly Maker[] = [
  array,
  tuple,
  record,
  openObject,
  recursive,
  generic,
  toldApart,
  tagged,
  narrowed,
  picked,
  objectType,
  objectType,
  (scope, depth) => anyType(scope, depth - 1),
];

function anyType(scope: Scope, depth: number): Type {
  return pick(scope.random, depth > 0 && scope.random(4) > 0 ? COMPOSITES : LEAVES)(scope, depth);
}

function declare(scope: Scope, write: (name: string) => string): string {
  const name = `${pick(scope.random, ["Item", "Page", "Order", "Node"])}${scope.declarations.length}`;
  scope.declarations.push(write(name));
  return name;
}

function oneOf(random: Random, values: readonly (string | number | boolean | null)[]): Type {
  return { text: values.map((value) => JSON.stringify(value)).join(" | "), make: () => pick(random, values) };
}

function literals({ random }: Scope): Type {
  const known = ["a", "b", "admin", "12", "", 1, -1, 1.5, 0, true, false, null] as const;
  return oneOf(random, distinct(random, known, 1 + random(3)));
}

/** @returns a random selection in random order. */
function distinct<T>(random: Random, list: readonly T[], count: number): T[] {
  const left = [...list];
  return Array.from({ length: Math.min(count, list.length) }, () =>
    left.splice(random(left.length), 1),
  ).flat();
}

const HOLES: readonly ((random: Random) => Type)[] = [
  (random) => ({ text: "string", make: () => randomText(random) }),
  (random) => ({
    text: "number",
    make: () => String(random(2) === 0 ? randomNumber(random) : randomText(random)),
  }),
  (random) => ({ text: "boolean", make: () => String(random(2) === 0) }),
  (random) => oneOf(random, ["x", "y", "1"]),
];

function template({ random }: Scope): Type {
  const parts = Array.from({ length: 1 + random(3) }, (_, at) => ({
    before: pick(random, at === 0 ? ["", "v", "/", "x-", "$"] : ["-", ".", "/", "px"]),
    hole: pick(random, HOLES)(random),
  }));
  const end = pick(random, ["", "px", "/", "-1"]);
  return {
    text: `\`${parts.map(({ before, hole }) => `${before}\${${hole.text}}`).join("")}${end}\``,
    make: () =>
      random(3) === 0
        ? randomText(random)
        : parts.map(({ before, hole }) => before + hole.make()).join("") + end,
  };
}

function constants(scope: Scope): Type {
  const { random } = scope;
  const values = distinct(random, ["admin", "guest", "a", 1, true], 1 + random(3));
  const name = declare(scope, (own) => `export const ${own} = ${JSON.stringify(values)} as const;`);
  return { text: `(typeof ${name})[number]`, make: () => pick(random, values) };
}

function keys(scope: Scope): Type {
  const { text, fields } = objectType(scope, 1);
  const names = fields.map(({ key }) => key);
  return { text: `keyof ${grouped(text)}`, make: () => pick(scope.random, names) };
}

function grouped(text: string): string {
  return /^\w+$/.test(text) ? text : `(${text})`;
}

function array(scope: Scope, depth: number): Type {
  const items = anyType(scope, depth - 1);
  const text = pick(scope.random, [
    `${grouped(items.text)}[]`,
    `readonly ${grouped(items.text)}[]`,
    `Array<${items.text}>`,
    `ReadonlyArray<${items.text}>`,
  ]);
  return { text, make: () => many(scope.random, items) };
}

function many(random: Random, items: Type): unknown[] {
  return Array.from({ length: random(4) }, () => items.make());
}

function tuple(scope: Scope, depth: number): Type {
  const { random } = scope;
  const [first, second, third] = [0, 1, 2].map(() => anyType(scope, depth - 1)) as [Type, Type, Type];
  const forms: readonly Type[] = [
    { text: `[${first.text}, ${second.text}]`, make: () => [first.make(), second.make()] },
    {
      text: `[first: ${first.text}, second?: ${second.text}]`,
      make: () => [first.make(), second.make()].slice(random(2)),
    },
    {
      text: `[${first.text}, ${grouped(second.text)}?]`,
      make: () => [first.make(), second.make()].slice(0, 1 + random(2)),
    },
    { text: `readonly [${first.text}]`, make: () => [first.make()] },
    { text: "[]", make: () => [] },
    {
      text: `[${first.text}, ${grouped(second.text)}?, ...${grouped(third.text)}[]]`,
      make: () => [first.make(), second.make(), ...many(random, third)],
    },
    { text: `[...${grouped(first.text)}[]]`, make: () => many(random, first) },
  ];
  return pick(random, forms);
}

function record(scope: Scope, depth: number): Type {
  const { random } = scope;
  const value = anyType(scope, depth - 1);
  const make = (names: readonly string[]) => (): unknown =>
    Object.fromEntries(names.map((name) => [name, value.make()]));
  const names = distinct(random, KEYS, 2);
  const union = names.map((name) => JSON.stringify(name)).join(" | ");
  return pick(random, [
    { text: `Record<string, ${value.text}>`, make: make(distinct(random, KEYS, random(3))) },
    { text: `{ [key: string]: ${value.text} }`, make: make(distinct(random, KEYS, random(3))) },
    { text: `{ readonly [key: string]: ${value.text} }`, make: make(names) },
    { text: `Record<${union}, ${value.text}>`, make: make(names) },
    { text: `Partial<Record<${union}, ${value.text}>>`, make: make(names.slice(random(3))) },
  ]);
}

function openObject(scope: Scope, depth: number): Type {
  const { random } = scope;
  const value = anyType(scope, depth - 1);
  const others = random(2) === 0 ? value.text : "unknown";
  const make = (): unknown => ({
    a: value.make(),
    ...(random(2) === 0 && { b: value.make() }),
    z: value.make(),
  });
  return { text: `{ a: ${value.text}; b?: ${value.text}; [key: string]: ${others} }`, make };
}

function objectType(scope: Scope, depth: number): ObjectType {
  const { random } = scope;
  const fields = distinct(random, KEYS, 1 + random(4)).map((key) => ({
    key,
    type: anyType(scope, depth - 1),
    optional: random(3) === 0,
  }));
  return pick(random, [literalObject, named, merged, extended, intersected, changed])(scope, fields);
}

function literalObject({ random }: Scope, fields: readonly Field[]): ObjectType {
  return { ...objectOf(random, fields), text: bracesOf(fields) };
}

function objectOf(random: Random, fields: readonly Field[]): Omit<ObjectType, "text"> {
  const make = (): unknown =>
    Object.fromEntries(
      fields
        .filter(({ optional }) => !optional || random(2) === 0)
        .map(({ key, type }) => [key, type.make()]),
    );
  return { fields, make };
}

function bracesOf(fields: readonly Field[]): string {
  const members = fields.map(
    ({ key, type, optional }) => `${JSON.stringify(key)}${optional ? "?" : ""}: ${type.text}`,
  );
  return `{ ${members.join("; ")} }`;
}

function named(scope: Scope, fields: readonly Field[]): ObjectType {
  const braces = bracesOf(fields);
  const text = declare(scope, (name) =>
    scope.random(2) === 0 ? `export interface ${name} ${braces}` : `export type ${name} = ${braces};`,
  );
  return { ...objectOf(scope.random, fields), text };
}

function merged(scope: Scope, fields: readonly Field[]): ObjectType {
  const [first, ...others] = [fields.slice(0, 1), ...fields.slice(1).map((field) => [field])].map(bracesOf);
  const text = declare(scope, (name) =>
    [first, ...others].map((braces) => `export interface ${name} ${braces}`).join("\n"),
  );
  return { ...objectOf(scope.random, fields), text };
}

/** The base may have one of the keys with a wider type. */
function extended(scope: Scope, fields: readonly Field[]): ObjectType {
  const { text: base } = named(scope, fields.slice(0, 1));
  const own = [...fields.slice(1), ...(scope.random(3) === 0 ? fields.slice(0, 1) : [])];
  const wide = declare(
    scope,
    (name) =>
      `export interface ${name} { ${fields.slice(1, 2).map(({ key }) => `${JSON.stringify(key)}?: unknown`)} }`,
  );
  const text = declare(scope, (name) => `export interface ${name} extends ${base}, ${wide} ${bracesOf(own)}`);
  return { ...objectOf(scope.random, fields), text };
}

function intersected(scope: Scope, fields: readonly Field[]): ObjectType {
  const half = scope.random(fields.length + 1);
  const parts = [fields.slice(0, half), fields.slice(half)].filter((part) => part.length > 0);
  const text = parts.map((part) => pick(scope.random, [literalObject, named])(scope, part).text).join(" & ");
  return { ...objectOf(scope.random, fields), text };
}

/** Applies a utility type that maps an object type to another. */
function changed(scope: Scope, fields: readonly Field[]): ObjectType {
  const { text } = named(scope, fields);
  const [key = ""] = fields.map((field) => field.key);
  const quoted = JSON.stringify(key);
  const rest = fields.slice(1);
  const forms: readonly { readonly text: string; readonly fields: readonly Field[] }[] = [
    { text: `Readonly<${text}>`, fields },
    { text: `Partial<${text}>`, fields: fields.map((field) => ({ ...field, optional: true })) },
    { text: `Required<${text}>`, fields: fields.map((field) => ({ ...field, optional: false })) },
    { text: `Pick<${text}, ${quoted}>`, fields: fields.slice(0, 1) },
    ...(rest.length === 0
      ? []
      : [
          { text: `Omit<${text}, ${quoted} | "nowhere">`, fields: rest },
          { text: `Pick<${text}, Exclude<keyof ${text}, ${quoted}>>`, fields: rest },
          {
            text: `Partial<Pick<${text}, ${quoted}>> & Omit<${text}, ${quoted}>`,
            fields: fields.map((field) => (field.key === key ? { ...field, optional: true } : field)),
          },
        ]),
  ];
  const form = pick(scope.random, forms);
  return { ...objectOf(scope.random, form.fields), text: form.text };
}

/** `T["k"]` */
function picked(scope: Scope, depth: number): Type {
  const { text, fields } = objectType(scope, depth);
  const required = fields.filter(({ optional }) => !optional);
  const { key, type } = pick(scope.random, required.length === 0 ? fields : required);
  return { text: `${grouped(text)}[${JSON.stringify(key)}]`, make: type.make };
}

/** A recursive type and a generator of its values; `again` generates a nested value, or null. */
interface Recursion {
  declare(name: string): string;
  make(again: () => unknown): unknown;
}

const RECURSIONS: readonly Recursion[] = [
  {
    declare: (name) => `export interface ${name} { label: string; children: ${name}[] }`,
    make: (again) => ({ label: "a", children: [again()].filter((child) => child !== null) }),
  },
  {
    declare: (name) => `export interface ${name} { n: number; next?: ${name} | null }`,
    make: (again) => ({ n: 1, next: again() }),
  },
  {
    declare: (name) =>
      `export type ${name} = string | number | boolean | null | ${name}[] | { [key: string]: ${name} };`,
    make: (again) => ["a", { a: again() }],
  },
  {
    declare: (name) =>
      `export type ${name} = null | { kind: "n"; n: number } | { kind: "sum"; left: ${name}; right: ${name} };`,
    make: (again) => ({ kind: "sum", left: again(), right: { kind: "n", n: 1 } }),
  },
  { declare: (name) => `export type ${name} = [number, (${name} | null)?];`, make: (again) => [1, again()] },
  { declare: (name) => `export type ${name} = null | ${name}[];`, make: (again) => [null, again()] },
  {
    declare: (name) =>
      `export interface ${name} { n: number; other: ${name}Other | null }\nexport interface ${name}Other { back?: ${name} | null }`,
    make: (again) => ({ n: 1, other: { back: again() } }),
  },
  {
    declare: (name) => `export interface ${name}<V = string> { value: V; next: ${name}<V> | null }`,
    make: (again) => ({ value: "a", next: again() }),
  },
];

function recursive(scope: Scope): Type {
  const { random } = scope;
  const recursion = pick(random, RECURSIONS);
  const make = (): unknown => recursion.make(() => (random(2) === 0 ? null : make()));
  return { text: declare(scope, recursion.declare), make };
}

function generic(scope: Scope, depth: number): Type {
  const { random } = scope;
  const [a, b] = [anyType(scope, depth - 1), anyType(scope, depth - 1)];
  const next = (): unknown => ({ value: a.make(), next: random(2) === 0 ? null : next() });
  const forms: readonly [(name: string) => string, string, () => unknown][] = [
    [
      (name) => `export interface ${name}<V> { item: V; more?: V[] }`,
      `<${a.text}>`,
      () => ({ item: a.make(), more: many(random, a) }),
    ],
    [
      (name) => `export type ${name}<A, B = A> = { first: A; second: B };`,
      `<${a.text}>`,
      () => ({ first: a.make(), second: a.make() }),
    ],
    [
      (name) => `export type ${name}<A, B = A> = { first: A; second: B[] };`,
      `<${a.text}, ${b.text}>`,
      () => ({ first: a.make(), second: many(random, b) }),
    ],
    [(name) => `export type ${name}<V> = V | null;`, `<${a.text}>`, a.make],
    [(name) => `export interface ${name}<V> { value: V; next: ${name}<V> | null }`, `<${a.text}>`, next],
    [
      (name) => `export type ${name}<K extends string, V> = Record<K, V> & { v: V };`,
      `<"k", ${a.text}>`,
      () => ({ k: a.make(), v: a.make() }),
    ],
  ];
  const [write, words, make] = pick(random, forms);
  return { text: declare(scope, write) + words, make };
}

/** A union whose members differ in their JSON type. */
function toldApart(scope: Scope, depth: number): Type {
  const { random } = scope;
  const members: readonly (() => Type)[] = [
    () => ({ text: "string", make: () => randomText(random) }),
    () => ({ text: "number", make: () => randomNumber(random) }),
    () => ({ text: "boolean", make: () => true }),
    () => ({ text: "null", make: () => null }),
    () => array(scope, depth - 1),
    () => pick(random, [objectType, tagged, record])(scope, depth - 1),
  ];
  return unionOf(
    random,
    distinct(random, members, 2 + random(3)).map((member) => member()),
  );
}

function unionOf(random: Random, members: readonly Type[]): Type {
  return {
    text: members.map(({ text }) => grouped(text)).join(" | "),
    make: () => pick(random, members).make(),
  };
}

/** A union of objects with a literal discriminant. */
function taggedMembers(scope: Scope, depth: number): ObjectType[] {
  const { random } = scope;
  const tags = distinct(random, ["circle", "square", "a", 1, true], 2 + random(2));
  return tags.map((tag) => {
    const { fields } = objectType(scope, depth - 1);
    const kind: Field = { key: "kind", type: oneOf(random, [tag]), optional: false };
    return pick(random, [literalObject, named, intersected])(scope, [kind, ...fields]);
  });
}

function tagged(scope: Scope, depth: number): Type {
  return unionOf(scope.random, taggedMembers(scope, depth));
}

/** `Exclude`, `Extract` and `NonNullable` of a union, and an intersection with `{}`, which removes `null`. */
function narrowed(scope: Scope, depth: number): Type {
  const { random } = scope;
  const base = toldApart(scope, depth);
  const [first, ...others] = taggedMembers(scope, depth);
  const shapes = unionOf(random, [...(first === undefined ? [] : [first]), ...others]);
  const tag = first?.fields[0]?.type.text;
  return pick(random, [
    { text: `NonNullable<${base.text}>`, make: base.make },
    { text: `(${base.text}) & {}`, make: base.make },
    { text: `Exclude<${base.text}, null>`, make: base.make },
    { text: `Extract<${base.text}, string | number | null>`, make: base.make },
    { text: `Exclude<${shapes.text}, { kind: ${tag} }>`, make: shapes.make },
    { text: `Extract<${shapes.text}, { kind: ${tag} }>`, make: shapes.make },
    { text: `Exclude<"a" | "b" | 1, "a">`, make: () => pick(random, [...TEXTS, 1]) },
  ]);
}
