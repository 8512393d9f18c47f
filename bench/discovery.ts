/** How the time and the memory of `routes list` grow with the size of a project. */

import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../e2e/harness/command.ts";
import { isolatedEnvironment } from "../e2e/harness/environment.ts";
import { packOnce } from "../e2e/harness/package.ts";
import { createFolder, REPOSITORY } from "../e2e/harness/workspace.ts";
import { formatTable, interleave, quantile } from "./measure.ts";
import { type Size, writeSources } from "./sized-project.ts";

const ROUNDS = 5;

const SIZES: readonly Size[] = [
  { handlers: 10, apps: 1 },
  { handlers: 100, apps: 10 },
  { handlers: 1_000, apps: 1 },
  { handlers: 1_000, apps: 50 },
  { handlers: 1_000, apps: 50, typed: true },
  { handlers: 1_000, apps: 1_000 },
  { handlers: 10_000, apps: 500 },
  { handlers: 10_000, apps: 1_000 },
  { handlers: 1_000, apps: 0, depth: 10 },
  { handlers: 10_000, apps: 0, depth: 40 },
];

export async function benchDiscovery(): Promise<string> {
  await packOnce();
  const framework = join(createFolder("vendor"), "framework");
  cpSync(join(REPOSITORY, "dist/framework"), framework, { recursive: true });
  const rows: string[][] = [];
  let before: Sample | undefined;
  for (const size of SIZES) {
    const sample = await measure(framework, size);
    rows.push(toRow(size, sample, before));
    before = sample;
  }
  const note =
    "Milliseconds: medians. `routes list` and its memory are over a Node that does nothing, in the same round.\n" +
    "Growth: the time per handler of `routes list`, to that of the row above; 1.00 is linear.";
  return `${note}\n\n${formatTable(HEADER, rows)}`;
}

const HEADER = ["handlers", "in", "routes list", "quartiles", "its memory MB", "µs a handler", "growth"];

interface Sample {
  /** Over a Node that does nothing, one for each round. */
  readonly list: readonly number[];
  readonly megabytes: readonly number[];
  readonly microsecondsEach: number;
}

async function measure(framework: string, size: Size): Promise<Sample> {
  const project = createFolder("size");
  writeSources(project, size);
  const nothing = writeScript("nothing", "");
  const peaks = { bare: [] as number[], list: [] as number[] };
  const [bare, list] = await interleave(ROUNDS, [
    { name: "bare", run: () => time(project, [nothing], peaks.bare) },
    { name: "list", run: () => time(project, [framework, "routes", "list"], peaks.list) },
  ]);
  const over = (longer: readonly number[], shorter: readonly number[]): number[] =>
    longer.map((value, round) => value - (shorter[round] ?? Number.NaN));
  const times = over(list?.times ?? [], bare?.times ?? []);
  return {
    list: times,
    megabytes: over(peaks.list, peaks.bare),
    microsecondsEach: (quantile(times, 0.5) * 1000) / size.handlers,
  };
}

function toRow({ handlers, apps, depth, typed }: Size, sample: Sample, before: Sample | undefined): string[] {
  const median = (values: readonly number[]): string => quantile(values, 0.5).toFixed(0);
  const { list, megabytes, microsecondsEach } = sample;
  return [
    handlers.toLocaleString("en"),
    depth === undefined
      ? `${apps.toLocaleString("en")} app${apps === 1 ? "" : "s"}${typed ? ", typed" : ""}`
      : `routes/, ${depth} deep`,
    median(list),
    `${quantile(list, 0.25).toFixed(0)} … ${quantile(list, 0.75).toFixed(0)}`,
    median(megabytes),
    microsecondsEach.toFixed(0),
    before === undefined ? "" : (microsecondsEach / before.microsecondsEach).toFixed(2),
  ];
}

/** Tells the most memory the process had, in kilobytes, as the last line of stderr. */
const TELL_PEAK = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => process.stderr.write("\\n" + process.resourceUsage().maxRSS));',
)}`;

async function time(cwd: string, words: readonly string[], peaks: number[]): Promise<number> {
  const started = performance.now();
  const { status, stderr } = await run([process.execPath, "--import", TELL_PEAK, ...words], {
    cwd,
    env: isolatedEnvironment(),
  });
  const milliseconds = performance.now() - started;
  if (status !== 0) throw new Error(stderr);
  peaks.push(Number(stderr.slice(stderr.lastIndexOf("\n"))) / 1000);
  return milliseconds;
}

function writeScript(name: string, text: string): string {
  const file = join(createFolder(name), `${name}.mjs`);
  writeFileSync(file, text);
  return file;
}
