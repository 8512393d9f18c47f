/** What it takes to check a value and build it without undeclared keys: by the text of our wire module, and by validators of others. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeWireModule } from "#convention/wire/code/module";
import { NOTHING_TYPED, type TypedRoute } from "#convention/wire/typed-route";
import { Problem } from "#runtime/problem";
import type { ObjectShape, Shape } from "#runtime/wire/shape";
import { runWell } from "../../e2e/harness/command.ts";
import { isolatedEnvironment } from "../../e2e/harness/environment.ts";
import { installLocked } from "../../e2e/harness/package.ts";
import { limitRun, REPOSITORY } from "../../e2e/harness/workspace.ts";
import { formatNotFirst, formatTable, quantile, type Ranking, withQuartiles } from "../measure.ts";
import { type ChosenNode, chooseNodes } from "../nodes.ts";
import { parseOptions, toCount } from "../options.ts";

const ROUNDS = 5;
const LIMIT_MINUTES = 30;
const PEERS = join(REPOSITORY, "bench/wire/peers");

const OURS = "ours";
const PARSED = "JSON.parse";
/** As cases and validators are called in `checks.mjs`. */
const CASES = ["parseSafe", "assertLoose"] as const;
const VALIDATORS = [OURS, "typia's text", "typebox", "ajv", "valibot", "zod"] as const;

type Times = ReadonlyMap<string, readonly number[]>;

export async function benchWire(words: readonly string[]): Promise<string> {
  const options = parseOptions(words, ["node", "rounds"]);
  const rounds = toCount(options, "rounds", ROUNDS);
  limitRun(LIMIT_MINUTES);
  const nodes = await chooseNodes(options.node ?? []);
  if (!(await installLocked(PEERS)))
    throw new Problem("The peers could not be installed.", "`npm ci` in bench/wire/peers tells why.");
  const folder = mkdtempSync(join(tmpdir(), "bench-wire-"));
  try {
    const file = join(folder, "wire.mjs");
    writeFileSync(file, writeModule());
    const parts: string[] = [];
    for (const node of nodes) parts.push(formatReport(node, await measure(node, rounds, file)));
    return parts.join("\n\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Each in a process of its own, in turn: what one has taught the compiler helps and hinders no other. */
async function measure(node: ChosenNode, rounds: number, file: string): Promise<Times> {
  const times = new Map<string, number[]>();
  const add = (name: string, validator: string, time: number | undefined): void => {
    const key = `${name} ${validator}`;
    if (time !== undefined) times.set(key, [...(times.get(key) ?? []), time]);
  };
  for (let round = 0; round < rounds; round++) {
    process.stderr.write(`round ${round + 1} of ${rounds}\n`);
    for (const [name, validator] of subjects()) {
      const script = ["--expose-gc", "--import", "tsx", join(PEERS, "checks.mjs"), name, validator];
      const command = [node.path, ...script, pathToFileURL(file).href];
      const { stdout } = await runWell(command, { cwd: REPOSITORY, env: isolatedEnvironment() });
      const [first, second]: readonly number[] = JSON.parse(stdout);
      add(name, second === undefined ? validator : PARSED, first);
      if (second !== undefined) add(name, validator, second);
    }
  }
  return times;
}

function subjects(): readonly (readonly [name: string, validator: string])[] {
  const cases = CASES.flatMap((name) => VALIDATORS.map((validator) => [name, validator] as const));
  return [...cases, ["order", OURS]];
}

function formatReport({ version }: ChosenNode, times: Times): string {
  const of = (name: string, validator: string): readonly number[] => times.get(`${name} ${validator}`) ?? [];
  const added = of("order", OURS).map((time, round) => time / (of("order", PARSED)[round] ?? Number.NaN) - 1);
  const order = [PARSED, OURS].map((name) => [name, withQuartiles(of("order", name), toNanoseconds)]);
  return [
    `### Node ${version}`,
    "Nanoseconds of processor time a call: medians, with quartiles in brackets.",
    formatTable(
      ["", ...CASES],
      VALIDATORS.map((name) => [name, ...CASES.map((one) => withQuartiles(of(one, name), toNanoseconds))]),
    ),
    `${OURS} is not first: ${formatNotFirst(
      OURS,
      CASES.map((name) => rank(name, of)),
    )}.`,
    "An order with ten lines, 1.2 KB of JSON: parsed, and parsed, checked and built.",
    formatTable(
      ["", "ns"],
      [...order, ["added", withQuartiles(added, (part) => `${(part * 100).toFixed(1)} %`)]],
    ),
  ].join("\n\n");
}

function rank(name: string, of: (name: string, validator: string) => readonly number[]): Ranking {
  const medians = VALIDATORS.map((one): [string, number] => [one, quantile(of(name, one), 0.5)]);
  return { name, isMoreBetter: false, medians: new Map(medians) };
}

function toNanoseconds(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}

const text: Shape = { kind: "string" };
const number: Shape = { kind: "number" };
const boolean: Shape = { kind: "boolean" };

function object(properties: Readonly<Record<string, Shape>>, ...optional: readonly string[]): ObjectShape {
  const list = Object.entries(properties).map(([name, shape]) => ({
    name,
    shape,
    optional: optional.includes(name),
  }));
  return { kind: "object", properties: list };
}

function writeModule(): string {
  const moltar = object({
    number,
    negNumber: number,
    maxNumber: number,
    string: text,
    longString: text,
    boolean,
    deeplyNested: object({ foo: text, num: number, bool: boolean }),
  });
  const order = object(
    {
      id: { kind: "string", formats: ["uuid"] },
      customer: object({
        name: { kind: "string", minLength: 1, maxLength: 100 },
        email: { kind: "string", maxLength: 100 },
        address: object({ street: text, city: text, zip: text, country: text }),
      }),
      currency: { kind: "literal", values: ["EUR", "GBP", "USD"] },
      note: text,
      lines: {
        kind: "array",
        minItems: 1,
        items: object(
          {
            sku: { kind: "string", minLength: 1, maxLength: 20 },
            title: text,
            quantity: { kind: "number", integer: true, min: 1 },
            price: { kind: "number", min: 0 },
            gift: boolean,
          },
          "gift",
        ),
      },
      total: { kind: "number", min: 0 },
    },
    "note",
  );
  const routes = [routeOf("/moltar", moltar), routeOf("/orders", order)];
  const runtime = new URL("../../runtime/wire/imports.ts", import.meta.url).href;
  return writeWireModule({ routes, definitions: {} }, { runtime, toSpecifier: String }) ?? "";
}

function routeOf(pattern: string, shape: Shape): TypedRoute {
  return {
    ...NOTHING_TYPED,
    method: "POST",
    pattern,
    segments: [pattern.slice(1)],
    arguments: ["taken"],
    handler: "post",
    module: `routes${pattern}.ts`,
    app: null,
    convention: "routes",
    location: { file: `routes${pattern}.ts`, line: 1, column: 1 },
    takes: [{ in: "body", name: pattern.slice(1), shape, optional: false }],
  };
}
