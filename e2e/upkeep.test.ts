/** How a created project looks after itself: its workflow, its one command before a commit, and that its README and AGENTS.md are true. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Outcome, run, runWell } from "./harness/command.ts";
import { isolatedEnvironment, ordinaryEnvironment } from "./harness/environment.ts";
import { unpackOnce } from "./harness/package.ts";
import { copyProject, openProject, type Project } from "./harness/project.ts";
import { createFolder } from "./harness/workspace.ts";

for (const apps of ["none", "products", "users", "products,users"]) {
  test(`with --apps ${apps} the README has the project's own routes, and the doctor finds nothing`, async () => {
    const cwd = createFolder("apps");
    const words = [process.execPath, join(await unpackOnce(), "dist/create.cjs")];
    await runWell([...words, "shop", "--apps", apps], { cwd, env: isolatedEnvironment() });
    const project = openProject(join(cwd, "shop"));
    const listed = (await project.framework(["routes", "list", "--markdown"])).stdout.trim();
    // Where a handler stands changes with each edit, so that the README leaves it out.
    const withoutLocation = listed.replace(/ [^|]* \|$/gm, "");
    const [, table] =
      /<!-- routes -->\n\n(.*?)\n\n<!-- end of routes -->/s.exec(project.read("README.md")) ?? [];
    assert.is(table, withoutLocation);
    assert.match((await project.framework(["doctor"])).stdout, ", nothing found");
  });
}

/** The steps of the workflow, as GitHub runs them. @returns the first that fails, or the last. */
async function runWorkflow(project: Project): Promise<Outcome> {
  const steps = [...project.read(".github/workflows/ci.yml").matchAll(/^ +- run: (.*)$/gm)];
  assert.is(steps.length, 3);
  let outcome: Outcome | undefined;
  for (const [, line = ""] of steps) {
    const env = { ...ordinaryEnvironment(), CI: "true" };
    outcome = await run(["bash", "-e", "-c", line], { cwd: project.folder, env });
    if (outcome.status !== 0) break;
  }
  if (outcome === undefined) throw new Error("The workflow runs nothing.");
  return outcome;
}

if (process.platform !== "win32") {
  test("the workflow passes in a new project, and fails by a mistake in a handler, a test or the lockfile", async () => {
    const project = await copyProject();
    const { status, stdout, stderr } = await runWorkflow(project);
    assert.is(status, 0, stdout + stderr);
    assert.ok(project.has("dist/server.js"));

    project.write("package-lock.json", '{ "lockfileVersion": 3, "packages": {} }\n');
    const unlocked = await runWorkflow(project);
    assert.match(unlocked.stderr, "npm ci");
    assert.is.not(unlocked.status, 0);

    const forgetLockfile = (): void => rmSync(join(project.folder, "package-lock.json"));
    forgetLockfile();
    project.edit("tests/users.test.ts", "id: 7, name", "id: 8, name");
    const failed = await runWorkflow(project);
    assert.match(failed.stdout, "FAIL");
    assert.is.not(failed.status, 0);

    // The registry of a test machine may lack what is for other platforms, and `npm ci` then takes no lockfile of its making.
    forgetLockfile();
    project.edit("routes/index.ts", "get()", "get(id: Date)");
    const refused = await runWorkflow(project);
    assert.match(refused.stdout, "error FW306 ");
    assert.not.match(refused.stdout, "FAIL", "what is quick comes first");
    assert.is.not(refused.status, 0);
  });
}

interface Example {
  readonly code: string;
  /** Of a route file; undefined in an app. */
  readonly file: string | undefined;
  readonly route: string;
}

/** The rows of AGENTS.md such as `| get(id: int)` in `routes/x.ts` | GET `/x/<id>` |`. */
function readExamples(text: string): Example[] {
  const rows = text.matchAll(/^\| `(\w+\([^`]*\))`(?: in `(routes\/[^`]+)`)? +\| ([A-Z]+) `([^`]+)` +\|$/gm);
  return [...rows].map(([, code = "", file, method, pattern]) => ({
    code,
    file,
    route: `${method} ${pattern}`,
  }));
}

test("AGENTS.md is true: each name in its tables is served where it says", async () => {
  const project = await copyProject();
  const examples = readExamples(project.read("AGENTS.md"));
  assert.ok(examples.filter(({ file }) => file === undefined).length >= 4);
  assert.ok(examples.filter(({ file }) => file !== undefined).length >= 4);
  const imports = 'import type { int, Request } from "framework";\n';
  const apps = examples.map(({ code, file }, index) => {
    const text = `${imports}export function ${code} {}\n`;
    if (file !== undefined) {
      project.write(file, text);
      return undefined;
    }
    project.write(`apps/example${index}/views.ts`, text);
    project.write(`apps/example${index}/app.toml`, '[app]\nprefix = "/shop"\n');
    return `example${index}`;
  });
  const names = apps.filter((app) => app !== undefined);
  project.write("framework.toml", `apps = ${JSON.stringify(names)}\n`);
  const { stdout, stderr } = await project.framework(["routes", "list", "--jsonl"]);
  assert.not.match(stderr, "error");
  const routes = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const served = routes.map(({ method, pattern }) => `${method} ${pattern}`).sort();
  assert.equal(served, examples.map(({ route }) => route).sort());
});

test.run();
