/**
 * What a project with a database has, from `npm create … --database`, `generate database` and `generate resource`: all of it passes at
 * once, and what it serves is the same on each engine.
 */

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { sample } from "../runtime/random.fixture.ts";
import type { Answer } from "./harness/client.ts";
import { run } from "./harness/command.ts";
import { type EngineName, engines, openStore } from "./harness/database.ts";
import { addDatabase, node, sendTo } from "./harness/database-project.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import {
  AUTHORS,
  BOOKS,
  copySqlite,
  createWith,
  generate,
  libraryOnce,
  sqliteOnce,
} from "./harness/library.ts";
import { once } from "./harness/once.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { RUNNER } from "./harness/project-tests.ts";
import { serve } from "./harness/server.ts";

const known = await engines();

const ADDED: readonly string[] = [
  "apps/categories/app.toml",
  "apps/categories/views.ts",
  "compose.yaml",
  "database/connection.ts",
  "database/migrate.ts",
  "database/migrations/<time>_create_categories.ts",
  "database/migrations/<time>_create_products.ts",
  "database/migrations/index.ts",
  "database/providers.ts",
  "database/seed.ts",
  "database/tables.ts",
  "routes/readyz.ts",
  "tests/_database.ts",
  "tests/categories.test.ts",
  "tests/readyz.test.ts",
];

test("a project has a table with routes in place of the array, and the connection, tests and images for it", async () => {
  const [project, without] = [await sqliteOnce(), await copyProject()];
  const files = Object.keys(project.tree()).map((file) => file.replace(/\d{14}/, "<time>"));
  assert.equal(files.sort(), [...Object.keys(without.tree()), ...ADDED].sort());
  const status = execFileSync("git", ["status", "--porcelain"], { cwd: project.folder, encoding: "utf8" });
  assert.is(status, "", "all of it is in the first commit");
});

test("with --bare, it has the database alone", async () => {
  const files = Object.keys((await createWith("sqlite", "--bare", "--no-git")).tree());
  const served = files.filter((file) => /^(?:apps|routes)\//.test(file));
  assert.equal(served, ["routes/readyz.ts"]);
});

const VENDORED: readonly string[] = [
  "database.d.ts",
  "database.js",
  "database/engine.js",
  "database/postgres.js",
  "database/sqlite.js",
];

/** The framework's own files of a database. */
function vendoredFiles({ folder }: Project): readonly string[] {
  return readdirSync(join(folder, "vendor/framework"), { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => /^database[./]/.test(name))
    .sort();
}

const COMMANDS = [["doctor"], ["start", "--port", "0"], ["build"], ["run", "database/migrate.ts"]];

test("only a project with a database has the framework's files of one; without them, it is told how to get them", async () => {
  assert.equal(vendoredFiles(await sqliteOnce()), VENDORED);
  assert.equal(vendoredFiles(await copyProject()), []);
  const project = await copySqlite();
  for (const file of VENDORED) rmSync(join(project.folder, "vendor/framework", file));
  for (const words of sample("commands that need a database", COMMANDS, 1)) {
    const { status, stdout, stderr } = await project.framework(words);
    assert.is(status, 1, words[0]);
    assert.match(stdout + stderr, "npx framework generate database sqlite, or postgres", words[0]);
  }
  assert.is((await project.framework(["generate", "database", "sqlite"])).status, 0);
  const read = ({ read }: Project): string[] => VENDORED.map((file) => read(`vendor/framework/${file}`));
  assert.equal(read(project), read(await sqliteOnce()));
});

test("doctor finds nothing but that packages are missing, and so does start", async () => {
  const project = await sqliteOnce();
  const { status, stdout: found } = await project.framework(["doctor", "--json"]);
  assert.is(status, 0);
  const codes = JSON.parse(found).map(({ code }: { code: string }) => code);
  // It asks for Node.js 22.13 by `engines`.
  const older = Number(process.versions.node.split(".")[0]) < 22 ? ["FW825"] : [];
  assert.equal(codes, [...older, "FW833"]);
  for (const words of sample("commands that need packages", [COMMANDS[1], COMMANDS[3]], 1)) {
    const started = await project.framework(words ?? []);
    assert.is(started.status, 1);
    assert.match(started.stderr, /npm install/);
  }
});

test("a project that is there gets the same files, a dry run shows them, and what to add elsewhere is printed", async () => {
  const [project, other, created] = [await copyProject(), await copyProject(), await sqliteOnce()];
  const words = ["generate", "database", "sqlite"];
  const { stdout: diff } = await project.framework([...words, "--dry-run"]);
  assert.match(diff, "+++ b/database/connection.ts");
  assert.not.ok(project.has("database/connection.ts"));
  writeFileSync(join(project.folder, "change.diff"), diff);
  execFileSync("git", ["apply", "change.diff"], { cwd: project.folder });
  const { stdout } = await project.framework(words);
  assert.match(stdout, /^Add to app\.ts, below the imports:\n\nimport \{ prepareDatabase \}/m);
  assert.ok(stdout.endsWith("The database is there already.\n"), stdout);
  // What is added has the types of the created one, which are checked below.
  await addDatabase(other, "sqlite");
  assert.is(other.read("app.ts"), created.read("app.ts"));
  for (const file of ["database/providers.ts", "routes/readyz.ts", "compose.yaml"])
    assert.equal([project.read(file), other.read(file)], [created.read(file), created.read(file)], file);
  assert.equal([vendoredFiles(project), vendoredFiles(other)], [VENDORED, VENDORED]);
});

test("a wrong word is wrong usage, and what needs a database says how to add one", async () => {
  const project = await copyProject();
  const before = project.tree();
  for (const [line, status, said] of [
    ["database sqllite", 2, /Did you mean sqlite\?/],
    ["database", 2, /needs <sqlite\|postgres>/],
    ["database sqlite postgres", 2, /Unexpected argument "postgres"/],
    ["resource books", 2, /books/],
    ["resource title:string", 2, /title:string/],
    ["migration", 2, /migration/],
    [
      "resource books title:string",
      1,
      /FW640 .*\n {2}hint: Add one with: npx framework generate database sqlite/,
    ],
    ["migration add_pages", 1, /FW640/],
  ] as const) {
    const outcome = await project.framework(["generate", ...line.split(" ")]);
    assert.is(outcome.status, status, line);
    assert.match(outcome.stderr, said);
  }
  assert.equal(project.tree(), before);
});

async function checkTypes({ folder }: Project): Promise<void> {
  const tsc = [process.execPath, "node_modules/typescript/bin/tsc"];
  const { status, stdout } = await run(tsc, { cwd: folder, env: isolatedEnvironment() });
  assert.is(status, 0, stdout);
}

async function runTests({ folder }: Project, engine: EngineName, words: readonly string[]): Promise<void> {
  const env = { ...isolatedEnvironment(), DATABASE_URL: (await openStore(engine)).url };
  const { status, stdout, stderr } = await run([node, ...RUNNER, ...words], { cwd: folder, env });
  assert.is(status, 0, `${engine}: ${stdout}${stderr}`);
  assert.match(stdout, /authors\.test\.ts\n(?:• )+ +\(\d+ \/ \d+\)/);
}

async function withResources(prepare: (project: Project) => Promise<void>): Promise<Project> {
  const project = await copySqlite();
  await prepare(project);
  await generate(project, AUTHORS, BOOKS);
  return project;
}

/** The tests that the generator wrote are chosen where a guard refuses those of the samples. */
const PROJECTS: readonly [what: string, make: () => Promise<Project>, chosen: readonly string[]][] = [
  ["whatever its tables and columns are called", libraryOnce, []],
  ["in another layout", () => withResources(async (project) => layOut(project)), ["authors", "books"]],
  [
    "behind a guard",
    () =>
      withResources((project) => generate(project, "provider current_user", "hooks . --guard current_user")),
    ["authors", "books"],
  ],
];
for (const [what, make, chosen] of sample("projects with resources", PROJECTS, 1))
  test(`a project's own tests and types pass, ${what}`, async () => {
    const project = await make();
    for (const engine of sample("engines of a project's tests", known, 1))
      await runTests(project, engine, chosen);
    await checkTypes(project);
    assert.not.ok(existsSync(join(project.folder, "data")), "no test has touched the project's own database");
  });

/** As other formatters do on Windows. A line with several kinds of quotes keeps them. */
function layOut(project: Project): void {
  const toTabs = (spaces: string): string => "\t".repeat(spaces.length / 2);
  for (const [file, text] of Object.entries(project.tree())) {
    if (!/\.(?:ts|md|toml)$/.test(file)) continue;
    const lines = text
      .split("\n")
      .map((line) => (/['`\\]/.test(line) ? line : line.replaceAll('"', "'")))
      .map((line) => line.replace(/;$/, "").replace(/^(?: {2})+/, toTabs));
    project.write(file, lines.join("\r\n"));
  }
}

type Send = (line: string, body?: unknown) => Promise<Answer>;

/** One server on each engine. In development, it migrates its database itself. */
const servedOnce = once("libraries that serve", async () => {
  const { folder } = await libraryOnce();
  const starting = known.map(async (engine): Promise<[EngineName, Send]> => {
    const settings = { DATABASE_URL: (await openStore(engine)).url };
    const server = await serve(folder, [node, "vendor/framework", "dev"], settings);
    return [engine, (line, body) => sendTo(server.url, line, body)];
  });
  return Promise.all(starting);
});

let authors = 0;

/** What each engine answers is compared. @param work gets an author's number, too. */
async function onEach(work: (send: Send, author: number) => Promise<unknown>): Promise<void> {
  const outcomes: unknown[] = [];
  authors += 1;
  for (const [engine, send] of await servedOnce()) {
    const { json } = await send("POST /authors", { name: `Jane Austen ${authors}` });
    outcomes.push(await work(send, (json as { id: number }).id));
    assert.equal(outcomes.at(-1), outcomes[0], engine);
  }
}

const BOOK = { title: "Emma", pages: 474, price: 7.5, state: "used" };

test("a row is created, read, replaced, changed and deleted, the same on each engine", () =>
  onEach(async (send, author) => {
    const [book, texts] = [{ ...BOOK, author_id: author }, [] as string[]];
    const step = async (status: number, line: string, body?: unknown): Promise<Answer> => {
      const answer = await send(line, body);
      assert.is(answer.status, status, `${line}: ${answer.text}`);
      texts.push(answer.text);
      return answer;
    };
    const born = await step(200, `PATCH /authors/${author}`, { born: "1775-12-16T01:15:00.5+01:15" });
    assert.is((born.json as { born: string }).born, "1775-12-16T00:00:00.500Z");
    const created = await step(201, "POST /api/books", { ...book, isbn: "1", in_print: true });
    const { id } = created.json as { id: number };
    const place = `/api/books/${id}`;
    assert.is(created.headers.location, place);
    const first = { id, ...book, subtitle: null, isbn: "1", in_print: true };
    const replaced = { ...first, pages: 9007199254740991, price: 0.1, isbn: null, in_print: null };
    const changed = { ...replaced, subtitle: "A novel", in_print: false };
    for (const [method, body, expected] of [
      ["GET", undefined, first],
      ["PUT", { ...book, pages: 9007199254740991, price: 0.1 }, replaced],
      ["PATCH", { subtitle: "A novel", in_print: false }, changed],
      ["PATCH", { subtitle: null }, { ...changed, subtitle: null }],
      ["PATCH", {}, { ...changed, subtitle: null }],
    ] as const)
      assert.equal((await step(200, `${method} ${place}`, body)).json, expected);
    const other = await step(201, "POST /api/books/", { ...book, isbn: null });
    await step(409, `DELETE /authors/${author}`);
    for (const one of [id, (other.json as { id: number }).id]) await step(204, `DELETE /api/books/${one}`);
    await step(204, `DELETE /authors/${author}`);
    for (const method of ["GET", "DELETE"]) await step(404, `${method} ${place}`);
    for (const method of ["PUT", "PATCH"]) await step(404, `${method} ${place}`, book);
    await step(404, "GET /api/books/99999999999999999999");
    return texts;
  }));

test("the pages of a list have each row once, while others are created and deleted", () =>
  onEach(async (send, author) => {
    const add = async (pages: number): Promise<number> => {
      const { json } = await send("POST /api/books", { ...BOOK, author_id: author, pages });
      return (json as { id: number }).id;
    };
    const added: number[] = [];
    for (let pages = 1; pages <= 7; pages++) added.push(await add(pages));
    const [first = 0, second] = added;
    const listed: number[] = [];
    let after: number | null = first - 1;
    for (let page = 0; after !== null; page++) {
      const answer = await send(`GET /api/books?limit=3&after=${after}`);
      const { books, next } = answer.json as { books: { id: number }[]; next: number | null };
      listed.push(...books.map(({ id }) => id));
      after = next;
      if (page > 0) continue;
      await send(`DELETE /api/books/${second}`);
      added.push(await add(8));
    }
    assert.equal(listed, added);
    assert.equal((await send(`GET /api/books?after=${added.at(-1)}`)).json, { books: [], next: null });
    const answer = await send(`GET /api/books?limit=7&after=${first - 1}`);
    const { books, next } = answer.json as { books: unknown[]; next: unknown };
    assert.equal([books.length, next], [7, null]);
    return books;
  }));

test("SQL and wildcards in a text are plain text", () =>
  onEach(async (send, author) => {
    const texts = ["'; drop table books; --", "100%", "a_b", "a\\b", '"', "$x", "Ünï", "🎈"];
    for (const title of texts) await send("POST /api/books", { ...BOOK, title, author_id: author });
    const others: [q: string, titles: string[]][] = [
      ["%", ["100%"]],
      ["_", ["a_b"]],
      ["\\", ["a\\b"]],
      ["DROP TABLE", ["'; drop table books; --"]],
      ["nothing", []],
    ];
    for (const [q, titles] of [...texts.map((text) => [text, [text]] as const), ...others]) {
      const { json } = await send(`GET /api/books?q=${encodeURIComponent(q)}`);
      const found = (json as { books: { title: string }[] }).books.map(({ title }) => title);
      assert.equal(found, titles, q);
    }
    assert.is((await send("GET /api/books?q=%00")).status, 422);
  }));

/** The last one of these tests: Postgres gives the number of a row that it refuses to no other. */
test("what does not fit is refused with the place, and nothing is stored", () =>
  onEach(async (send, author) => {
    const book = { ...BOOK, author_id: author };
    const { id } = (await send("POST /api/books", { ...book, isbn: "2" })).json as { id: number };
    const refused: [line: string, body: unknown, status: number, pointers: readonly string[]][] = [
      ["POST /api/books", { ...book, isbn: "2" }, 409, ["/isbn"]],
      ["POST /api/books", { ...book, author_id: 7000 }, 422, []],
      ["POST /api/books", { ...book, author_id: -1 }, 422, []],
      ["POST /api/books", { ...book, pages: 1.5, state: "old" }, 422, ["/pages", "/state"]],
      ["POST /api/books", { ...book, pages: 2 ** 53 }, 422, ["/pages"]],
      ["POST /api/books", { ...book, isbn: "x".repeat(256) }, 422, ["/isbn"]],
      ["POST /api/books", { ...book, title: null }, 422, ["/title"]],
      ["POST /api/books", { ...book, title: "a\0b" }, 422, []],
      ["POST /api/books", [], 422, [""]],
      [`PUT /api/books/${id}`, { title: "Persuasion" }, 422, ["/author_id", "/pages", "/price", "/state"]],
      [`PATCH /api/books/${id}`, { author_id: 7000 }, 422, []],
      [`PATCH /api/books/${id}`, { pages: null }, 422, ["/pages"]],
      ["GET /api/books?limit=0", undefined, 422, ["/limit"]],
      ["GET /api/books?limit=101", undefined, 422, ["/limit"]],
      ["GET /api/books?after=first", undefined, 422, ["/after"]],
    ];
    for (const [line, body, status, pointers] of refused) {
      const { status: answered, text, json } = await send(line, body);
      assert.is(answered, status, `${line} ${JSON.stringify(body)}: ${text}`);
      const { issues = [] } = json as { issues?: readonly { pointer: string }[] };
      const named = issues.map(({ pointer }) => pointer);
      if (pointers.length > 0) assert.equal(named, pointers, line);
    }
    return (await send(`GET /api/books?after=${id - 1}`)).json;
  }));

test("the contract has the types of the results, and what the database refuses", async () => {
  const { status, stdout, stderr } = await (await libraryOnce()).framework([
    "openapi",
    "--no-infer",
    "--notes",
  ]);
  assert.equal([status, stderr], [0, ""]);
  const { paths, components } = JSON.parse(stdout);
  const statuses = (path: string, method: string): string[] => Object.keys(paths[path][method].responses);
  assert.equal(statuses("/api/books", "get"), ["200", "400", "409", "422", "503"]);
  assert.equal(statuses("/api/books", "post"), ["201", "400", "409", "413", "415", "422", "503"]);
  assert.equal(statuses("/api/books/{id}", "get"), ["200", "404", "409", "422", "503"]);
  assert.equal(statuses("/api/books/{id}", "delete"), ["204", "404", "409", "422", "503"]);
  const { responses } = paths["/api/books"].post;
  assert.ok(responses["201"].headers.location);
  const [explained, plain] = responses["409"].content["application/json"].schema.anyOf;
  const { issues } = components.schemas[explained.$ref.split("/").at(-1)].properties;
  const properties = Object.keys(issues.items.properties);
  assert.equal(properties, ["in", "pointer", "code", "message"]);
  assert.equal(plain, { $ref: "#/components/schemas/Framework.Error" });
  assert.equal(components.schemas.Author.required, ["id", "name", "born"]);
  assert.equal(components.schemas.NewAuthor.required, ["name"]);
  const [, query] = paths["/api/books"].get.parameters;
  assert.is(query.description, "The `next` of the previous page.");
});

test.run();
