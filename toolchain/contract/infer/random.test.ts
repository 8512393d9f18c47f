import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { tsImport } from "tsx/esm/api";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Operation } from "#convention/contract/contract";
import { readContract } from "#convention/contract/read";
import type { Inferred } from "#convention/contract/results/returned";
import type { Sources } from "#convention/project";
import { createCoreApp, type Handler } from "#runtime/app";
import { createRandom, runs, SEED } from "#runtime/random.fixture";
import { DEFAULT_SETTINGS } from "#runtime/settings";
import { createProject, readSound, VIEWS } from "./infer.fixture.ts";
import { inferResults } from "./infer.ts";
import { createHandlers, findStranger, LIBRARY } from "./random-handlers.fixture.ts";

const HANDLERS = runs(60, 1_000);
const NUMBERS = [0, 1, 2, 3, 4, 5, 6, 7] as const;

test("what handlers at random send is what TypeScript infers of them", async () => {
  await compare(0.9, async (sources) => {
    const { inferred, diagnostics } = await inferResults(sources);
    assert.equal(diagnostics, []);
    return inferred;
  });
});

test("what handlers at random send is what their returns say", async () => {
  await compare(0.6, async () => undefined);
});

/** @param share of the handlers of which all is to be known, at least. */
async function compare(
  share: number,
  infer: (sources: Sources) => Promise<Inferred | undefined>,
): Promise<void> {
  const text = createHandlers(createRandom(SEED), HANDLERS);
  const root = createProject({ ...LIBRARY, [VIEWS]: text });
  try {
    const sources = readSound(root);
    const inferred = await infer(sources);
    const { operations, definitions } = readContract(sources, inferred ? { inferred } : {});
    const module = (await tsImport(pathToFileURL(join(root, VIEWS)).href, import.meta.url)) as Record<
      string,
      Handler
    >;
    const app = createCoreApp(
      sources.project.routes.map((route) => ({ route, handler: module[route.handler] as Handler })),
      { settings: DEFAULT_SETTINGS, log: { info: () => {}, error: () => {} } },
    );
    const strangers: string[] = [];
    for (const { handler, pattern, answers } of operations) {
      for (const n of NUMBERS) {
        const response = await app.fetch(`http://localhost${pattern.replace(/<[^>]*>/, String(n))}`);
        const why = await findStranger(response, answers, definitions);
        if (why === undefined) continue;
        strangers.push(`${lineOf(text, handler)}\n  n = ${n}: ${why}`);
        break;
      }
    }
    assert.is(strangers.join("\n"), "");
    const known = operations.filter(isKnown).length;
    assert.ok(known > HANDLERS * share, `only ${known} of ${HANDLERS} are known`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function lineOf(text: string, handler: string): string {
  return text.split("\n").find((line) => new RegExp(`\\b${handler}\\b`).test(line)) ?? "";
}

function isKnown({ answers }: Operation): boolean {
  return answers.every(
    ({ status, bodies }) => status !== "default" && bodies.every(({ shape }) => shape.kind !== "unknown"),
  );
}

test.run();
