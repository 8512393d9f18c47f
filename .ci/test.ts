/**
 * Runs the checks of the repository, and ends with the true counts over all that ran: `test.ts [--long] [lint] [types] [build] [unit]
 * [e2e]`. A commit is tested with a sample of what takes long: the seed that chooses it is made of the commit, and printed.
 */

import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { availableParallelism, freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { readUsed, type Usage } from "./usage.ts";

interface Check {
  readonly name: string;
  /** Of `PARTS`, those that it belongs to. */
  readonly parts: readonly string[];
  readonly command: readonly string[];
  /** Reads how many tests ran; a check without it counts as one. */
  readonly count?: (output: string) => Counts | undefined;
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** Tests wait for much of their time, so two lanes more than there are processors; each has servers and processes of its own. */
const MOST_LANES = 4;
/** By the processor's time, which is from ten seconds to half a minute. */
const LONGEST = toFiles(
  "database",
  "dev",
  "docs",
  "dev-load",
  "linters",
  "package-managers",
  "database-start",
  "dev-mistakes",
  "dev-processes",
  "upgrade",
  "release",
  "production",
  "commands",
);
/** End-to-end tests of which a commit takes so many files: what costs much, and what a commit seldom concerns. */
const SAMPLED: readonly (readonly [about: string, files: readonly string[], count: number])[] = [
  [
    "files about programs of others and older versions",
    toFiles(
      "docker",
      "docs-postgres",
      "installed",
      "linters",
      "manifests",
      "nodes",
      "package-managers",
      "pictures",
      "platforms",
      "production-database",
      "release",
      "tools",
      "upgrade-history",
    ),
    1,
  ],
  [
    "files about faults and load",
    toFiles(
      "database-outage",
      "database-start",
      "dev-connections",
      "dev-load",
      "dev-processes",
      "failed-start",
      "faults",
      "production",
      "upgrade-faults",
    ),
    2,
  ],
  ["files about the contract", toFiles("client", "docs-page", "docs-served", "openapi", "results"), 1],
];

const root = fileURLToPath(new URL("..", import.meta.url));
const TSX = [process.execPath, "--import", "tsx"];
const PREPARE = "e2e/harness/prepare.ts";
const USAGE = ".ci/usage.ts";
const UNITS = ".ci/units.ts";
/** What unit tests import under a name that they compute, or in a process of its own. */
const COMPUTED = [
  ...["index", "http", "database", "wire/imports", "app", "bound.fixture", "settings", "log/production"].map(
    (name) => `runtime/${name}.ts`,
  ),
  "convention/project.ts",
  "convention/wire/code/standard-schema.fixture.ts",
  "toolchain/contract/infer/infer.ts",
  "generators/changes/lock.ts",
];
const ROOMS = [".ci", "runtime", "convention", "toolchain", "generators", "create"];
/** So many processes run the unit tests. */
const UNIT_PROCESSES = 2;

const PARTS = ["lint", "types", "build", "unit", "e2e"];
const typed = process.argv.slice(2);
const isLong = typed.includes("--long") || process.env.LONG === "1";
const wanted = typed.filter((word) => word !== "--long");
const unknown = wanted.filter((word) => !PARTS.includes(word));
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(", ")}: ${PARTS.join(", ")}.`);

Object.assign(process.env, { SEED: process.env.SEED ?? String(readSeed()), LONG: isLong ? "1" : "" });
process.stdout.write(`SEED=${process.env.SEED}${isLong ? ", all that takes long" : ""}\n`);
// It reads what was just set.
const { sample } = await import("../runtime/random.fixture.ts");
const left = new Set(SAMPLED.flatMap(([, files]) => files));
if (isWanted(["e2e"]))
  for (const [about, files, count] of SAMPLED)
    for (const file of sample(about, files, count)) left.delete(file);

const unitTests = ROOMS.flatMap(findTestFiles);
const endToEnd = findTestFiles("e2e").filter((file) => !left.has(file));
const tests = [
  ...(isWanted(["unit"]) ? [UNITS, ...COMPUTED, ...unitTests] : []),
  ...(isWanted(["e2e"]) ? [PREPARE, ...endToEnd] : []),
];
/** Where the tests are in the form that runs: below `node_modules/`, because they import packages. */
const bundles = mkdtempSync(join(root, "node_modules/.tests-"));

/** Each stage needs what the one before it left; the checks of one stage need nothing of each other. */
const STAGES: readonly (readonly Check[])[] = [
  [
    { name: "build", parts: ["build"], command: npmRun("build") },
    { name: "bundle", parts: ["unit", "e2e"], command: [...TSX, ".ci/bundle.ts", bundles, USAGE, ...tests] },
  ],
  [
    { name: "lint", parts: ["lint"], command: npmRun("lint") },
    { name: "project", parts: ["e2e"], command: bundled(PREPARE) },
  ],
  [
    ...Array.from({ length: UNIT_PROCESSES }, (_, index) => toUnitCheck(index)),
    { name: "types", parts: ["types"], command: npmRun("typecheck") },
    ...endToEnd.map(toCheck),
  ],
];

/** A check that takes longer hangs: the longest, the unit tests beside the others, take 3 minutes on two cores. */
const LIMIT_MINUTES = isLong ? 300 : 30;
const LAST_OUTPUT_MS = 2000;
const LAST_LINES = 40;

/** A file system in the memory of Linux. Tests make and delete many thousands of files. */
const MEMORY = "/dev/shm";
/** Bytes: the most that the tests had there at once is a quarter of it. */
const MEMORY_NEEDED = 4 * 2 ** 30;

/** Where all files of this run are. */
const temporary = createTemporaryFolder();
process.env.TMPDIR = temporary;
process.on("exit", () => {
  for (const folder of [temporary, bundles]) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});
// The compiler is written in Go. With these it uses a fifth less of the processor's time: others wait for the second processor anyway,
// and it collects its garbage less often.
Object.assign(process.env, { GOMAXPROCS: "1", GOGC: "400" });
/** What the end-to-end tests share. */
const prepared = mkdtempSync(join(temporary, "prepared-"));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));

const totals = { passed: 0, failed: 0 };
const used = new Map<string, Usage>();
/** What is said of failures is said again at the end: a log is often seen from there, and cut. */
const failures: string[] = [];
for (const stage of STAGES) {
  const checks = stage.filter(({ parts }) => isWanted(parts));
  await runAll(checks, Math.min(availableParallelism() + 2, MOST_LANES));
}
process.stdout.write(formatUsed());
process.stdout.write(failures.join(""));
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed\n`);
process.exitCode = totals.failed === 0 ? 0 : 1;

function isWanted(parts: readonly string[]): boolean {
  return wanted.length === 0 || parts.some((part) => wanted.includes(part));
}

/** The same for a commit wherever it is tested. */
function readSeed(): number {
  const { stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
  return Number.parseInt(stdout?.slice(0, 6) ?? "", 16) || 1;
}

function createTemporaryFolder(): string {
  const parent = process.env.TMPDIR === undefined && hasMemory() ? MEMORY : tmpdir();
  const folder = realpathSync(mkdtempSync(join(parent, "tests-")));
  // Postgres does not run as root, but as a user of its own.
  chmodSync(folder, 0o755);
  return folder;
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    // As in Docker's containers.
    if (/^\S+ \/dev\/shm \S+ \S*noexec/m.test(readFileSync("/proc/mounts", "utf8"))) return false;
    return Math.min(bavail * bsize, freemem()) > MEMORY_NEEDED;
  } catch {
    return false;
  }
}

/** Much of what a test does is waiting, which others may use. What a check printed is shown as one piece, when it has ended. */
async function runAll(checks: readonly Check[], lanes: number): Promise<void> {
  const waiting = [...checks];
  const runLane = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) await runCheck(check);
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
}

async function runCheck(check: Check): Promise<void> {
  const began = performance.now();
  const { status, output, usage } = await run(check.command);
  const seconds = Math.round((performance.now() - began) / 1000);
  process.stdout.write(`\n── ${check.name} (${seconds} s)\n${output}`);
  if (usage !== undefined) used.set(check.name, usage);
  const { passed, failed } = toCounts(check, status, output);
  totals.passed += passed;
  totals.failed += failed;
  if (failed > 0) failures.push(`\n── failed in ${check.name}\n${findFailures(output)}`);
}

/** The heaviest first: seconds of the processor's time, and the processes that the check started itself. */
function formatUsed(): string {
  const rows = [...used].sort(([, one], [, other]) => other.seconds - one.seconds);
  const lines = rows.map(
    ([name, { seconds, processes }]) =>
      `${seconds.toFixed(1).padStart(7)} s ${String(processes).padStart(5)}  ${name}\n`,
  );
  return `\n── processor time, and processes started\n${lines.join("")}${Math.round(readUsed())} s in all\n`;
}

function npmRun(script: string): readonly string[] {
  return ["npm", "run", "--silent", script];
}

function toFiles(...names: readonly string[]): readonly string[] {
  return names.map((name) => `e2e/${name}.test.ts`);
}

/** The long ones first, so that no lane ends with one alone. */
function findTestFiles(folder: string): readonly string[] {
  const place = (file: string): number => LONGEST.indexOf(file) + 1 || LONGEST.length + 1;
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules"))
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .sort((one, other) => place(one) - place(other));
}

function toCheck(file: string): Check {
  return { name: file, parts: ["e2e"], command: bundled(file), count: countUvu };
}

function toUnitCheck(index: number): Check {
  const files = unitTests.filter((_, at) => at % UNIT_PROCESSES === index);
  const command = [...bundled(UNITS), ...files.map(toBundle)];
  return { name: `unit ${index + 1}`, parts: ["unit"], command, count: countUvu };
}

function toBundle(file: string): string {
  return join(bundles, `${file}.mjs`);
}

/** Failures show the lines of the sources. */
function bundled(file: string): readonly string[] {
  const preload = pathToFileURL(toBundle(USAGE)).href;
  return [process.execPath, "--enable-source-maps", "--import", preload, toBundle(file)];
}

function readUsage(file: string): Usage | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** A check that fails without saying how many tests failed, or that ran none at all, is one failure. */
function toCounts(check: Check, status: number, output: string): Counts {
  const counts = check.count ? check.count(output) : { passed: status === 0 ? 1 : 0, failed: 0 };
  if (counts === undefined || (check.count && counts.passed + counts.failed === 0))
    return { passed: 0, failed: 1 };
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** uvu closes with `Total:` (those that ran) and `Passed:`. A failure's text may hold such lines of another run: the last ones. */
function countUvu(output: string): Counts | undefined {
  const lines = stripVTControlCharacters(output).matchAll(/^ *Total: +(\d+)\n *Passed: +(\d+)$/gm);
  const [total, passed] = ([...lines].at(-1) ?? []).slice(1).map(Number);
  if (total === undefined || passed === undefined || passed > total) return undefined;
  return { passed, failed: total - passed };
}

/** The failures as uvu shows them; of a check that shows none so, the end of what it printed. */
function findFailures(output: string): string {
  const plain = stripVTControlCharacters(output);
  const shown = plain.match(/^ +FAIL .*\n(?:(?! +FAIL |\S+\.test\.ts$| +Total: ).*\n)*/gm);
  return shown?.join("") ?? plain.split("\n").slice(-LAST_LINES).join("\n");
}

interface Outcome {
  readonly status: number;
  readonly output: string;
  /** Missing where the check's process was killed. */
  readonly usage: Usage | undefined;
}

function run([program = "", ...words]: readonly string[]): Promise<Outcome> {
  const usageFile = join(temporary, `usage-${randomUUID()}.json`);
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, E2E_PREPARED: prepared, CHECK_USAGE: usageFile },
      shell: process.platform === "win32" && program === "npm",
    });
    const streams = [child.stdout, child.stderr];
    let output = "";
    for (const stream of streams) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    let timer = setTimeout(() => {
      output += `\nIt took longer than ${LIMIT_MINUTES} minutes and was ended.\n`;
      child.kill("SIGKILL");
    }, LIMIT_MINUTES * 60_000);
    child.on("error", reject);
    child.on("exit", () => {
      clearTimeout(timer);
      // What it has left running may hold its output open for ever.
      timer = setTimeout(() => {
        for (const stream of streams) stream.destroy();
      }, LAST_OUTPUT_MS);
    });
    child.on("close", (status) => {
      clearTimeout(timer);
      resolve({ status: status ?? 1, output, usage: readUsage(usageFile) });
    });
  });
}
