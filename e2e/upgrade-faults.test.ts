/**
 * That the project has one whole framework wherever an upgrade is struck: whichever file-changing call fails, is torn or is the last one.
 * Between the two renames the older one is in another folder, from which the next upgrade takes it back. A commit strikes at some of the
 * calls, a long run at each.
 */

import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { IS_LONG, sample } from "../runtime/random.fixture.ts";
import { FAULTS, type Fault, measure, type Scenario, saboteur } from "./faults/faults.ts";
import { type Outcome, run } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { unpackOnce } from "./harness/package.ts";
import { copyProject } from "./harness/project.ts";
import { createFolder, limitRun } from "./harness/workspace.ts";
import { createVariant, readTree } from "./upgrade/variants.ts";

/** So many points are struck for a commit. */
const STRUCK = 2;
if (IS_LONG) limitRun(120);

/** A project with edits to merge and to set aside, and the newer framework as the package unpacks it for it. */
const prepare = once("upgrade to strike at", async () => {
  const project = await copyProject();
  const variant = await createVariant("90.2.0", (draft) => {
    for (const file of ["runtime/app.js", "tools/cli.js", "tools/shared.js", "tools/generate.js"]) {
      draft.write(file, `${draft.read(file)}// 90.2.0\n`);
    }
    draft.write("runtime/added.js", "export {};\n");
    draft.remove("http.d.ts");
  });
  const unpacked = createFolder("unpacked");
  cpSync(variant.framework, join(unpacked, "framework"), { recursive: true });
  for (const file of ["runtime/app.js", "http.d.ts"])
    project.write(`vendor/framework/${file}`, `// mine\n${project.read(`vendor/framework/${file}`)}`);
  rmSync(join(project.folder, "vendor/framework/http.js"));
  const words = ["upgrade", "--from", unpacked, "--base", await unpackOnce()];
  const scenario: Scenario = {
    title: "upgrade",
    command: [join(unpacked, "framework/tools/cli.js"), ...words],
    lay: (folder) => cpSync(project.folder, folder, { recursive: true }),
    needsRepair: true,
    statusWhenThere: 0,
  };
  return { scenario, measured: await measure(scenario) };
});

test("the project has one whole framework wherever an upgrade is struck, and the newer one when it is run again", async () => {
  const { scenario, measured } = await prepare();
  const points = FAULTS.flatMap((fault) => range(measured.calls).map((at) => ({ fault, at })));
  const waiting = [...sample("points of an upgrade", points, STRUCK)];
  const wrong: string[] = [];
  const work = async (): Promise<void> => {
    for (let point = waiting.pop(); point !== undefined; point = waiting.pop())
      wrong.push(...(await judge(scenario, point.fault, point.at, measured)));
  };
  await Promise.all([work(), work()]);
  assert.equal(wrong, []);
});

type Files = Readonly<Record<string, string>>;

/** @returns what is wrong, as sentences. */
async function judge(
  { command, lay }: Scenario,
  fault: Fault,
  at: number,
  { before, after }: { before: Files; after: Files },
): Promise<string[]> {
  const folder = join(createFolder("struck"), "shop");
  mkdirSync(folder);
  lay(folder);
  const env = { ...isolatedEnvironment(), FAULT: fault, FAULT_AT: String(at) };
  const struck = await run([process.execPath, "--require", saboteur, ...command], { cwd: folder, env });
  const wrong = isTold(struck) ? [] : [`status ${struck.status}: ${struck.stderr}`];
  const isAway = !existsSync(join(folder, "vendor/framework"));
  if (isAway) renameSync(join(folder, "vendor/framework.replaced"), join(folder, "vendor/framework"));
  const left = filesOf(folder);
  if (!isSame(left, before) && !isSame(left, after)) wrong.push("of two versions");
  if (struck.status === 0 && !isSame(left, after)) wrong.push("false exit 0");
  const version = await run([process.execPath, "vendor/framework", "routes", "list"], {
    cwd: folder,
    env: isolatedEnvironment(),
  });
  if (version.status !== 0) wrong.push(`routes list: ${version.stderr}`);
  if (isAway) renameSync(join(folder, "vendor/framework"), join(folder, "vendor/framework.replaced"));
  const again = await run([process.execPath, ...command], { cwd: folder, env: isolatedEnvironment() });
  if (again.status !== 0) wrong.push(`again: status ${again.status}: ${again.stderr}`);
  const repaired = filesOf(folder);
  if (!isSame(repaired, after)) wrong.push("not the newer one after all");
  if (Object.keys(readTree(folder)).length !== Object.keys(repaired).length) wrong.push("something is left");
  rmSync(folder, { recursive: true });
  return wrong.map((what) => `${fault} at ${at}: ${what}`);
}

/** A command that fails says so in a diagnostic; one that was stopped need not. */
function isTold({ status, signal, stderr }: Outcome): boolean {
  if (status === 0 || signal !== null || status === 130 || status === 143) return true;
  return status === 1 && /^error /m.test(stderr) && !/\n\s+at /.test(stderr);
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}

/** The project's files, without what an upgrade leaves beside them. */
function filesOf(folder: string): Files {
  const own = Object.entries(readTree(folder)).filter(
    ([file]) => !/(?:^|\/)\.framework|^vendor\/framework\.(?:unfinished|replaced)\//.test(file),
  );
  return Object.fromEntries(own.map(([file, bytes]) => [file, bytes.toString("latin1")]));
}

function isSame(files: Files, tree: Files): boolean {
  const wanted = Object.entries(tree).filter(([, content]) => content !== "folder");
  return (
    wanted.length === Object.keys(files).length && wanted.every(([file, content]) => files[file] === content)
  );
}

test.run();
