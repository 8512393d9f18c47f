/**
 * That whichever file-changing call of creating and generating fails, is torn or is the last one, no file is cut, nothing of the
 * user's is lost, no failure ends with status 0, and the same command run again completes. After an error, nothing is changed.
 * A commit strikes at some of the calls, a long run at each.
 */

import { cpSync, mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { IS_LONG, sample } from "../runtime/random.fixture.ts";
import { FAULTS, type Fault, judge, measure, type Scenario } from "./faults/faults.ts";
import { runWell } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { packOnce } from "./harness/package.ts";
import { createFolder, limitRun, REPOSITORY } from "./harness/workspace.ts";

/** So many scenarios are taken for a commit, and so many points of each are struck. */
const [TAKEN, STRUCK] = [3, 2];
if (IS_LONG) limitRun(120);

const bundle = join(REPOSITORY, "dist/create.cjs");
const base = join(createFolder("base"), "shop");
const withDatabase = join(createFolder("with-database"), "shop");

const GENERATED = [
  "handler put_by_id product_id:int --app products",
  "app orders --prefix /api/orders",
  "route reviews get post",
  "provider current_user",
  "database sqlite",
];
const GENERATED_WITH_DATABASE = [
  "resource reviews stars:int product:references",
  "migration add_pages_to_products",
];

const createBases = once("projects to generate in", async () => {
  await packOnce();
  const env = isolatedEnvironment();
  for (const [folder, ...words] of [[base], [withDatabase, "--database", "sqlite"]] as const) {
    const command = [process.execPath, bundle, basename(folder), "--no-git", ...words];
    await runWell(command, { cwd: dirname(folder), env });
  }
});

function creating(title: string, directory: string, lay: Scenario["lay"]): Scenario {
  const command = [bundle, directory, "--no-git"];
  // Only a folder that has to stay is filled by more than one rename.
  return { title, command, lay, needsRepair: directory === ".", statusWhenThere: 1 };
}

function generating(words: string, project: string): Scenario {
  // It is run from the folder that was created, so that its files need not be copied each time.
  const command = [join(base, "vendor/framework"), "generate", ...words.split(" ")];
  const lay = (folder: string) => copyProject(project, folder);
  return { title: `generate ${words}`, command, lay, needsRepair: true, statusWhenThere: 0 };
}

function copyProject(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => path !== join(from, "vendor") });
}

const SCENARIOS: readonly Scenario[] = [
  creating("create in a new folder", "shop", () => {}),
  creating("create below folders that are missing too", "deep/er/shop", () => {}),
  creating("create in an empty folder", "shop", (folder) => mkdirSync(join(folder, "shop"))),
  creating("create in the current folder", ".", () => {}),
  ...GENERATED.map((words) => generating(words, base)),
  ...GENERATED_WITH_DATABASE.map((words) => generating(words, withDatabase)),
];

interface Point {
  readonly fault: Fault;
  readonly at: number;
}

function pick({ title }: Scenario, calls: number): readonly Point[] {
  const all = FAULTS.flatMap((fault) =>
    Array.from({ length: calls }, (_, index) => ({ fault, at: index + 1 })),
  );
  // Creating repeats the same calls for each file: its first and last ones tell most.
  const edges = all.filter(({ at }) => IS_LONG || at <= 24 || at > calls - 24);
  return sample(`points of ${title}`, edges, STRUCK);
}

async function judgeAll(scenario: Scenario): Promise<{ points: number; wrong: readonly string[] }> {
  const measured = await measure(scenario);
  const points = pick(scenario, measured.calls);
  const waiting = [...points];
  const wrong: string[] = [];
  const work = async (): Promise<void> => {
    for (let point = waiting.pop(); point !== undefined; point = waiting.pop()) {
      wrong.push(...(await judge(scenario, point.fault, point.at, measured)));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return { points: points.length, wrong };
}

for (const scenario of sample("scenarios", SCENARIOS, TAKEN)) {
  test(`${scenario.title}: nothing is cut or lost, wherever it is struck, and it is complete when run again`, async () => {
    await createBases();
    const { points, wrong } = await judgeAll(scenario);
    if (IS_LONG) console.log(`${scenario.title}: struck ${points} times, ${wrong.length} wrong`);
    assert.equal(wrong, []);
  });
}

test.run();
