/**
 * That an upgrade happens whole or not at all: whichever file-changing call fails, is torn or is the last one, and that the next command
 * that is typed puts right what a killed one left, though the framework which runs it is half the old and half the newer one.
 * By default at some of the calls; `FAULTS=all` strikes at each.
 */

import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FAULTS, judge, measure, type Scenario, saboteur } from "./faults/faults.ts";
import { run } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { copyProject } from "./harness/project.ts";
import { createFolder, limitRun } from "./harness/workspace.ts";
import { createVariant, readTree } from "./upgrade/variants.ts";

const isAll = process.env.FAULTS === "all";
/** Of the points, one in so many is looked at by default. */
const [STRIKE_SHARE, KILL_SHARE] = isAll ? [1, 1] : [149, 23];
if (isAll) limitRun(120);

/** A project with edits that can be merged, and the newer framework as the package unpacks it for it. */
const prepare = once("upgrade to strike at", async () => {
  const project = await copyProject();
  const variant = await createVariant("90.2.0", (draft) => {
    for (const file of ["core/app.js", "cli/main.js", "cli.js", "generators/changes.js"]) {
      draft.write(file, `${draft.read(file)}// 90.2.0\n`);
    }
    draft.write("core/added.js", "export {};\n");
    draft.remove("http.d.ts");
  });
  const unpacked = createFolder("unpacked");
  cpSync(variant.framework, join(unpacked, "framework"), { recursive: true });
  cpSync(join(project.folder, "vendor/framework"), join(unpacked, "base"), { recursive: true });
  project.write("vendor/framework/core/app.js", `// mine\n${project.read("vendor/framework/core/app.js")}`);
  rmSync(join(project.folder, "vendor/framework/http.js"));
  const scenario: Scenario = {
    title: "upgrade",
    command: [join(unpacked, "framework/cli/main.js"), "upgrade", "--from", unpacked],
    lay: (folder) => cpSync(project.folder, folder, { recursive: true }),
    needsRepair: true,
    statusWhenThere: 0,
  };
  return { scenario, measured: await measure(scenario) };
});

test("an upgrade is made whole or not at all, wherever it is struck, and complete when run again", async () => {
  const { scenario, measured } = await prepare();
  const points = FAULTS.flatMap((fault) => range(measured.calls).map((at) => ({ fault, at })));
  const wrong = await eachOf(points, STRIKE_SHARE, ({ fault, at }) => judge(scenario, fault, at, measured));
  assert.equal(wrong, []);
});

test("after a kill the project's own command works, and all of its framework is of one version", async () => {
  const { scenario, measured } = await prepare();
  const wrong = await eachOf(range(measured.calls), KILL_SHARE, async (at) => {
    const folder = join(createFolder("killed"), "shop");
    mkdirSync(folder);
    scenario.lay(folder);
    const env = { ...isolatedEnvironment(), FAULT: "SIGKILL", FAULT_AT: String(at) };
    await run([process.execPath, "--require", saboteur, ...scenario.command], { cwd: folder, env });
    const listed = await run([process.execPath, "vendor/framework", "routes", "list"], { cwd: folder, env });
    const made = filesOf(folder);
    rmSync(folder, { recursive: true });
    const isWhole = [measured.before, measured.after].some((tree) => isSame(made, tree));
    return [
      ...(listed.status === 0 ? [] : [`${at}: status ${listed.status}: ${listed.stderr}`]),
      ...(isWhole ? [] : [`${at}: of two versions`]),
    ];
  });
  assert.equal(wrong, []);
});

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}

/** Of the points, those that are looked at, two at a time. */
async function eachOf<Point>(
  points: readonly Point[],
  share: number,
  look: (point: Point) => Promise<readonly string[]>,
): Promise<string[]> {
  const waiting = points.filter((_, index) => index % share === 0);
  const wrong: string[] = [];
  const work = async (): Promise<void> => {
    for (let point = waiting.pop(); point !== undefined; point = waiting.pop())
      wrong.push(...(await look(point)));
  };
  await Promise.all([work(), work()]);
  return wrong;
}

/** What is not the command's own. */
function filesOf(folder: string): Record<string, string> {
  const files = Object.entries(readTree(folder)).filter(([file]) => !/(?:^|\/)\.framework/.test(file));
  return Object.fromEntries(files.map(([file, bytes]) => [file, bytes.toString("latin1")]));
}

function isSame(files: Readonly<Record<string, string>>, tree: Readonly<Record<string, string>>): boolean {
  const wanted = Object.entries(tree).filter(([, content]) => content !== "folder");
  return (
    wanted.length === Object.keys(files).length && wanted.every(([file, content]) => files[file] === content)
  );
}

test.run();
