/** From nothing to the first row that is stored over HTTP: `npm create` with a database, `npm install`, `npm run dev`, and a POST. */

import { join } from "node:path";
import { runWell, start } from "../e2e/harness/command.ts";
import { isolatedEnvironment, ordinaryEnvironment } from "../e2e/harness/environment.ts";
import { freePort } from "../e2e/harness/port.ts";
import { registryWithPackage } from "../e2e/harness/registry.ts";
import { createFolder } from "../e2e/harness/workspace.ts";
import { formatTable, HEADER, type Measure, toRow } from "./measure.ts";

const ROUNDS = 5;
const LIMIT_MS = 60_000;

const STEPS = ["npm create … -- --database sqlite", "npm install", "npm run dev → a row is stored"] as const;

export async function benchFirstRow(): Promise<string> {
  const { url } = await registryWithPackage();
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await takeSteps(url));
  const measures: Measure[] = STEPS.map((name, at) => ({
    name,
    times: rounds.map((times) => times[at] ?? Number.NaN),
  }));
  const all = { name: "all", times: rounds.map((times) => times.reduce((sum, time) => sum + time)) };
  const note =
    "The package comes from a registry on this machine, with a cold npm cache. What `npm install` brings comes from the ordinary registry, by\n" +
    "way of the npm cache of whoever runs this.";
  return `${note}\n\n${formatTable(
    HEADER.slice(0, 3),
    [...measures, all].map((measure) => toRow(measure).slice(0, 3)),
  )}`;
}

/** @returns the milliseconds of each. */
async function takeSteps(registry: string): Promise<number[]> {
  const cwd = createFolder("nothing");
  const folder = join(cwd, "my-app");
  const create = ["npm", "create", "convention-app", "my-app", "--", "--yes", "--database", "sqlite"];
  const created = await take(() => runWell(create, { cwd, env: isolatedEnvironment(registry) }));
  const env = ordinaryEnvironment();
  const installed = await take(() =>
    runWell(["npm", "install", "--no-audit", "--no-fund"], { cwd: folder, env }),
  );
  const stored = await take(() => storeRow(folder));
  return [created, installed, stored];
}

async function take(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The server is not waited for at its end. */
async function storeRow(folder: string): Promise<void> {
  const port = await freePort();
  const env = { ...isolatedEnvironment(), PORT: String(port), HOST: "127.0.0.1" };
  const command = start(["npm", "run", "dev"], { cwd: folder, env, timeout: LIMIT_MS });
  const began = performance.now();
  while (!(await isStored(port))) {
    if (performance.now() - began > LIMIT_MS) throw new Error(`No row is stored:\n${command.output()}`);
  }
  command.signalGroup("SIGTERM");
}

function isStored(port: number): Promise<boolean> {
  const body = JSON.stringify({ name: "Stationery" });
  const headers = { "content-type": "application/json" };
  return fetch(`http://127.0.0.1:${port}/categories/`, { method: "POST", body, headers }).then(
    ({ status }) => status === 201,
    () => false,
  );
}
