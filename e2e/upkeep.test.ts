/** How a created project looks after itself: its workflow, and that its README and AGENTS.md are true. */

import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Outcome, run, runWell } from "./harness/command.ts";
import { isolatedEnvironment, ordinaryEnvironment } from "./harness/environment.ts";
import { runInProcess } from "./harness/in-process.ts";
import { linkModules } from "./harness/modules.ts";
import { unpackOnce } from "./harness/package.ts";
import { copyProject, openProject } from "./harness/project.ts";
import { runTests } from "./harness/project-tests.ts";
import { createFolder } from "./harness/workspace.ts";

test("with each choice of sample apps the README has the project's own routes, and the doctor finds nothing", async () => {
  const [cwd, create] = [createFolder("apps"), join(await unpackOnce(), "dist/create.cjs")];
  for (const apps of ["none", "products", "users", "products,users"]) {
    const words = [process.execPath, create, apps.replace(",", "-"), "--no-git", "--apps", apps];
    await runWell(words, { cwd, env: isolatedEnvironment() });
    const project = openProject(join(cwd, apps.replace(",", "-")));
    const listed = (await project.framework(["routes", "list", "--markdown"])).stdout.trim();
    // Where a handler stands changes with each edit, so that the README leaves it out.
    const withoutLocation = listed.replace(/ [^|]* \|$/gm, "");
    const [, table] =
      /<!-- routes -->\n\n<!-- prettier-ignore -->\n(.*?)\n\n<!-- end of routes -->/s.exec(
        project.read("README.md"),
      ) ?? [];
    assert.is(table, withoutLocation, apps);
    assert.match((await runInProcess(["doctor"], project.folder)).stdout, ", nothing found");
  }
});

if (process.platform !== "win32") {
  test("the workflow fails by a mistake in the lockfile, a handler or a test", async () => {
    const project = await copyProject();
    const steps = [...project.read(".github/workflows/ci.yml").matchAll(/^ +- run: (.*)$/gm)];
    const [install = "", check = "", build] = steps.map(([, line = ""]) => line);
    assert.equal([check, build], ["npm run check", "npm run build"]);
    /** As GitHub runs it. */
    const step = (line: string): Promise<Outcome> =>
      run(["bash", "-e", "-c", line], { cwd: project.folder, env: { ...ordinaryEnvironment(), CI: "true" } });

    project.write("package-lock.json", '{ "lockfileVersion": 3, "packages": {} }\n');
    const unlocked = await step(install);
    assert.match(unlocked.stderr, "npm ci");
    assert.is.not(unlocked.status, 0);

    linkModules(project);
    project.edit("tests/users.test.ts", "id: 7, name", "id: 8, name");
    const failed = await runTests(project);
    assert.match(failed.stdout, "FAIL");
    assert.is.not(failed.status, 0);

    project.edit("routes/index.ts", "get()", "get(id: Date)");
    const refused = await step(check);
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
