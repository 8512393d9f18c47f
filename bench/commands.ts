/** What our commands take over a Node that does nothing. */

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../e2e/harness/command.ts";
import { isolatedEnvironment } from "../e2e/harness/environment.ts";
import { copyProject, type Project } from "../e2e/harness/project.ts";
import { createFolder } from "../e2e/harness/workspace.ts";
import { difference, formatTable, HEADER, interleave, type Measure, toRow } from "./measure.ts";
import { type Size, writeSources } from "./sized-project.ts";

const ROUNDS = 15;

/** In the place of the samples. */
const SIZES: readonly Size[] = [
  { handlers: 10, apps: 1 },
  { handlers: 1_000, apps: 50 },
  { handlers: 10_000, apps: 500 },
];
/** The largest takes seconds a round. */
const ROUNDS_OF_SIZES = 7;

export async function benchCommands(): Promise<string> {
  const sized: string[] = [];
  for (const size of SIZES) sized.push(await measureSize(size));
  return [await measureSamples(), ...sized].join("\n\n");
}

/** What a person waits for again and again, by the size of the project. */
async function measureSize(size: Size): Promise<string> {
  const project = await copyProject();
  for (const samples of ["apps", "routes"]) rmSync(join(project.folder, samples), { recursive: true });
  writeSources(project.folder, size);
  const framework = (...words: string[]): Promise<number> => time(project, ["vendor/framework", ...words]);
  const [bare, ...ours] = (await interleave(ROUNDS_OF_SIZES, [
    { name: "node -e 0", run: () => time(project, ["-e", "0"]) },
    { name: "framework routes list", run: () => framework("routes", "list") },
    { name: "framework routes check", run: () => framework("routes", "check") },
    {
      name: "framework generate handler --dry-run",
      run: () => framework("generate", "handler", "get_made", "--app", "app0", "--dry-run"),
    },
  ])) as [Measure, ...Measure[]];
  const rows = [bare, ...ours].map((measure) => toRow(measure, bare));
  const over = ours.map((measure) => toRow(difference(measure, bare)));
  const [handlers, apps] = [size.handlers, size.apps].map((count) => count.toLocaleString("en"));
  const [first = "", ...others] = HEADER;
  return formatTable(
    [`${handlers} handlers in ${apps} app${apps === "1" ? "" : "s"}${first}`, ...others],
    [...rows, ...over],
  );
}

async function measureSamples(): Promise<string> {
  const project = await copyProject();
  const nothing = join(createFolder("nothing"), "nothing.mjs");
  writeFileSync(nothing, "");
  let round = 0;
  const framework = (...words: string[]): Promise<number> => time(project, ["vendor/framework", ...words]);
  const generate = (): Promise<number> => {
    round += 1;
    return framework("generate", "handler", `get_made_${round}`, "--app", "products");
  };
  const [bare, ...ours] = (await interleave(ROUNDS, [
    { name: "node, an empty file", run: () => time(project, [nothing]) },
    { name: "framework --version", run: () => framework("--version") },
    { name: "framework routes list", run: () => framework("routes", "list") },
    { name: "framework routes list --json", run: () => framework("routes", "list", "--json") },
    { name: "framework generate handler", run: generate },
    { name: "framework generate app", run: () => framework("generate", "app", `made-${round}`) },
    { name: "framework generate route", run: () => framework("generate", "route", `made/${round}`, "get") },
  ])) as [Measure, ...Measure[]];
  const rows = [bare, ...ours].map((measure) => toRow(measure, bare));
  const over = ours.map((measure) => toRow(difference(measure, bare)));
  return formatTable(HEADER, [...rows, ...over]);
}

async function time({ folder: cwd }: Project, words: readonly string[]): Promise<number> {
  const started = performance.now();
  const { status, stderr } = await run([process.execPath, ...words], { cwd, env: isolatedEnvironment() });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - started;
}
