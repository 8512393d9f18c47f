/** `generate resource` in a project with a database: its own checks pass, and what it serves is the same on each engine. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Answer, ask } from "./harness/client.ts";
import { type Outcome, run, runWell } from "./harness/command.ts";
import { type EngineName, engines, openStore } from "./harness/database.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { linkModules } from "./harness/modules.ts";
import { nodePath, whyNoNodes } from "./harness/nodes.ts";
import { once } from "./harness/once.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { RUNNER } from "./harness/project-tests.ts";
import { type RunningServer, serve } from "./harness/server.ts";

const withoutNodes = await whyNoNodes();
const NODE = withoutNodes === undefined ? nodePath("node22") : process.execPath;

const AUTHORS = ["authors", "name:string:unique", "born:Date?"];
const BOOKS = [
  ...["books", "title:string", "pages:int", "subtitle:string?", "isbn:string?:unique", "price:number"],
  ...['state:"new"|"as used"', "in_print:boolean?", "author:references", "--prefix", "/api/books"],
];
/** Names that SQL, JavaScript and the generated code have for something else. */
const ODD: readonly (readonly string[])[] = [
  ["order", "group:string", "user:int?", "select:boolean", "class:Date?"],
  ["users-groups", "constructor:string", "default:int?", "--prefix", "/groups"],
  ["queries", "q:string", "limit:int", "after:int?"],
  ["categories", "name:string:unique", "parent:references:categories?"],
  ["profiles", "author:references:unique", "rank:int:unique", "since:Date:unique"],
  ["tables", "rows:int?", "columns:string?"],
  ["databases", "database:string", "replace:references:tables"],
  ["employees", "email:string:unique", "deputy:references:employees:unique?"],
];

async function generate(project: Project, kind: string, words: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await project.framework(["generate", kind, ...words]);
  assert.is(status, 0, `generate ${kind} ${words.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

async function createWith(resources: readonly (readonly string[])[]): Promise<Project> {
  const project = await copyProject();
  await generate(project, "database", ["sqlite"]);
  for (const words of resources) await generate(project, "resource", words);
  linkModules(project);
  return project;
}

/** Nobody changes it. */
const library = once("a library", () => createWith([AUTHORS, BOOKS, ...ODD]));

function runIn({ folder }: Project, words: readonly string[], url?: string): Promise<Outcome> {
  const env = { ...isolatedEnvironment(), ...(url !== undefined && { DATABASE_URL: url }) };
  return run([NODE, ...words], { cwd: folder, env });
}

async function check(project: Project, on: readonly EngineName[]): Promise<void> {
  const types = run([process.execPath, "node_modules/typescript/bin/tsc"], {
    cwd: project.folder,
    env: isolatedEnvironment(),
  });
  for (const engine of on) {
    const { url } = await openStore(engine);
    const { status, stdout, stderr } = await runIn(project, RUNNER, url);
    assert.is(status, 0, `${engine}: ${stdout}${stderr}`);
  }
  const { status, stdout } = await types;
  assert.is(status, 0, stdout);
}

interface Library {
  readonly engine: EngineName;
  readonly server: RunningServer;
  send(line: string, body?: unknown): Promise<Answer>;
}

async function open(engine: EngineName): Promise<Library> {
  const project = await library();
  const { url } = await openStore(engine);
  const env = { ...isolatedEnvironment(), DATABASE_URL: url };
  await runWell([NODE, "vendor/framework", "run", "database/migrate.ts"], { cwd: project.folder, env });
  const server = await serve(project.folder, [NODE, "vendor/framework", "start"], { DATABASE_URL: url });
  const headers = { "content-type": "application/json" };
  return {
    engine,
    server,
    send: (line, body) =>
      ask(server.url, line, body === undefined ? {} : { headers, body: JSON.stringify(body) }),
  };
}

/** What each engine answers is compared. */
async function onEach(work: (library: Library) => Promise<unknown>): Promise<void> {
  const outcomes: [engine: EngineName, outcome: unknown][] = [];
  for (const engine of await engines()) {
    const one = await open(engine);
    try {
      outcomes.push([engine, await work(one)]);
    } finally {
      await one.server.stop();
    }
  }
  for (const [engine, outcome] of outcomes) assert.equal(outcome, outcomes[0]?.[1], engine);
}

const BOOK = { title: "Emma", pages: 474, price: 7.5, state: "as used", author_id: 1 };

if (withoutNodes !== undefined) console.log(`Left out: ${withoutNodes}`);
else {
  test("its own tests and types pass on each engine, whatever its tables and columns are called", async () => {
    await check(await library(), await engines());
  });

  test("they pass in a project of another layout", async () => {
    const project = await createWith([]);
    for (const [file, text] of Object.entries(project.tree()))
      if (/\.(?:ts|md|toml)$/.test(file)) project.write(file, toOther(text).replaceAll("\n", "\r\n"));
    for (const words of [AUTHORS, BOOKS]) await generate(project, "resource", words);
    await check(project, ["sqlite"]);
  });

  test("a guard and the tests of a resource that is made after it get along", async () => {
    const project = await createWith([]);
    await generate(project, "provider", ["current_user"]);
    await generate(project, "hooks", [".", "--guard", "current_user"]);
    await generate(project, "resource", AUTHORS);
    const { status, stdout, stderr } = await runIn(project, [...RUNNER, "authors"]);
    assert.is(status, 0, stdout + stderr);
  });

  test("a row is created, read, replaced, changed and deleted, the same on each engine", () =>
    onEach(async ({ send }) => {
      const answers: Answer[] = [];
      const step = async (line: string, body?: unknown): Promise<Answer> => {
        const answer = await send(line, body);
        answers.push(answer);
        return answer;
      };
      await step("POST /authors", { name: "Jane Austen", born: "1775-12-16T01:15:00.5+01:15" });
      const created = await step("POST /api/books", { ...BOOK, isbn: "1", in_print: true });
      assert.is(created.status, 201);
      assert.is(created.headers.location, "/api/books/1");
      await step(`GET ${created.headers.location}`);
      await step("PUT /api/books/1", { ...BOOK, pages: 9007199254740991, price: 0.1 });
      await step("PATCH /api/books/1", { subtitle: "A novel", in_print: false });
      await step("PATCH /api/books/1", { subtitle: null });
      await step("PATCH /api/books/1", {});
      await step("POST /api/books/", { ...BOOK, isbn: null });
      await step("DELETE /authors/1");
      for (const id of [1, 2]) assert.is((await step(`DELETE /api/books/${id}`)).status, 204);
      await step("DELETE /authors/1");
      for (const method of ["GET", "DELETE"]) assert.is((await step(`${method} /api/books/1`)).status, 404);
      for (const method of ["PUT", "PATCH"])
        assert.is((await step(`${method} /api/books/1`, { ...BOOK })).status, 404);
      assert.is((await step("GET /api/books/99999999999999999999")).status, 404);
      const [author, , read, put, patched, cleared, same] = answers.map(({ text }) => text);
      assert.equal(JSON.parse(String(author)), {
        id: 1,
        name: "Jane Austen",
        born: "1775-12-16T00:00:00.500Z",
      });
      const book = { id: 1, ...BOOK, subtitle: null, isbn: "1", in_print: true };
      assert.equal(JSON.parse(String(read)), book);
      const replaced = { ...book, pages: 9007199254740991, price: 0.1, isbn: null, in_print: null };
      assert.equal(JSON.parse(String(put)), replaced);
      assert.equal(JSON.parse(String(patched)), { ...replaced, subtitle: "A novel", in_print: false });
      assert.equal(JSON.parse(String(cleared)), { ...replaced, in_print: false });
      assert.is(same, cleared);
      assert.is(answers[8]?.status, 409, "books refer to the author");
      return answers.map(({ status, text }) => [status, text]);
    }));

  test("what does not fit is refused with the place, and nothing is stored", () =>
    onEach(async ({ send }) => {
      await send("POST /authors", { name: "Jane Austen" });
      await send("POST /api/books", { ...BOOK, isbn: "1" });
      const refused: [line: string, body: unknown, status: number, pointers: readonly string[]][] = [
        ["POST /api/books", { ...BOOK, isbn: "1" }, 409, ["/isbn"]],
        ["POST /api/books", { ...BOOK, author_id: 7 }, 422, []],
        ["POST /api/books", { ...BOOK, author_id: -1 }, 422, []],
        ["POST /api/books", { ...BOOK, pages: 1.5, state: "old" }, 422, ["/pages", "/state"]],
        ["POST /api/books", { ...BOOK, pages: 2 ** 53 }, 422, ["/pages"]],
        ["POST /api/books", { ...BOOK, isbn: "x".repeat(256) }, 422, ["/isbn"]],
        ["POST /api/books", { ...BOOK, title: null }, 422, ["/title"]],
        ["POST /api/books", { ...BOOK, title: "a\0b" }, 422, []],
        ["POST /api/books", [], 422, [""]],
        ["PUT /api/books/1", { title: "Persuasion" }, 422, ["/author_id", "/pages", "/price", "/state"]],
        ["PATCH /api/books/1", { author_id: 7 }, 422, []],
        ["PATCH /api/books/1", { pages: null }, 422, ["/pages"]],
        ["GET /api/books?limit=0", undefined, 422, ["/limit"]],
        ["GET /api/books?limit=101", undefined, 422, ["/limit"]],
        ["GET /api/books?after=first", undefined, 422, ["/after"]],
      ];
      for (const [line, body, status, pointers] of refused) {
        const answer = await send(line, body);
        assert.is(answer.status, status, `${line} ${JSON.stringify(body)}: ${answer.text}`);
        const { issues = [] } = answer.json as { issues?: readonly { pointer: string }[] };
        if (pointers.length > 0)
          assert.equal(
            issues.map(({ pointer }) => pointer),
            pointers,
            line,
          );
      }
      return (await send("GET /api/books")).json;
    }));

  test("the pages of a list have each row once, while others are created and deleted", () =>
    onEach(async ({ send }) => {
      await send("POST /authors", { name: "Jane Austen" });
      for (let pages = 1; pages <= 7; pages++) await send("POST /api/books", { ...BOOK, pages });
      const listed: number[] = [];
      let after: number | null = 0;
      for (let page = 0; after !== null; page++) {
        const answer = await send(`GET /api/books?limit=3&after=${after}`);
        const { books, next } = answer.json as { books: { id: number }[]; next: number | null };
        listed.push(...books.map(({ id }) => id));
        after = next;
        if (page === 0) {
          await send("DELETE /api/books/2");
          await send("POST /api/books", { ...BOOK, pages: 8 });
        }
      }
      assert.equal(listed, [1, 2, 3, 4, 5, 6, 7, 8]);
      assert.equal((await send("GET /api/books?after=8")).json, { books: [], next: null });
      const whole = (await send("GET /api/books?limit=7")).json as { books: unknown[]; next: unknown };
      assert.equal([whole.books.length, whole.next], [7, null]);
    }));

  test("SQL and wildcards in a text are plain text", () =>
    onEach(async ({ send }) => {
      const texts = ["'; drop table books; --", "100%", "a_b", "a\\b", '"', "$x", "Ünï", "🎈"];
      await send("POST /authors", { name: texts.join(" ") });
      for (const title of texts) await send("POST /api/books", { ...BOOK, title });
      const found: unknown[] = [];
      for (const q of [...texts, "%", "_", "\\", "DROP TABLE", "nothing"]) {
        const { json } = await send(`GET /api/books?q=${encodeURIComponent(q)}`);
        found.push((json as { books: { title: string }[] }).books.map(({ title }) => title));
      }
      assert.equal(found, [
        ...texts.map((text) => [text]),
        ["100%"],
        ["a_b"],
        ["a\\b"],
        ["'; drop table books; --"],
        [],
      ]);
      assert.is((await send("GET /api/books?q=%00")).status, 422);
    }));

  test("the contract has the types of the results, and what the database refuses", async () => {
    const project = await library();
    const { stdout, stderr } = await project.framework(["openapi", "--no-infer", "--notes"]);
    assert.is(stderr, "");
    const { paths, components } = JSON.parse(stdout);
    const statuses = (path: string, method: string): string[] => Object.keys(paths[path][method].responses);
    assert.equal(statuses("/api/books", "get"), ["200", "409", "422", "503"]);
    assert.equal(statuses("/api/books", "post"), ["201", "400", "409", "413", "415", "422", "503"]);
    assert.equal(statuses("/api/books/{id}", "get"), ["200", "404", "409", "422", "503"]);
    assert.equal(statuses("/api/books/{id}", "delete"), ["204", "404", "409", "422", "503"]);
    assert.ok(paths["/api/books"].post.responses["201"].headers.location);
    const [explained, plain] =
      paths["/api/books"].post.responses["409"].content["application/json"].schema.anyOf;
    assert.equal(Object.keys(explained.properties.issues.items.properties), [
      "in",
      "pointer",
      "code",
      "message",
    ]);
    assert.equal(plain, { $ref: "#/components/schemas/Error" });
    assert.equal(components.schemas.Author.required, ["id", "name", "born"]);
    assert.equal(components.schemas.NewAuthor.required, ["name"]);
    const [, query] = paths["/api/books"].get.parameters;
    assert.is(query.description, "The `next` of the previous page.");
  });

  test("with a table that the project lacks, or without a database, nothing is written", async () => {
    const project = await copyProject();
    const before = project.tree();
    for (const [words, said] of [
      [
        ["resource", "books", "title:string"],
        /FW640 .*\n {2}hint: Add one with: npx framework generate database sqlite/,
      ],
      [["migration", "add_pages"], /FW640/],
    ] as const) {
      const { status, stderr } = await project.framework(["generate", ...words]);
      assert.is(status, 1);
      assert.match(stderr, said);
    }
    assert.equal(project.tree(), before);
    for (const words of [["resource"], ["resource", "books"], ["resource", "title:string"], ["migration"]])
      assert.is((await project.framework(["generate", ...words])).status, 2, words.join(" "));
  });

  test("a dry run writes nothing, and shows what the command would do", async () => {
    const project = await library();
    const before = project.tree();
    const words = ["reviews", "stars:int", "--dry-run", "--json"];
    const { made, files, diff } = JSON.parse(await generate(project, "resource", words));
    assert.equal(project.tree(), before);
    assert.is(made.length, 6);
    assert.ok(files.some(({ file }: { file: string }) => file === "tests/reviews.test.ts"));
    assert.match(diff, "+++ b/apps/reviews/views.ts");
  });
}

/** As other formatters lay it out. A line with several kinds of quotes keeps them. */
function toOther(text: string): string {
  return text
    .split("\n")
    .map((line) => (/['`\\]/.test(line) ? line : line.replaceAll('"', "'")))
    .map((line) => line.replace(/;$/, "").replace(/^(?: {2})+/, (spaces) => "\t".repeat(spaces.length / 2)))
    .join("\n");
}

test.run();
