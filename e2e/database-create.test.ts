/** `npm create … --database` and `framework generate database`: what a project with a database has, and that all of it passes at once. */

import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { run, runWell } from "./harness/command.ts";
import { type EngineName, engines, openStore } from "./harness/database.ts";
import { addDatabase } from "./harness/database-project.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { linkModules } from "./harness/modules.ts";
import { nodePath, whyNoNodes } from "./harness/nodes.ts";
import { once } from "./harness/once.ts";
import { copyProject, openProject, type Project } from "./harness/project.ts";
import { RUNNER } from "./harness/project-tests.ts";
import { registryWithPackage } from "./harness/registry.ts";
import { createFolder } from "./harness/workspace.ts";

const withoutNodes = await whyNoNodes();

async function createWith(engine: EngineName, ...words: readonly string[]): Promise<Project> {
  const { url } = await registryWithPackage();
  const cwd = createFolder("created");
  const command = ["npm", "create", "convention-app", "shop", "--", "--yes", "--database", engine, ...words];
  const { stdout } = await runWell(command, { cwd, env: isolatedEnvironment(url) });
  assert.match(stdout, new RegExp(`npm create convention-app@latest shop -- --yes .*--database ${engine}`));
  return openProject(join(cwd, "shop"));
}

const sqliteOnce = once("a project with SQLite", () => createWith("sqlite"));

test("a project has a table with routes in place of the array, and the connection, tests and images for it", async () => {
  const project = await sqliteOnce();
  const files = Object.keys(project.tree()).map((file) => file.replace(/\d{14}/, "<time>"));
  assert.equal(files.sort(), [
    ".dockerignore",
    ".env.example",
    ".gitattributes",
    ".github/workflows/ci.yml",
    ".gitignore",
    ".ignore",
    ".vscode/extensions.json",
    "AGENTS.md",
    "Dockerfile",
    "README.md",
    "app.ts",
    "apps/categories/app.toml",
    "apps/categories/views.ts",
    "apps/products/app.toml",
    "apps/products/views.ts",
    "apps/users/app.toml",
    "apps/users/views.ts",
    "compose.yaml",
    "database/connection.ts",
    "database/migrate.ts",
    "database/migrations/<time>_create_categories.ts",
    "database/migrations/<time>_create_products.ts",
    "database/migrations/index.ts",
    "database/providers.ts",
    "database/seed.ts",
    "database/tables.ts",
    "framework.toml",
    "package.json",
    "routes/index.ts",
    "routes/items.ts",
    "routes/readyz.ts",
    "tests/_database.ts",
    "tests/app.test.ts",
    "tests/categories.test.ts",
    "tests/index.test.ts",
    "tests/items.test.ts",
    "tests/products.test.ts",
    "tests/readyz.test.ts",
    "tests/users.test.ts",
    "tsconfig.json",
  ]);
  const status = execFileSync("git", ["status", "--porcelain"], { cwd: project.folder, encoding: "utf8" });
  assert.is(status, "", "all of it is in the first commit");
});

/** The framework's own files of a database, by name: their texts. */
function vendoredFiles({ folder }: Project): Readonly<Record<string, string>> {
  const vendored = join(folder, "vendor/framework");
  const names = readdirSync(vendored, { recursive: true, encoding: "utf8" }).map((name) =>
    name.replaceAll("\\", "/"),
  );
  const files = names.filter((name) => /^database[./]/.test(name)).sort();
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(vendored, name), "utf8")]));
}

const VENDORED: readonly string[] = [
  "database.d.ts",
  "database.js",
  "database/engine.js",
  "database/postgres.js",
  "database/sqlite.js",
];

test("only a project with a database has the framework's files of one", async () => {
  assert.equal(Object.keys(vendoredFiles(await sqliteOnce())), VENDORED);
  const without = await copyProject();
  assert.equal(vendoredFiles(without), {});
  assert.match((await without.framework(["doctor"])).stdout, "nothing found");
});

test("a project that lost them is told so, and how to get them", async () => {
  const { folder } = await sqliteOnce();
  const project = openProject(join(createFolder("lost"), "shop"));
  cpSync(folder, project.folder, { recursive: true });
  linkModules(project);
  project.remove("vendor/framework/database/engine.js");
  const partly = await project.framework(["doctor"]);
  assert.is(partly.status, 1);
  assert.match(
    partly.stdout,
    /FW821 A vendored file is missing.*\n {2}vendor\/framework\/database\/engine\.js/,
  );
  for (const file of VENDORED) rmSync(join(project.folder, "vendor/framework", file), { force: true });
  for (const words of [["doctor"], ["start", "--port", "0"], ["build"], ["run", "database/migrate.ts"]]) {
    const { status, stdout, stderr } = await project.framework(words);
    assert.is(status, 1, words[0]);
    assert.match(stdout + stderr, "npx framework generate database sqlite, or postgres", words[0]);
  }
  project.write("app.ts", (await copyProject()).read("app.ts"));
  const { stderr } = await project.framework(["start", "--port", "0"]);
  assert.match(stderr, /FW503 routes\/readyz\.ts .*\n {2}routes\/readyz\.ts:2:/);
  assert.is((await project.framework(["generate", "database", "sqlite"])).status, 0);
  assert.equal(vendoredFiles(project), vendoredFiles(await sqliteOnce()));
});

test("its README lists its routes, and doctor finds nothing but that packages are missing", async () => {
  const project = await sqliteOnce();
  const { stdout } = await project.framework(["routes", "list", "--markdown"]);
  for (const row of stdout.split("\n").filter((line) => line.startsWith("| GET")))
    assert.ok(
      project.read("README.md").includes(
        row
          .split("|")
          .slice(1, 4)
          .map((cell) => cell.trim())
          .join(" | "),
      ),
      row,
    );
  const { status, stdout: found } = await project.framework(["doctor", "--json"]);
  assert.is(status, 0);
  assert.equal(
    JSON.parse(found).map(({ code }: { code: string }) => code),
    ["FW833"],
  );
});

test("without its packages, starting it says what to install", async () => {
  const project = await sqliteOnce();
  for (const words of [
    ["start", "--port", "0"],
    ["run", "database/migrate.ts"],
  ]) {
    const { status, stderr } = await project.framework(words);
    assert.is(status, 1);
    assert.match(stderr, /npm install/, words.join(" "));
  }
});

test("with them, its types and its tests pass on each engine that is here", async () => {
  if (withoutNodes !== undefined) return console.log(`Left out: ${withoutNodes}`);
  const project = await sqliteOnce();
  linkModules(project);
  const env = isolatedEnvironment();
  const types = run([process.execPath, "node_modules/typescript/bin/tsc"], { cwd: project.folder, env });
  for (const engine of await engines()) {
    const { url } = await openStore(engine);
    const { status, stdout, stderr } = await run([nodePath("node24"), ...RUNNER], {
      cwd: project.folder,
      env: { ...env, DATABASE_URL: url },
    });
    assert.is(status, 0, `${engine}: ${stdout}${stderr}`);
    assert.match(stdout, /products\.test\.ts\n(?:• )+ +\(\d+ \/ \d+\)/);
  }
  const { status, stdout } = await types;
  assert.is(status, 0, stdout);
  assert.not.ok(
    readdirSync(project.folder).includes("data"),
    "no test has touched the project's own database",
  );
});

test("for Postgres, what differs is where it is, its server, and CI", async () => {
  const [sqlite, postgres] = [(await sqliteOnce()).tree(), (await createWith("postgres")).tree()];
  const differing = Object.keys(postgres).filter((file) => postgres[file] !== sqlite[file]);
  assert.equal(differing.filter((file) => !/migrations\//.test(file)).sort(), [
    ".env.example",
    ".github/workflows/ci.yml",
    "Dockerfile",
    "README.md",
    "compose.yaml",
    "database/connection.ts",
  ]);
});

test("--bare has the database alone, and --database none is a project without one", async () => {
  const bare = await createWith("sqlite", "--bare");
  assert.equal(
    Object.keys(bare.tree()).filter((file) => /^(?:apps|routes)\//.test(file)),
    ["routes/readyz.ts"],
  );
  const { url } = await registryWithPackage();
  const cwd = createFolder("created");
  const words = ["npm", "create", "convention-app", "my-app", "--", "--yes", "--database", "none"];
  await runWell(words, { cwd, env: isolatedEnvironment(url) });
  assert.equal(openProject(join(cwd, "my-app")).tree(), (await copyProject()).tree());
});

test("a project that is there gets the same files, a dry run shows them, and what to add elsewhere is printed", async () => {
  const project = await copyProject();
  const words = ["generate", "database", "sqlite"];
  const { stdout: diff } = await project.framework([...words, "--dry-run"]);
  assert.match(diff, "+++ b/database/connection.ts");
  assert.not.ok(project.has("database/connection.ts"));
  writeFileSync(join(project.folder, "change.diff"), diff);
  execFileSync("git", ["apply", "change.diff"], { cwd: project.folder });
  const { stdout } = await project.framework(words);
  assert.match(stdout, /^Add to app\.ts, below the imports:\n\nimport \{ prepareDatabase \}/m);
  assert.ok(stdout.endsWith("The database is there already.\n"), stdout);
  const other = await copyProject();
  await addDatabase(other, "sqlite");
  const created = await createWith("sqlite", "--bare");
  assert.is(other.read("app.ts"), created.read("app.ts"));
  for (const file of ["database/providers.ts", "routes/readyz.ts", "compose.yaml"])
    assert.equal([project.read(file), other.read(file)], [created.read(file), created.read(file)], file);
  assert.equal(vendoredFiles(project), vendoredFiles(created));
  linkModules(other);
  const tsc = [process.execPath, "node_modules/typescript/bin/tsc"];
  await runWell(tsc, { cwd: other.folder, env: isolatedEnvironment() });
});

test("a wrong word is wrong usage, with the right one", async () => {
  const project = await sqliteOnce();
  for (const [words, said] of [
    [["sqllite"], /Did you mean sqlite\?/],
    [[], /one of sqlite, postgres/],
    [["sqlite", "postgres"], /Unexpected argument `postgres`/],
  ] as const) {
    const { status, stderr } = await project.framework(["generate", "database", ...words]);
    assert.is(status, 2);
    assert.match(stderr, said);
  }
});

test.run();
