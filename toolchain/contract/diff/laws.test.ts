/** What the comparison says of random types, against what the validators of a project take. `SEED` takes others. */

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Contract } from "#convention/contract/contract";
import { createFolder } from "#convention/folder.fixture";
import { writeWireModule } from "#convention/wire/code/module";
import { createRandomType } from "#convention/wire/random-types.fixture";
import { changeOne } from "#convention/wire/random-values.fixture";
import { readAliases } from "#convention/wire/reading.fixture";
import { NOTHING_TYPED, type TypedRoute } from "#convention/wire/typed-route";
import { createRandom, runs, SEED } from "#runtime/random.fixture";
import type { DeclaredInput, RouteInputs, WireModule } from "#runtime/wire/inputs";
import type { RequestReader } from "#runtime/wire/request-reader";
import type { Definitions, Shape } from "#runtime/wire/shape";
import { answer, contract, location, operation } from "../contract.fixture.ts";
import { compareContracts } from "./compare.ts";
import { changeShape, makeValue } from "./random-changes.fixture.ts";
import type { Difference } from "./rules.ts";

const PAIRS = runs(100, 2_000);
const VALUES = 40;

interface Pair {
  readonly before: Shape;
  readonly after: Shape;
  readonly definitions: Definitions;
  /** Of a route that takes it, and answers it. */
  readonly changes: readonly Difference[];
  /** Of random values those that each side takes, without what it drops. */
  readonly taken: { readonly before: readonly unknown[]; readonly after: readonly unknown[] };
  readonly takes: (side: "before" | "after", value: unknown) => boolean;
  readonly text: string;
}

const folder = createFolder();
const pairs = await createPairs(SEED * PAIRS);
rmSync(folder, { recursive: true });

test("what takes less without a breaking or risky change takes nothing less", () => {
  for (const pair of pairs.filter(({ changes }) => !has(changes, "request", "breaking", "risky")))
    for (const value of pair.taken.before) assert.ok(pair.takes("after", value), tell(pair, value));
});

test("what answers without a breaking or risky change answers nothing new", () => {
  for (const pair of pairs.filter(({ changes }) => !has(changes, "response", "breaking", "risky")))
    for (const value of pair.taken.after) assert.ok(pair.takes("before", value), tell(pair, value));
});

test("where a change breaks, there is mostly a value that shows it", () => {
  const requests = pairs.filter(({ changes }) => has(changes, "request", "breaking"));
  const responses = pairs.filter(({ changes }) => has(changes, "response", "breaking"));
  const shown = [
    ...requests.filter(({ taken, takes }) => taken.before.some((value) => !takes("after", value))),
    ...responses.filter(({ taken, takes }) => taken.after.some((value) => !takes("before", value))),
  ];
  const all = requests.length + responses.length;
  assert.ok(
    requests.length > PAIRS / 10 && responses.length > PAIRS / 10,
    `${requests.length} ${responses.length}`,
  );
  assert.ok(shown.length > all * 0.8, `${shown.length} of ${all}`);
});

test("a type that has not changed has no changes", () => {
  for (const { before, definitions, text } of pairs)
    assert.equal(differ(before, structuredClone(before), definitions, definitions), [], text);
});

function has(changes: readonly Difference[], side: string, ...levels: readonly string[]): boolean {
  return changes.some(({ level, where }) => where.side === side && levels.includes(level));
}

function differ(was: Shape, is: Shape, old: Definitions, now: Definitions): readonly Difference[] {
  return compareContracts(toContract(was, old), toContract(is, now), { isSameSchema: () => true });
}

/** Of a route that takes the shape and answers it. */
function toContract(shape: Shape, definitions: Definitions): Contract {
  const inputs = [{ in: "body", name: "", required: true, shape, location } as const];
  return contract([operation({ method: "POST", inputs, answers: [answer(200, shape)] })], { definitions });
}

function tell({ text, before, after, changes }: Pair, value: unknown): string {
  return [text, before, after, changes.map(({ id, where }) => `${id} ${where.pointer}`), value]
    .map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
    .join("\n");
}

/** Each with a type of its own and what a random change makes of it. */
async function createPairs(seed: number): Promise<readonly Pair[]> {
  const sources = Array.from({ length: PAIRS }, (_, at) => {
    const random = createRandom(seed + at);
    const { module, values } = createRandomType(seed + at, VALUES);
    const { shapes, definitions } = readAliases(module, ["T"]);
    const [before] = shapes;
    if (!before) return undefined;
    const changed = changeShape(random, before, definitions);
    const made = [before, changed.shape].flatMap((shape) =>
      Array.from({ length: VALUES }, () => makeValue(random, shape, changed.definitions, 4)),
    );
    const nearly = made.map((value) => changeOne(random, value));
    return {
      before,
      after: changed.shape,
      old: definitions,
      definitions: changed.definitions,
      text: module,
      values: [...values, ...made, ...nearly],
    };
  }).filter((source) => source !== undefined);
  const before = await compile(
    sources.map(({ before: shape, old }) => ({ shape, definitions: old })),
    "before",
  );
  const after = await compile(
    sources.map(({ after: shape, definitions }) => ({ shape, definitions })),
    "after",
  );
  return sources.map((source, at): Pair => {
    const sides = { before: before[at] as RouteInputs, after: after[at] as RouteInputs };
    const takenBy = (inputs: RouteInputs): readonly unknown[] =>
      source.values.flatMap((value) => {
        const read = inputs.read({ body: structuredClone(value) } as RequestReader) as
          | readonly unknown[]
          | undefined;
        return read === undefined ? [] : [JSON.parse(JSON.stringify(read[0]))];
      });
    return {
      before: source.before,
      after: source.after,
      definitions: source.old,
      text: source.text,
      changes: differ(source.before, source.after, source.old, source.definitions),
      taken: { before: takenBy(sides.before), after: takenBy(sides.after) },
      takes: (side, value) =>
        sides[side].read({ body: structuredClone(value) } as RequestReader) !== undefined,
    };
  });
}

/** The definitions of each get names of their own. */
async function compile(
  shapes: readonly { readonly shape: Shape; readonly definitions: Definitions }[],
  name: string,
): Promise<readonly RouteInputs[]> {
  const all: Record<string, Shape> = {};
  const routes = shapes.map(({ shape, definitions }, at): TypedRoute => {
    const rename = <One>(one: One): One =>
      JSON.parse(
        JSON.stringify(one, (_, inner) =>
          inner?.kind === "reference" ? { ...inner, name: `${at} ${inner.name}` } : inner,
        ),
      );
    for (const [key, definition] of Object.entries(definitions)) all[`${at} ${key}`] = rename(definition);
    const take: DeclaredInput = { in: "body", name: "body", shape: rename(shape), optional: false };
    const location = { file: "x.ts", line: 1, column: 1 };
    return {
      ...NOTHING_TYPED,
      method: "POST",
      pattern: `/${at}`,
      segments: [`${at}`],
      arguments: ["taken"],
      takes: [take],
      handler: "post",
      module: "x.ts",
      app: null,
      convention: "routes",
      location,
    };
  });
  const runtime = import.meta.resolve("#runtime/wire/imports");
  const text = writeWireModule({ routes, definitions: all }, { runtime, toSpecifier: (file) => file });
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, text ?? "");
  const { routeInputs }: WireModule = await import(pathToFileURL(file).href);
  return routes.map(({ pattern }) => routeInputs[`POST ${pattern}`] as RouteInputs);
}

test.run();
