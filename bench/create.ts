/** `npm create` of our package beside one that does nothing: what is over npm's own time is ours. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, runWell } from "../e2e/harness/command.ts";
import { isolatedEnvironment, ordinaryEnvironment } from "../e2e/harness/environment.ts";
import { packFolder } from "../e2e/harness/package.ts";
import { registryWithPackage } from "../e2e/harness/registry.ts";
import { createFolder } from "../e2e/harness/workspace.ts";
import { difference, formatTable, HEADER, interleave, type Measure, toRow } from "./measure.ts";

const ROUNDS = 9;

export async function benchCreate(): Promise<string> {
  const { url, publish } = await registryWithPackage();
  await publish(await packEmpty());
  const [empty, again, ours, bare] = (await interleave(ROUNDS, [
    { name: "an empty package", run: () => timeCreate("empty-thing", url) },
    { name: "the empty one again (noise)", run: () => timeCreate("empty-thing", url) },
    { name: "convention-app", run: () => timeCreate("convention-app", url) },
    { name: "convention-app, no git", run: () => timeCreate("convention-app", url, "--no-git") },
  ])) as [Measure, Measure, Measure, Measure];
  const rows = [empty, again, ours, bare].map((measure) => toRow(measure, empty));
  const over = [ours, bare].map((measure) => toRow(difference(measure, empty)));
  const note =
    "`npm create … -- --yes` to the end of the process; both packages from one local registry, a cold npm cache each time.";
  return `${note}\n\n${formatTable(HEADER, [...rows, ...over])}${await comparePeer()}`;
}

async function timeCreate(name: string, registry: string, ...flags: string[]): Promise<number> {
  const cwd = createFolder("bench");
  const env = isolatedEnvironment(registry);
  const started = performance.now();
  await runWell(["npm", "create", name, "my-app", "--", "--yes", ...flags], { cwd, env });
  return performance.now() - started;
}

/** What npm itself needs: a package whose program ends at once. */
async function packEmpty(): Promise<string> {
  const folder = join(createFolder("empty"), "create-empty-thing");
  mkdirSync(folder);
  const manifest = { name: "create-empty-thing", version: "1.0.0", bin: "create.cjs" };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "create.cjs"), "#!/usr/bin/env node\n");
  return (await packFolder(folder, createFolder("packed"))).tarball;
}

/** From the ordinary registry, over the network: not to be set against the rows above, only to be seen. */
async function comparePeer(): Promise<string> {
  const cwd = createFolder("peer");
  const env = { ...ordinaryEnvironment(), npm_config_cache: createFolder("cache"), npm_config_yes: "true" };
  const started = performance.now();
  const words = [
    "npm",
    "create",
    "vite@latest",
    "my-app",
    "--",
    "--template",
    "vanilla-ts",
    "--no-interactive",
  ];
  const { status } = await run(words, { cwd, env });
  if (status !== 0) return "";
  const milliseconds = (performance.now() - started).toFixed(0);
  return `\n\nOnce, to compare: create-vite from the ordinary registry, over the network, cold cache: ${milliseconds} ms.`;
}
