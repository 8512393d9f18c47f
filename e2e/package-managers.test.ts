/**
 * A project from `create` to `start` by each package manager: each installs in its own way, and the project has to suit them all. A commit
 * is tried with one of those that are not npm, which `installed.test.ts` has.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { IS_LONG, sample } from "../runtime/random.fixture.ts";
import { run, runWell } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { atRegistry, environmentOf, PACKAGE_MANAGERS, whyNot } from "./harness/package-managers.ts";
import { openProject, type Project } from "./harness/project.ts";
import { registryWithPackage } from "./harness/registry.ts";
import { checkSamples } from "./harness/samples.ts";
import { serve } from "./harness/server.ts";
import { createFolder, REPOSITORY } from "./harness/workspace.ts";

const others = PACKAGE_MANAGERS.filter(({ command }) => IS_LONG || command !== "npm");
for (const manager of sample("package managers", others, 1)) {
  const why = await whyNot(manager);
  if (why !== undefined) console.log(`Skipped, ${manager.title}: ${why}.`);
  const testWithIt = why === undefined ? test : test.skip;
  const { command, title } = manager;

  testWithIt(`${title} creates, installs, tests, checks, builds and starts a project`, async () => {
    const env = environmentOf(manager);
    const cwd = createFolder("by");
    const words = [command, "create", ...manager.create];
    const { url } = await registryWithPackage();
    const made = await runWell(words, { cwd, env: atRegistry(env, url) });
    assert.match(made.stdout + made.stderr, `${command} install`, "it names the one that ran it");

    const project = openProject(join(cwd, "shop"));
    const folder = project.folder;
    if (command === "yarn") forgetOtherPlatforms(project);
    await runWell([command, "install"], { cwd: folder, env });
    assert.match(
      (await listNew(folder)).join(),
      /^[\w-]+[.-]lock[\w.]*$/,
      "its lockfile is all that it leaves",
    );

    const script = async (name: string): Promise<string> => {
      const outcome = await run([command, "run", name], { cwd: folder, env });
      assert.is(outcome.status, 0, `${command} run ${name}: ${outcome.stdout}${outcome.stderr}`);
      return outcome.stdout + outcome.stderr;
    };
    assert.match(await script("check"), /checks, nothing found[\s\S]*Passed: +\d\d/);
    if (IS_LONG) await script("build");

    const server = await serve(folder, [command, "run", "start"], env);
    await checkSamples(server.url);
    await server.stopGroup("SIGTERM");
  });
}

/** What git would add, but what the tests themselves put there. */
async function listNew(folder: string): Promise<string[]> {
  const words = ["git", "ls-files", "--others", "--exclude-standard", "--exclude=others/"];
  const { stdout } = await runWell(words, { cwd: folder, env: isolatedEnvironment() });
  return stdout.trim().split("\n");
}

/**
 * yarn asks the registry for the packages of every platform, and fails if it lacks one; a mirror often does. So those that
 * are not for this machine are replaced by an empty one.
 */
function forgetOtherPlatforms(project: Project): void {
  const present = (name: string): boolean => existsSync(join(REPOSITORY, "node_modules", name));
  const others = ["rolldown", "typescript"].flatMap((name) => {
    const file = join(REPOSITORY, "node_modules", name, "package.json");
    const { optionalDependencies = {} } = JSON.parse(readFileSync(file, "utf8"));
    return Object.keys(optionalDependencies).filter((dependency) => !present(dependency));
  });
  mkdirSync(join(project.folder, "others"));
  writeFileSync(join(project.folder, "others/package.json"), '{ "name": "others", "version": "1.0.0" }\n');
  const manifest = JSON.parse(project.read("package.json"));
  const resolutions = Object.fromEntries(others.map((name) => [name, "file:./others"]));
  project.write("package.json", `${JSON.stringify({ ...manifest, resolutions }, null, 2)}\n`);
}

test.run();
