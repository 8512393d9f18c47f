import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, readFiles, writeFiles } from "#convention/folder.fixture";
import { readProject } from "#convention/project";
import { applyLineEdits, databaseEdits } from "../../create/database-template.ts";
import { applyChanges, inOrder } from "../changes/changes.ts";
import { planMigration } from "../migration/plan.ts";
import type { Plan } from "../plan.ts";
import { orRefused, Refused } from "../refused.ts";
import { planResource } from "../resource/plan.ts";
import type { Engine } from "./engine.ts";
import { WANTED } from "./package-file.ts";
import { planDatabase } from "./plan.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

function readFolder(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    paths.map((path) => [relative(folder, path).split(sep).join("/"), readFileSync(path, "utf8")]),
  );
}

const VENDORED = "vendor/framework/database.js";
const template = new Map([
  [VENDORED, "export const database = 'of the framework';\n"],
  ...readFolder(join(repository, "template/_database")),
]);
const PROJECT = Object.fromEntries(
  [...readFolder(join(repository, "template"))].filter(([file]) => !/^_(?:database|resource)\//.test(file)),
);

const test = suite<{ root: string }>("generate database");

test.before.each((context) => {
  context.root = createFolder(PROJECT);
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

function plan(root: string, engine: Engine = "sqlite"): Plan | Refused {
  return orRefused(() => planDatabase(readProject(root), { engine, template }));
}

function generate(root: string, engine?: Engine): Plan {
  const planned = plan(root, engine);
  if (planned instanceof Refused) throw planned;
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
    VENDORED,
  ]);
  assert.equal(
    made.map(({ route }) => route),
    ["GET /readyz"],
  );
});

for (const engine of ["sqlite", "postgres"] as const) {
  const url = engine === "sqlite" ? "sqlite:data/app.db" : "postgres://postgres:postgres@localhost:5432/app";

  test(`of ${engine}, files that somebody may have edited stay, and what they lack is printed`, ({
    root,
  }) => {
    const before = readFiles(root);
    const { notes } = generate(root, engine);
    for (const [file, text] of Object.entries(before))
      if (file !== "package.json") assert.is(read(root, file), text, file);
    const printed = notes.filter((note) => note.includes("\n"));
    const places = [
      "AGENTS.md",
      "README.md",
      "README.md",
      "README.md",
      ".env.example",
      "ci.yml",
      engine === "postgres" ? "ci.yml" : "Dockerfile",
      "app.ts",
      "app.ts",
    ];
    assert.equal(
      printed.map((note) => places.find((file) => note.split("\n")[0]?.includes(file))),
      places,
    );
    assert.match(printed.join("\n"), `DATABASE_URL=${url}`);
  });

  test(`of ${engine}, it prints what npm create writes, line by line`, () => {
    const read = (name: string): string => String(template.get(name));
    const edits = Object.entries(databaseEdits({ database: engine, pm: "npm", read }));
    const created = edits.map(
      ([file, lines]) => [file, applyLineEdits(String(PROJECT[file]), lines)] as const,
    );
    const root = createFolder(PROJECT);
    for (const note of generate(root, engine).notes.filter((one) => one.includes("\n"))) {
      const [where = "", , ...lines] = note.split("\n");
      const [, text = ""] = created.find(([file]) => where.includes(file)) ?? [];
      assert.ok(text.includes(`\n${lines.join("\n")}\n`), note);
    }
    // And with all of it there, nothing is left to print.
    writeFiles(root, Object.fromEntries(created.filter(([file]) => file !== "package.json")));
    assert.equal(generate(root, engine).notes, ["The database is there already."]);
    rmSync(root, { recursive: true });
  });

  test(`of ${engine}, all files that name a place name the same one`, ({ root }) => {
    generate(root, engine);
    assert.match(read(root, "database/connection.ts"), url);
    assert.is(read(root, "compose.yaml").includes("postgres:18"), engine === "postgres");
  });
}

test("killed after any of its files, it is complete when asked again", ({ root }) => {
  const changes = inOrder(generate(root).changes);
  const after = readFiles(root);
  for (const [index] of changes.entries()) {
    rmSync(root, { recursive: true });
    writeFiles(root, PROJECT);
    writeFiles(root, Object.fromEntries(changes.slice(0, index).map((one) => [one.file, one.after])));
    generate(root);
    assert.equal(readFiles(root), after, `${index} of ${changes.length}`);
  }
});

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
  assert.equal(dependencies, { kysely: WANTED.dependencies.kysely, pg: "8.0.0", zod: "^4" });
  assert.is(engines.node, ">=24");
});

test("the packages are those that the framework is tested with", () => {
  const { devDependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  for (const [name, version] of Object.entries({ ...WANTED.dependencies, ...WANTED.devDependencies }))
    assert.is(version, devDependencies[name], name);
});

test("what an older project's .gitignore lacks is printed, too", ({ root }) => {
  write(root, ".gitignore", (text) => text.replace("/data/\n", ""));
  const { notes } = generate(root);
  assert.ok(notes.includes("Add to .gitignore:\n\n/data/"));
});

test("a package.json that is not an object is an error, and nothing is written", ({ root }) => {
  write(root, "package.json", () => "[]");
  const before = readFiles(root);
  const planned = plan(root);
  assert.is(planned instanceof Refused ? planned.diagnostics[0]?.code : "", "FW612");
  assert.equal(readFiles(root), before);
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
  const { changes, notes } = generate(root);
  assert.equal(changes, []);
  assert.is(notes.at(-1), "The database is there already.");
  assert.equal(readFiles(root), before);
});

test("the framework's files are as they came: a missing one is written, an edited one stays", ({ root }) => {
  for (const file of ["apps/products/views.ts", "apps/users/views.ts", "app.ts"])
    write(root, file, (text) => text.replaceAll('"', "'").replaceAll("\n", "\r\n"));
  generate(root);
  assert.is(read(root, VENDORED), template.get(VENDORED));
  write(root, VENDORED, () => "// mine\n");
  assert.equal(generate(root).changes, []);
  rmSync(join(root, VENDORED));
  assert.equal(
    generate(root).changes.map(({ file }) => file),
    [VENDORED],
  );
});

test("asked for the other engine, it says which line to change, and changes nothing", ({ root }) => {
  generate(root);
  const planned = plan(root, "postgres");
  const [diagnostic] = planned instanceof Refused ? planned.diagnostics : [];
  assert.is(diagnostic?.code, "FW608");
  assert.equal(diagnostic?.locations, [{ file: "database/connection.ts", line: 5, column: 15 }]);
  assert.match(diagnostic?.hint ?? "", "write postgres://postgres:postgres@localhost:5432/app there");
  write(root, "database/connection.ts", (text) => text.replace("sqlite:data/app.db", "postgresql://db/app"));
  assert.equal(generate(root, "postgres").changes, []);
});

test("without the path # in package.json, the hint says what to write there", ({ root }) => {
  write(root, "package.json", (text) => text.replace('"#*": "./*"', ""));
  const planned = plan(root);
  const [diagnostic] = planned instanceof Refused ? planned.diagnostics : [];
  assert.is(diagnostic?.code, "FW611");
  assert.match(diagnostic?.hint ?? "", 'package.json needs: "imports": { "#*": "./*" }');
});

test("a file in the way is an error, and nothing is written", ({ root }) => {
  writeFiles(root, { "database/tables.ts": "mine" });
  const before = readFiles(root);
  const planned = plan(root);
  assert.ok(planned instanceof Refused);
  assert.is(planned instanceof Refused ? planned.diagnostics[0]?.code : "", "FW608");
  assert.equal(readFiles(root), before);
});

for (const [whose, text] of [
  ["a text", "mine\n"],
  ["nothing", ""],
  ["a connection to the other engine", 'export const url = "postgres://db/app";\n'],
] as const)
  test(`a database/connection.ts of the user's own, with ${whose}, is in the way`, ({ root }) => {
    writeFiles(root, { "database/connection.ts": text });
    const before = readFiles(root);
    const planned = plan(root);
    const [diagnostic] = planned instanceof Refused ? planned.diagnostics : [];
    assert.is(diagnostic?.code, "FW608");
    assert.match(diagnostic?.message ?? "", "database/connection.ts is there already");
    assert.equal(readFiles(root), before);
  });

for (const file of ["compose.yaml", VENDORED])
  test(`a ${file} of the user's own is left alone, and that is told`, ({ root }) => {
    writeFiles(root, { [file]: "# mine\n" });
    const { notes } = generate(root);
    assert.is(read(root, file), "# mine\n");
    assert.ok(notes.includes(`${file} was left alone because it is there already.`));
    assert.not.match(generate(root).notes.join("\n"), "left alone");
  });

test("until app.ts prepares the database, no plan says that npm run dev applies a migration", ({ root }) => {
  const applies = "`npm run dev` applies it.";
  const lacks = "`npm run dev` does not until app.ts calls `prepareDatabase`";
  generate(root);
  const notes = (): readonly string[] =>
    [
      planMigration(readProject(root), { name: "add_pages" }),
      planResource(readProject(root), { name: "books", fields: ["title:string"], prefix: undefined }),
    ].map((planned) => (planned instanceof Refused ? "none" : planned.notes.join("\n")));
  for (const note of notes()) {
    assert.match(note, lacks);
    assert.not.match(note, applies);
  }
  write(root, "app.ts", (text) => `${text}await prepareDatabase(db, migrations);\n`);
  for (const note of notes()) assert.match(note, applies);
});

test("files with CRLF, tabs and single quotes get new text like theirs", ({ root }) => {
  for (const file of ["apps/products/views.ts", "apps/users/views.ts", "app.ts", "README.md", ".gitignore"])
    write(root, file, (text) => text.replaceAll("\n", "\r\n"));
  generate(root);
  for (const file of ["database/providers.ts", "compose.yaml"])
    assert.not.match(read(root, file), /(?<!\r)\n/, file);
});

test.run();
