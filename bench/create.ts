/** `npm create` of our package beside one that does nothing: what is over npm's own time is ours. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, runWell } from "../e2e/harness/command.ts";
import { isolatedEnvironment, ordinaryEnvironment } from "../e2e/harness/environment.ts";
import { packFolder, packOnce } from "../e2e/harness/package.ts";
import { registryWithPackage } from "../e2e/harness/registry.ts";
import { createFolder } from "../e2e/harness/workspace.ts";
import { difference, formatTable, HEADER, interleave, type Measure, toRow } from "./measure.ts";

const NOTHING = "#!/usr/bin/env node\n";
const ROUNDS = 9;

export async function benchCreate(): Promise<string> {
  const { url, publish } = await registryWithPackage();
  await publish(await packEmpty());
  await publish(await packIdle());
  const create = (name: string, ...flags: string[]) => ({ run: () => timeCreate(url, name, flags) });
  const [empty, again, idle, ours, plain] = (await interleave(ROUNDS, [
    { name: "an empty package", ...create("empty-thing") },
    { name: "the empty one again (noise)", ...create("empty-thing") },
    { name: "our files, a program that does nothing", ...create("idle-thing") },
    { name: "convention-app", ...create("convention-app") },
    { name: "convention-app --no-git", ...create("convention-app", "--no-git") },
  ])) as [Measure, Measure, Measure, Measure, Measure];
  const rows = [empty, again, idle, ours, plain].map((measure) => toRow(measure, empty));
  const over = [idle, ours, plain].map((measure) => toRow(difference(measure, empty)));
  const note =
    "`npm create … -- --yes` to the end of the process; all from one local registry, a cold npm cache each time.";
  return `${note}\n\n${formatTable(HEADER, [...rows, ...over])}${await comparePeer()}`;
}

async function timeCreate(registry: string, name: string, flags: readonly string[]): Promise<number> {
  const cwd = createFolder("bench");
  const env = isolatedEnvironment(registry);
  const started = performance.now();
  await runWell(["npm", "create", name, "my-app", "--", "--yes", ...flags], { cwd, env });
  return performance.now() - started;
}

/** What npm itself needs: a package whose program ends at once. */
function packEmpty(): Promise<string> {
  const folder = createFolder("empty");
  writeFileSync(join(folder, "create.cjs"), NOTHING);
  return packAs(folder, { name: "create-empty-thing", version: "1.0.0", bin: "create.cjs" });
}

/** What npm needs for a package of our size: the same files, but the program ends at once. */
async function packIdle(): Promise<string> {
  const { tarball } = await packOnce();
  const folder = createFolder("idle");
  const words = ["tar", "-xzf", tarball, "--strip-components=1", "-C", folder];
  await runWell(words, { cwd: folder, env: isolatedEnvironment() });
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const [program] = Object.values<string>(manifest.bin);
  writeFileSync(join(folder, program ?? ""), NOTHING);
  return packAs(folder, { ...manifest, name: "create-idle-thing", bin: program });
}

async function packAs(folder: string, manifest: object): Promise<string> {
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
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
