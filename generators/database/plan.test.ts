import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, readFiles, writeFiles } from "#convention/folder.fixture";
import { readProject } from "#convention/project";
import { applyChanges } from "../changes/changes.ts";
import { isNoPlan, type NoPlan, type Plan } from "../plan.ts";
import type { Engine } from "./engine.ts";
import { PACKAGES } from "./package-file.ts";
import { planDatabase } from "./plan.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

function readFolder(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    paths.map((path) => [relative(folder, path).split(sep).join("/"), readFileSync(path, "utf8")]),
  );
}

const template = readFolder(join(repository, "template/_database"));
const PROJECT = Object.fromEntries(
  [...readFolder(join(repository, "template"))].filter(([file]) => !file.startsWith("_database/")),
);

const test = suite<{ root: string }>("generate database");

test.before.each((context) => {
  context.root = createFolder(PROJECT);
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

function plan(root: string, engine: Engine = "sqlite"): Plan | NoPlan {
  return planDatabase(readProject(root), { engine, template });
}

function generate(root: string, engine?: Engine): Plan {
  const planned = plan(root, engine);
  if (isNoPlan(planned)) throw new Error(planned.diagnostics.map(({ message }) => message).join("\n"));
  const problem = applyChanges(root, planned.changes);
  if (problem !== undefined) throw new Error(problem.message);
  return planned;
}

function read(root: string, file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function write(root: string, file: string, edit: (text: string) => string): void {
  writeFileSync(join(root, file), edit(read(root, file)));
}

test("it writes the files of a database, and a route that says whether it answers", ({ root }) => {
  const { changes, made } = generate(root);
  const created = changes.filter(({ before }) => before === null).map(({ file }) => file);
  assert.equal(created.sort(), [
    "compose.yaml",
    "database/connection.ts",
    "database/migrate.ts",
    "database/migrations/index.ts",
    "database/providers.ts",
    "database/seed.ts",
    "database/tables.ts",
    "routes/readyz.ts",
    "tests/_database.ts",
    "tests/readyz.test.ts",
  ]);
  assert.equal(
    made.map(({ route }) => route),
    ["GET /readyz"],
  );
});

test("the template's app.ts prepares the database first, and closes it after the last request", ({
  root,
}) => {
  generate(root);
  assert.is(
    read(root, "app.ts"),
    `import { createApp } from "framework";
import { prepareDatabase } from "framework/database";
import { db } from "#database/connection.ts";
import { migrations } from "#database/migrations/index.ts";

// In development it applies new migrations. Otherwise it refuses a database that lacks some.
await prepareDatabase(db, migrations);

// Serves every handler in apps/ and routes/. \`npm run routes\` lists them.
export const app = await createApp();

// On http://localhost:8000, unless framework.toml, PORT or --port says otherwise.
const server = await app.listen();

// After the last request.
server.closed.then(() => db.destroy());
`,
  );
});

test("an app.ts with options and a server of its own keeps both", ({ root }) => {
  write(root, "app.ts", (text) =>
    text
      .replace("createApp()", "createApp({ logger })")
      .replace("await app.listen()", "const http = await app.listen({ port: 1 })"),
  );
  generate(root);
  assert.match(read(root, "app.ts"), "createApp({ logger })");
  assert.match(read(root, "app.ts"), "const http = await app.listen({ port: 1 });");
  assert.match(read(root, "app.ts"), "http.closed.then(() => db.destroy());");
});

test("an app.ts that listens in another way is left alone, and the lines to add are printed", ({ root }) => {
  write(root, "app.ts", (text) =>
    text.replace("await app.listen();", "if (process.env.SERVE) await app.listen();"),
  );
  const before = read(root, "app.ts");
  const { notes } = generate(root);
  assert.is(read(root, "app.ts"), before);
  assert.ok(
    notes.some(
      (note) =>
        note.startsWith("Add to app.ts by hand: ") && note.includes("await prepareDatabase(db, migrations);"),
    ),
  );
});

for (const engine of ["sqlite", "postgres"] as const) {
  test(`of ${engine}, all files that name a place name the same one`, ({ root }) => {
    generate(root, engine);
    const url =
      engine === "sqlite" ? "sqlite:data/app.db" : "postgres://postgres:postgres@localhost:5432/app";
    for (const file of ["database/connection.ts", ".env.example", "README.md"])
      assert.match(read(root, file), url);
    assert.is(read(root, "compose.yaml").includes("postgres:18"), engine === "postgres");
    assert.is(read(root, ".github/workflows/ci.yml").includes("POSTGRES_DB: app"), engine === "postgres");
    assert.match(read(root, ".github/workflows/ci.yml"), 'node: ["22.13", "24"]');
    assert.match(read(root, "Dockerfile"), "/app/dist/migrate.js");
    assert.is(read(root, "Dockerfile").includes("mkdir data"), engine === "sqlite");
  });
}

test("package.json gets packages and scripts, and a Node.js that has SQLite", ({ root }) => {
  generate(root);
  const { dependencies, devDependencies, engines, scripts } = JSON.parse(read(root, "package.json"));
  assert.equal(Object.keys(dependencies), ["framework", "kysely", "pg"]);
  assert.is(engines.node, ">=22.13");
  assert.match(devDependencies["@types/node"], /^\^22\./);
  assert.is(scripts["migrate:down"], "node vendor/framework run database/migrate.ts down");
});

test("package.json keeps its layout, and what it has already", ({ root }) => {
  write(root, "package.json", (text) =>
    JSON.stringify(
      {
        ...JSON.parse(text),
        dependencies: { pg: "8.0.0", zod: "^4" },
        engines: { node: ">=24" },
        scripts: { seed: "mine" },
      },
      null,
      "\t",
    ).replaceAll("\n", "\r\n"),
  );
  generate(root);
  const text = read(root, "package.json");
  assert.not.match(text, /(?<!\r)\n/);
  assert.match(text, '\r\n\t"scripts": {\r\n\t\t"seed": "mine",');
  const { dependencies, engines } = JSON.parse(text);
  assert.equal(dependencies, { kysely: PACKAGES.dependencies.kysely, pg: "8.0.0", zod: "^4" });
  assert.is(engines.node, ">=24");
});

test("the packages are those that the framework is tested with", () => {
  const { devDependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  for (const [name, version] of Object.entries({ ...PACKAGES.dependencies, ...PACKAGES.devDependencies }))
    assert.is(version, devDependencies[name], name);
});

test("an older project's tsconfig.json and .gitignore get the new folders", ({ root }) => {
  write(root, "tsconfig.json", (text) => text.replace('"database", ', ""));
  write(root, ".gitignore", (text) => text.replace("/data/\n", ""));
  generate(root);
  assert.match(read(root, "tsconfig.json"), /"include": \[[^\]]*"database"[^\]]*\]/);
  assert.match(read(root, "tsconfig.json"), '// "framework" is the vendored folder');
  assert.ok(read(root, ".gitignore").endsWith("\n/data/\n"));
});

test("images and CI that were edited are left alone, with a note of what to add", ({ root }) => {
  write(root, "Dockerfile", () => "FROM node:24\n");
  write(root, ".github/workflows/ci.yml", () => "on: push\n");
  const { notes } = generate(root, "postgres");
  assert.is(read(root, "Dockerfile"), "FROM node:24\n");
  assert.is(read(root, ".github/workflows/ci.yml"), "on: push\n");
  assert.ok(notes.includes("Dockerfile has been edited. By hand, copy dist/migrate.js, too."));
  assert.ok(notes.some((note) => note.startsWith(".github/workflows/ci.yml has been edited.")));
});

test("the route table of README.md gets the new route, in its place", ({ root }) => {
  write(root, "README.md", (text) =>
    text.replace(/^<!-- (?:if.*|end) -->\n/gm, "").replace(/^There are none yet.*\n/m, ""),
  );
  generate(root);
  const rows = read(root, "README.md")
    .split("\n")
    .filter((line) => line.startsWith("| GET"));
  assert.ok(rows.includes("| GET | `/readyz` |  | `get` |"));
  assert.ok(
    rows.findIndex((row) => row.includes("/readyz")) < rows.findIndex((row) => row.includes("/users/by/id")),
  );
});

test("a route that is served already is left alone, and a note says what it is for", ({ root }) => {
  writeFiles(root, { "routes/readyz.ts": "export function get() {\n  return {};\n}\n" });
  const { made, notes } = generate(root);
  assert.equal(made, []);
  assert.is(read(root, "routes/readyz.ts"), "export function get() {\n  return {};\n}\n");
  assert.ok(notes.some((note) => note.startsWith("GET /readyz is served already.")));
});

test("asked twice, it says that the database is there, and changes nothing", ({ root }) => {
  generate(root);
  const before = readFiles(root);
  assert.equal(generate(root).notes, ["The database is there already."]);
  assert.equal(readFiles(root), before);
});

test("asked for the other engine, it says which line to change, and changes nothing", ({ root }) => {
  generate(root);
  const before = readFiles(root);
  const planned = plan(root, "postgres");
  const [diagnostic] = isNoPlan(planned) ? planned.diagnostics : [];
  assert.is(diagnostic?.code, "FW645");
  assert.equal(diagnostic?.locations, [{ file: "database/connection.ts", line: 5, column: 48 }]);
  assert.match(diagnostic?.hint ?? "", "write postgres://postgres:postgres@localhost:5432/app there");
  write(root, "database/connection.ts", (text) => text.replace("sqlite:data/app.db", "postgresql://db/app"));
  assert.equal(generate(root, "postgres").notes, ["The database is there already."]);
  assert.is(readFiles(root)["app.ts"], before["app.ts"]);
});

test("without the path # in package.json, the hint says what to write there", ({ root }) => {
  write(root, "package.json", (text) => text.replace('"#*": "./*"', ""));
  const planned = plan(root);
  const [diagnostic] = isNoPlan(planned) ? planned.diagnostics : [];
  assert.is(diagnostic?.code, "FW611");
  assert.match(diagnostic?.hint ?? "", 'package.json needs: "imports": { "#*": "./*" }');
});

test("a file in the way is an error, and nothing is written", ({ root }) => {
  writeFiles(root, { "database/tables.ts": "mine" });
  const before = readFiles(root);
  const planned = plan(root);
  assert.ok(isNoPlan(planned));
  assert.is(isNoPlan(planned) ? planned.diagnostics[0]?.code : "", "FW644");
  assert.equal(readFiles(root), before);
});

test("files with CRLF, tabs and single quotes get new text like theirs", ({ root }) => {
  for (const file of ["apps/products/views.ts", "apps/users/views.ts", "app.ts", "README.md", ".gitignore"])
    write(root, file, (text) => text.replaceAll("\n", "\r\n"));
  generate(root);
  for (const file of ["app.ts", "README.md", "database/providers.ts", "compose.yaml"])
    assert.not.match(read(root, file), /(?<!\r)\n/, file);
});

test.run();
