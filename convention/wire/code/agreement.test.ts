/** The generated code, which validates, and the walk over shapes, which explains issues, agree on random values. */

import { isDeepStrictEqual } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { fc } from "#runtime/fast-check.fixture";
import { HttpError } from "#runtime/message/errors";
import { runs } from "#runtime/random.fixture";
import { toDate } from "#runtime/wire/checks";
import { findIssues } from "#runtime/wire/imports";
import type { RouteInputs } from "#runtime/wire/inputs";
import type { Raw, RequestReader, TextPlace } from "#runtime/wire/request-reader";
import {
  type Definitions,
  type Format,
  membersOf,
  type ObjectShape,
  type Property,
  type Shape,
  tagOf,
  tagsOf,
} from "#runtime/wire/shape";
import { jsonTypeOf, typesOf } from "../json-types.fixture.ts";
import { bodyOf, inputsOf, object, readerOf, textTake } from "./wire.fixture.ts";

const RUNS = runs(60, 4_000);
const KEYS = [
  "a",
  "b",
  "name",
  "value",
  "a b",
  "0",
  "👍",
  "constructor",
  "toString",
  "__proto__",
  "~/",
  "class",
];
const WORDS = [
  "",
  "a",
  "ab",
  "👍👍",
  "cat",
  "admin",
  "1",
  "-7",
  "1.5",
  "true",
  "2026-11-22",
  "2026-11-22T10:30:00Z",
  "a@b.org",
];
const NUMBERS = [0, -0, 1, 2, 7, 9, -1, 1.5, 0.01, 19.99, 2 ** 53, 1e300];
const FORMATS: readonly Format[] = ["email", "date", "ipv4"];

const refer = (name: string): Shape => ({ kind: "reference", name });
const DEFINITIONS: Definitions = {
  Tree: object({ name: { kind: "string" }, children: { kind: "array", items: refer("Tree") } }, ["children"]),
  Json: {
    kind: "union",
    of: [
      { kind: "string" },
      { kind: "number" },
      { kind: "null" },
      { kind: "array", items: refer("Json") },
      object({}, [], refer("Json")),
    ],
  },
  Cat: object({ kind: { kind: "literal", values: ["cat"] }, lives: { kind: "number", integer: true } }),
  Dog: object({ kind: { kind: "literal", values: ["dog", 1] }, born: { kind: "date" } }, ["born"]),
  Pet: { kind: "union", of: [refer("Cat"), refer("Dog")], tag: "kind" },
  Slug: { kind: "string", patterns: [{ source: "^[a-z]+$" }] },
};

const optionally = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(values, { nil: undefined });

/** Drops undefined keys, which a shape must not have. */
function shapes<T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Shape> {
  return fc.record(model).map((shape) => JSON.parse(JSON.stringify(shape)));
}

const strings = shapes({
  kind: fc.constant("string"),
  minLength: optionally(fc.nat(3)),
  maxLength: optionally(fc.nat(3)),
  patterns: optionally(fc.constant([{ source: "^[a-z/]*$" }])),
  formats: optionally(fc.subarray([...FORMATS], { minLength: 1, maxLength: 1 })),
});
const numbers = shapes({
  kind: fc.constant("number"),
  integer: optionally(fc.constant(true)),
  min: optionally(fc.constantFrom(-1, 0, 1.5)),
  exclusiveMax: optionally(fc.constantFrom(1, 9)),
  multipleOf: optionally(fc.constantFrom([0.01], [2], [1.5, 1])),
});
const literals = shapes({
  kind: fc.constant("literal"),
  values: fc.uniqueArray(fc.constantFrom<string | number | boolean>(...WORDS, 0, 1, 7, true, false), {
    minLength: 1,
  }),
});
const scalars = fc.oneof(
  strings,
  numbers,
  literals,
  fc.constantFrom<Shape>(
    { kind: "boolean" },
    { kind: "null" },
    { kind: "date" },
    { kind: "unknown" },
    { kind: "never" },
    refer("Slug"),
  ),
);

function objects(inner: fc.Arbitrary<Shape>, others: fc.Arbitrary<Shape>): fc.Arbitrary<ObjectShape> {
  const properties: fc.Arbitrary<Property[]> = fc.uniqueArray(
    fc.record({ name: fc.constantFrom(...KEYS), shape: inner, optional: fc.boolean() }),
    { selector: ({ name }) => name, maxLength: 5 },
  );
  return fc
    .tuple(properties, fc.option(others, { nil: undefined, freq: 3 }))
    .map(
      ([list, rest]): ObjectShape => ({ kind: "object", properties: list, ...(rest && { others: rest }) }),
    );
}

const { shape: anyShape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalars,
    objects(tie("shape"), tie("shape")),
    shapes({
      kind: fc.constant("array"),
      items: tie("shape"),
      minItems: optionally(fc.nat(2)),
      maxItems: optionally(fc.nat(3)),
      uniqueItems: optionally(fc.constant(true)),
    }),
    fc
      .tuple(fc.array(tie("shape"), { maxLength: 3 }), fc.nat(3), optionally(tie("shape")))
      .map(([items, required, rest]): Shape => {
        return { kind: "tuple", items, required: Math.min(required, items.length), ...(rest && { rest }) };
      }),
    fc
      .array(tie("shape"), { minLength: 2, maxLength: 3 })
      .map((of): Shape => ({ kind: "union", of }))
      .filter(isTold),
    fc.constantFrom<Shape>(refer("Tree"), refer("Json"), refer("Pet"), {
      kind: "union",
      of: [refer("Pet"), { kind: "null" }, { kind: "array", items: refer("Pet") }],
    }),
  ),
}));

/** A union as the type reader requires it: one look at a value selects the member. */
function isTold(shape: Shape): boolean {
  const members = membersOf(shape, DEFINITIONS);
  const tag = tagOf(
    members.filter((member) => member.kind === "object"),
    DEFINITIONS,
  );
  return members.every((one, index) => {
    const others = members.filter(
      (other, at) => at !== index && !(tag && one.kind === "object" && other.kind === "object"),
    );
    if (!["object", "array", "tuple", "date"].includes(one.kind)) return true;
    return others.every((other) => !typesOf(one).some((type) => typesOf(other).includes(type)));
  });
}

const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...WORDS, ...NUMBERS, true, false, null, [], {}),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A source of random choices. The test shrinks failures towards 0. */
type Choose = (below: number) => number;

function chooser(seeds: readonly number[]): Choose {
  let at = 0;
  return (below) => (seeds[at++ % Math.max(seeds.length, 1)] ?? 0) % below;
}

function pick<T>(list: readonly T[], choose: Choose): T | undefined {
  return list[choose(Math.max(list.length, 1))];
}

/** A value that often fits, with a few random deviations. */
function near(shape: Shape, choose: Choose, depth = 0): unknown {
  if (choose(23) === 22)
    return pick<unknown>([...WORDS, ...NUMBERS, true, null, [], {}, [1], { a: 1 }], choose);
  const member = pick(membersOf(shape, DEFINITIONS), choose);
  switch (member?.kind) {
    case "string":
      return pick(WORDS, choose);
    case "number":
      return pick(NUMBERS, choose);
    case "literal":
      return pick(member.values, choose);
    case "boolean":
      return choose(2) === 0;
    case "date":
      return "2026-11-22T10:30:00Z";
    case "array":
      return Array.from({ length: depth > 4 ? 0 : choose(4) }, () => near(member.items, choose, depth + 1));
    case "tuple": {
      const given = member.items.slice(0, member.required + choose(3));
      const rest = member.rest ? [member.rest, member.rest].slice(choose(3)) : [];
      return [...given, ...(given.length === member.items.length ? rest : [])].map((item) =>
        near(item, choose, depth + 1),
      );
    }
    case "object": {
      const entries = member.properties
        .filter(({ optional }) => choose(optional ? 2 : 30) !== 1)
        .map(({ name, shape: inner }) => [name, near(inner, choose, depth + 1)]);
      const key = pick(KEYS, choose) ?? "a";
      const more =
        depth < 5 && choose(3) === 0
          ? [[key, near(member.others ?? { kind: "null" }, choose, depth + 1)]]
          : [];
      return Object.fromEntries([...more, ...entries]);
    }
    default:
      return pick<unknown>([null, 1, "x", [1], { a: [] }], choose);
  }
}

/** A second implementation of the value that a handler gets. */
function project(shape: Shape, value: unknown): unknown {
  const fitting = membersOf(shape, DEFINITIONS).filter((member) => {
    const type = jsonTypeOf(value);
    return type !== undefined && typesOf(member).includes(type);
  });
  if (fitting.some(({ kind }) => !["object", "array", "tuple", "date"].includes(kind))) return value;
  const objectShapes = fitting.filter((member) => member.kind === "object");
  const tag = tagOf(objectShapes, DEFINITIONS);
  const member = fitting.find((one) => {
    if (one.kind !== "object" || tag === undefined) return true;
    return tagsOf(one, tag, DEFINITIONS).includes((value as Record<string, string>)[tag] ?? "");
  });
  if (member?.kind === "date") return toDate(value);
  if (member?.kind === "array" && Array.isArray(value))
    return value.map((item) => project(member.items, item));
  if (member?.kind === "tuple" && Array.isArray(value))
    return value.map((item, index) => project(member.items[index] ?? member.rest ?? { kind: "never" }, item));
  if (member?.kind !== "object") return value;
  const declared = new Map(member.properties.map(({ name, shape: inner }) => [name, inner]));
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([key, inner]) => {
      const of = declared.get(key) ?? member.others;
      return of === undefined ? [] : [[key, project(of, inner)]];
    }),
  );
}

async function isRefused(inputs: RouteInputs, reader: RequestReader): Promise<boolean | "harmful"> {
  try {
    return (await inputs.read(reader)) === undefined;
  } catch (error) {
    assert.instance(error, HttpError);
    return "harmful";
  }
}

/** A harmful key counts as an issue: the code may have found another one first. */
async function hasIssue(inputs: RouteInputs, reader: RequestReader): Promise<boolean> {
  try {
    return (await findIssues([inputs], inputs.definitions, reader)).length > 0;
  } catch (error) {
    assert.instance(error, HttpError);
    return true;
  }
}

const seeds = fc.array(fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 }), {
  minLength: 10,
  maxLength: 10,
});

test("the code refuses a body exactly if there is an issue, and builds what the shape says", async () => {
  let [fitting, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(anyShape, seeds, fc.array(anyJson, { maxLength: 4 }), async (shape, choices, others) => {
      const inputs = await inputsOf([bodyOf(shape)], DEFINITIONS);
      const values = choices.map((list) => near(shape, chooser(list)));
      for (const value of [...values, ...others]) {
        // As parsed from the request.
        const body: unknown = JSON.parse(JSON.stringify(value));
        const verdict = await isRefused(inputs, readerOf({}, body));
        if (verdict === "harmful") continue;
        assert.is(await hasIssue(inputs, readerOf({}, body)), verdict, JSON.stringify(body));
        if (verdict) refused++;
        else fitting++;
        if (!verdict) {
          const taken = await inputs.read(readerOf({}, body));
          // Not with uvu, which compares an own property `constructor` as if it were the class.
          assert.ok(isDeepStrictEqual(taken, [project(shape, body)]), JSON.stringify(body));
        }
      }
    }),
    { numRuns: RUNS },
  );
  assert.ok(fitting > RUNS && refused > RUNS, `${fitting} fit and ${refused} do not`);
});

const places = fc.constantFrom<TextPlace>("query", "header", "cookie", "form");
const lists = scalars.map((items): Shape => ({ kind: "array", items }));
const inTexts = fc.oneof(
  scalars,
  lists,
  fc
    .tuple(scalars, scalars, lists)
    .map(([one, other, list]): Shape => ({ kind: "union", of: [one, other, list].slice(0, 2) })),
  fc.constant<Shape>({ kind: "file" }),
);
const files = [new File([], "b.txt"), new File(["x"], "a.txt")];
const raws: fc.Arbitrary<Raw> = fc.oneof(
  fc.constantFrom<Raw>(undefined, ...WORDS, "a, 1,,2"),
  fc.array(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 3 }),
);
const fileRaws: fc.Arbitrary<Raw> = fc.oneof(
  raws,
  fc.constantFrom<Raw>(...files),
  fc.array(fc.constantFrom<string | File>(...WORDS, ...files), { minLength: 2, maxLength: 3 }),
);

test("the code refuses texts exactly if there is an issue", async () => {
  let [fitting, refused] = [0, 0];
  const takes = fc.oneof(
    fc.record({ shape: inTexts, key: fc.constantFrom(...KEYS) }),
    fc.record({ shape: objects(inTexts, inTexts) }),
  );
  await fc.assert(
    fc.asyncProperty(
      places,
      takes,
      fc.boolean(),
      fc.array(fc.dictionary(fc.constantFrom(...KEYS), fileRaws), { minLength: 10, maxLength: 10 }),
      async (place, { shape, ...keyed }, optional, requests) => {
        const key = "key" in keyed ? keyed.key : undefined;
        const inputs = await inputsOf([textTake(place, shape, key, optional)], DEFINITIONS);
        for (const request of requests) {
          const given = Object.entries(request).filter(([, raw]) => place === "form" || !hasFile(raw));
          const reader = readerOf({ [place]: Object.fromEntries(given) });
          const verdict = await isRefused(inputs, reader);
          if (verdict === "harmful") continue;
          assert.is(await hasIssue(inputs, reader), verdict, JSON.stringify(request));
          if (verdict) refused++;
          else fitting++;
        }
      },
    ),
    { numRuns: RUNS },
  );
  assert.ok(fitting > RUNS && refused > RUNS, `${fitting} fit and ${refused} do not`);
});

function hasFile(raw: Raw): boolean {
  return raw instanceof File || (Array.isArray(raw) && raw.some((one) => one instanceof File));
}

test.run();
