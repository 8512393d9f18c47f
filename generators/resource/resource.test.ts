import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, readFiles, writeFiles } from "#convention/folder.fixture";
import { readProject } from "#convention/project";
import { applyChanges, inOrder } from "../changes/changes.ts";
import { planHooks } from "../hooks.ts";
import { planMigration } from "../migration/plan.ts";
import type { Plan } from "../plan.ts";
import { refusal, routes } from "../planned.fixture.ts";
import { planProvider } from "../provider.ts";
import { orRefused, Refused } from "../refused.ts";
import { DATABASE_PROJECT } from "./database.fixture.ts";
import { planResource } from "./plan.ts";
import type { ResourceInput } from "./target.ts";

const NOW = new Date("2026-11-23T12:00:00Z");

const test = suite<{ root: string }>("a resource");

test.before.each((context) => {
  context.root = createFolder(DATABASE_PROJECT);
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

/** @example toInput("books title --under authors --guard current_user") */
function toInput(line: string, prefix?: string): ResourceInput {
  const [words = "", ...options] = line.split(" --");
  const [name = "", ...fields] = words.split(" ");
  const flags = Object.fromEntries(options.map((one) => one.split(" ")));
  return { name, fields, prefix, ...flags };
}

function plan(root: string, line: string, prefix?: string): Plan | Refused {
  return orRefused(() => planResource(readProject(root), toInput(line, prefix), NOW));
}

function apply(root: string, planned: Plan | Refused): Plan {
  if (planned instanceof Refused) throw planned;
  const problem = applyChanges(root, planned.changes);
  if (problem !== undefined) throw new Error(problem.message);
  return planned;
}

function generate(root: string, line: string, prefix?: string): Plan {
  return apply(root, plan(root, line, prefix));
}

function sixRoutes(path: string): readonly string[] {
  return ["GET", "POST", "GET", "PUT", "PATCH", "DELETE"].map(
    (method, index) => `${method} ${path}${index < 2 ? "" : "<id>"}`,
  );
}

/** The provider `current_user`, which guards need. */
function addProvider(root: string): void {
  apply(root, planProvider(readProject(root), { name: "current_user", app: undefined, params: [] }));
}

function addGuard(root: string, folder: string): void {
  const hooks = { folder, guard: "current_user", middleware: false, error: false };
  apply(root, planHooks(readProject(root), hooks));
}

function read(root: string, file: string): string {
  return readFileSync(join(root, file), "utf8");
}

const BOOKS =
  'books title:string pages:int subtitle:string? isbn:string:unique format:"new"|"used" published_at:Date author:references';

test("the migration creates the table, and an index for what refers to another one", ({ root }) => {
  generate(root, "authors name:string");
  generate(root, BOOKS);
  assert.is(
    read(root, "database/migrations/20261123120001_create_books.ts"),
    `import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("books")
    .addColumn("id", "bigint", (column) =>
      column.primaryKey().generatedAlwaysAsIdentity(),
    )
    .addColumn("title", "text", (column) => column.notNull())
    .addColumn("pages", "bigint", (column) => column.notNull())
    .addColumn("subtitle", "text")
    .addColumn("isbn", "text", (column) => column.notNull().unique())
    .addColumn("format", "text", (column) => column.notNull())
    .addColumn("published_at", "timestamptz", (column) => column.notNull())
    .addColumn("author_id", "bigint", (column) =>
      column.notNull().references("authors.id"),
    )
    .execute();
  await db.schema
    .createIndex("books_author_id_index")
    .on("books")
    .column("author_id")
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable("books").execute();
}
`,
  );
});

test("the types, the list of migrations and the seeds gain their entries", ({ root }) => {
  generate(root, "authors name:string");
  generate(root, BOOKS);
  assert.is(
    read(root, "database/tables.ts"),
    `import type { ColumnType, GeneratedAlways } from "kysely";

/** The tables and the types of their columns. */
export interface Tables {
  authors: AuthorTable;
  books: BookTable;
}

interface AuthorTable {
  id: GeneratedAlways<number>;
  name: string;
}

interface BookTable {
  id: GeneratedAlways<number>;
  title: string;
  pages: number;
  subtitle: string | null;
  isbn: string;
  format: "new" | "used";
  published_at: ColumnType<string, Date, Date>;
  author_id: number;
}
`,
  );
  assert.is(
    read(root, "database/migrations/index.ts"),
    `import type { Migrations } from "framework/database";
import * as create_authors from "./20261123120000_create_authors.ts";
import * as create_books from "./20261123120001_create_books.ts";

/** In the order of their names. */
export const migrations: Migrations = {
  "20261123120000_create_authors": create_authors,
  "20261123120001_create_books": create_books,
};
`,
  );
  assert.is(
    read(root, "database/seed.ts"),
    `import { seedDatabase } from "framework/database";
import { db } from "./connection.ts";

await seedDatabase(db, {
  authors: [{ name: "First author" }],
  books: [
    {
      title: "First book",
      pages: 7,
      subtitle: "example",
      isbn: "example",
      format: "new",
      published_at: new Date("2026-11-22T10:30:00.000Z"),
      author_id: 1,
    },
  ],
});
`,
  );
});

test("the app serves six routes under its prefix", ({ root }) => {
  const { made } = generate(root, "books title:string", "/api/books");
  assert.equal(routes(made), sixRoutes("/api/books/"));
  assert.match(read(root, "apps/books/app.toml"), 'prefix = "/api/books"');
  assert.match(read(root, "tests/books.test.ts"), 'const path = "/api/books/";');
});

test("without a text column there is no search, and without a required one an insert has a column all the same", ({
  root,
}) => {
  generate(root, "marks stars:int? seen:boolean?");
  const views = read(root, "apps/marks/views.ts");
  assert.not.match(views, "containsText");
  assert.not.match(views, "@param q");
  assert.match(views, ".values({ stars: null, seen: null, ...mark })");
  assert.not.match(read(root, "tests/marks.test.ts"), "finds a text");
});

test("the test makes the rows that a row refers to, and those that these refer to", ({ root }) => {
  generate(root, "countries code:string:unique");
  generate(root, "writers name:string born:Date? home:references:countries");
  generate(root, 'books author:references:writers editor:references:writers? state:"new"|"used"');
  assert.match(
    read(root, "tests/books.test.ts"),
    `const country = await db
  .insertInto("countries")
  .values({ code: "example" })
  .returning("id")
  .executeTakeFirstOrThrow();

const writer = await db
  .insertInto("writers")
  .values({ name: "example", home_id: country.id })
  .returning("id")
  .executeTakeFirstOrThrow();

const path = "/books/";

/** A body that fits. */
function newBook() {
  return { author_id: writer.id, editor_id: writer.id, state: "new" };
}
`,
  );
});

test("asked twice, it is there already, also after its handlers were edited", ({ root }) => {
  generate(root, "authors name:string");
  generate(root, BOOKS);
  const views = read(root, "apps/books/views.ts");
  writeFileSync(join(root, "apps/books/views.ts"), views.replace("There is no such book", "No"));
  const { changes, present, notes } = generate(root, BOOKS);
  assert.equal(changes, []);
  assert.is(present.length, 6);
  assert.equal(notes, ["The resource books is there already."]);
});

test("asked with other fields, it says which file has others", ({ root }) => {
  generate(root, "books title:string isbn:string:unique");
  assert.match(
    refusal(plan(root, "books title:string isbn:string:unique pages:int")),
    /^FW608 The resource `books` already exists, and database\/tables\.ts differs from these fields\. .*generate migration change_books$/,
  );
  assert.match(
    refusal(plan(root, "books title:string:unique isbn:string:unique")),
    /^FW608 .* database\/migrations\/20261123120000_create_books\.ts differs/,
  );
});

test("its test replaces the guards before its handlers", ({ root }) => {
  addProvider(root);
  for (const folder of [".", "apps"]) addGuard(root, folder);
  generate(root, "books title");
  const guarded = read(root, "tests/books.test.ts");
  assert.match(
    guarded,
    `import * as assert from "uvu/assert";
import { guard } from "../_hooks.ts";
import { guard as guard2 } from "../apps/_hooks.ts";
import type { Book, BookPage } from "../apps/books/views.ts";
import { createTestApp } from "./_database.ts";

// The guards are replaced, so that these requests need no valid credentials.
const providers = [
  replace(guard).with(() => {}),
  replace(guard2).with(() => {}),
];
const { app, db } = await createTestApp({ providers });
const { url } = await app.listen();
`,
  );
});

const CREDENTIALS: [parameters: string, credentials: string, isRefused: boolean][] = [
  ["token: Bearer", '{ authorization: "Bearer test" }', true],
  ["user: Basic", '{ authorization: "Basic dGVzdDp0ZXN0" }', true],
  ['key: ApiKey<"x-key">', '{ "x-key": "test" }', true],
  ["token?: Bearer", '{ authorization: "Bearer test" }', false],
  ["session: Cookie<string>", '{ cookie: "session=test" }', false],
  ['session: ApiKey<"session", "cookie">', '{ cookie: "session=test" }', true],
  ['token: Credential<"Token">', '{ authorization: "Token test" }', true],
];

for (const [parameters, credentials, isRefused] of CREDENTIALS)
  test(`with --guard, each route has the guard, and tests send what ${parameters} needs`, ({ root }) => {
    const mark = /\w+(?=$|<)/.exec(parameters)?.[0];
    const auth = `import type { ${mark} } from "framework";\n\nexport function current_user(${parameters}) {\n  throw new Error();\n}\n`;
    writeFiles(root, { "auth.ts": auth });
    generate(root, "books title --guard current_user");
    assert.match(read(root, "apps/books/_hooks.ts"), "user: From<typeof current_user>");
    const text = read(root, "tests/books.test.ts");
    assert.match(text, `const credentials = ${credentials};\n`);
    assert.match(text, "const providers = [replace(guard).with(() => {})];");
    assert.is(text.includes("refuses a request without credentials"), isRefused);
    const [guarded = ""] = text.split("each route refuses a request without");
    assert.is(
      guarded.match(/(?:\.\.\.|headers: )credentials\b/g)?.length,
      guarded.match(/\brequest\(url/g)?.length,
    );
  });

test("with a guard that takes a key of the query, tests send none, and hold that it is asked for", ({
  root,
}) => {
  const auth =
    'import type { ApiKey } from "framework";\nexport function current_user(key: ApiKey<"key", "query">) {}\n';
  writeFiles(root, { "auth.ts": auth });
  generate(root, "books title --guard current_user");
  const text = read(root, "tests/books.test.ts");
  assert.not.match(text, "const credentials");
  assert.match(text, "each route refuses a request without credentials");
});

test("asked again with a guard, it says how to add one; with the same guard, nothing", ({ root }) => {
  addProvider(root);
  generate(root, "books title");
  assert.match(
    String(generate(root, "books title --guard current_user").notes),
    "npx framework generate hooks books --guard current_user",
  );
  generate(root, "notes title --guard current_user");
  assert.equal(generate(root, "notes title --guard current_user").notes, [
    "The resource notes is there already.",
  ]);
});

test("a project with [exposure] is told which entries are missing, once for all routes", ({ root }) => {
  const config = '[exposure]\nopen = ["GET /products/"]\n';
  writeFiles(root, { "framework.toml": `apps = ["products"]\n\n${config}` });
  const [note = "", ...others] = generate(root, "books title").notes;
  assert.equal(others.length, 1);
  assert.match(note, /^Nothing guards these routes, and `open` under `\[exposure\]` does not list them\. /);
  for (const entry of sixRoutes("/books/")) assert.match(note, `"${entry}",`);
});

test("a field that is named like a secret is stored, and neither sent, listed nor searched", ({ root }) => {
  const { notes } = generate(root, "people name password_hash:string token:string?:unique");
  assert.match(String(notes), "`password_hash` and `token` are stored and not sent to clients.");
  const views = read(root, "apps/people/views.ts");
  assert.match(views, "export interface Person {\n  id: int;\n  name: string;\n}");
  assert.match(views, "password_hash: string;\n  token?: (string & MaxLength<255>) | null;\n}");
  assert.match(views, 'const columns = ["id", "name"] as const;');
  assert.match(views, 'where.or([containsText(where.ref("name"), q)])');
});

test("under another resource, its routes have the id of that one in their path", ({ root }) => {
  generate(root, "organisations name", "/api/organisations");
  const { made } = generate(root, "projects name organisation:references --under organisations");
  const nested = sixRoutes("/api/organisations/<organisation_id>/projects/");
  assert.equal(
    routes(made),
    nested.map((route) => route.replace(/\/$/, "")),
  );
  const views = read(root, "apps/projects/views.ts");
  assert.match(views, "export interface NewProject {\n  name: string;\n}");
  assert.is(views.match(/\.where\("organisation_id", "=", organisation_id\)/g)?.length, 5);
  assert.match(
    read(root, "tests/projects.test.ts"),
    /const path = `\/api\/organisations\/\$\{organisation\.id\}\/projects\/`;/,
  );
});

test("under another resource, the row in the path is one for all tests, where each row needs another one for itself", ({
  root,
}) => {
  generate(root, "organisations name");
  generate(root, "users email:unique");
  generate(root, "members organisation:references user:references:unique --under organisations");
  const [head = "", body = ""] = read(root, "tests/members.test.ts").split("async function newMember() {");
  assert.match(
    head,
    /const organisation = await db[\s\S]*const path = `\/organisations\/\$\{organisation\.id\}/,
  );
  assert.not.match(head, "count }");
  assert.match(body, /^ {2}count \+= 1;\n {2}const user = await db/m);
  assert.is(body.match(/insertInto/g)?.length, 1);
});

test("a row of another table without required fields is inserted with none", ({ root }) => {
  generate(root, "organisations name?");
  generate(root, "projects name organisation:references");
  assert.match(read(root, "tests/projects.test.ts"), '.insertInto("organisations")\n  .defaultValues()\n');
});

const NOT_UNDER: [line: string, message: RegExp][] = [
  [
    "projects name --under organisations",
    /^FW601 .* no field refers to `organisations`\. Add the field organisation:references$/,
  ],
  ["projects name organisation:references? --under organisations", /`organisation_id` is optional/],
  ["projects organisation:references --under organisations", /it has no other field/],
  ["big-projects name organisation:references --under organisations", /Choose a name of one word\.$/],
  ["tasks name project:references --under projects", /no route of `projects` is at \/organisations\/<id>/],
];

for (const [line, message] of NOT_UNDER)
  test(`${line} is refused`, ({ root }) => {
    generate(root, "organisations name");
    generate(root, "projects name organisation:references --under organisations");
    assert.match(refusal(plan(root, line.replace(/^projects/, "plans"))), message);
  });

const REFUSED: [line: string, message: RegExp][] = [
  ["Books title", /^FW601 .* is not words in lower case\. Did you mean `books`\?$/],
  ["BookReviews title", /Did you mean `book_reviews`\?$/],
  ["../books title", /^FW601 .*Did you mean `books`\?$/],
  ["2books title", /Did you mean `books`\?$/],
  ["sqlite_books title", /databases have tables of their own with such names\. Choose another name\.$/],
  ["constructor title", /every JavaScript object has something of that name\. Choose another name\.$/],
  ["kysely_migration title", /databases have tables of their own/],
  ["con title", /Windows reserves it for a device/],
  [`${"b".repeat(41)} title`, /longer than 40 characters\. Choose a shorter name\.$/],
  [
    "products title",
    /^FW608 The app `products` already exists: .* no table `products`\. .* or delete apps\/products\/, its tests and its name in framework\.toml first\.$/,
  ],
  ["books author:references", /^FW601 There is no table `authors`/],
  [
    "categories parent:references:categories",
    /^FW601 .*the first row would need another one\. .*parent:references:categories\?$/,
  ],
];

for (const [line, message] of REFUSED) {
  test(`${line} is refused, and nothing is planned`, ({ root }) =>
    assert.match(refusal(plan(root, line)), message));
}

test("a route that is served, and a table without its app, are refused", ({ root }) => {
  assert.match(
    refusal(plan(root, "books title", "/products")),
    /^FW610 `get_index` in apps\/products\/views\.ts/,
  );
  assert.match(refusal(plan(root, "books title", "api")), /^FW601 .*prefix/);
  generate(root, "books title");
  rmSync(join(root, "apps/books"), { recursive: true });
  writeFiles(root, { "framework.toml": 'apps = ["products"]\n' });
  assert.match(
    refusal(plan(root, "books title pages:int")),
    /^FW608 database\/tables\.ts already has a table named `books`/,
  );
});

for (const file of ["database/tables.ts", "database/migrations/index.ts"]) {
  test(`without ${file}, the hint adds a database`, ({ root }) => {
    rmSync(join(root, file));
    assert.is(
      refusal(plan(root, "books title author:references")),
      `FW640 The project has no database: ${file} is missing. Add one with: npx framework generate database sqlite`,
    );
  });
}

test("files that are laid out in another way are refused with what they lack", ({ root }) => {
  writeFiles(root, { "database/tables.ts": "export type Tables = Record<string, never>;\n" });
  assert.match(refusal(plan(root, "books title")), /^FW612 .*it has no interface `Tables`/);
  writeFiles(root, DATABASE_PROJECT);
  writeFiles(root, { "database/migrations/index.ts": "export const migrations = load();\n" });
  assert.match(refusal(plan(root, "books title")), /^FW612 .*it has no object `migrations`/);
  writeFiles(root, DATABASE_PROJECT);
  writeFiles(root, { "database/tables.ts": "export interface Tables {\n" });
  assert.match(refusal(plan(root, "books title")), /^FW612 .*it has a syntax error/);
});

test("an error of several handlers is told once", ({ root }) => {
  const file = "database/providers.ts";
  writeFiles(root, {
    [file]: String(DATABASE_PROJECT[file]).replace("function* database", "function* store"),
  });
  assert.match(refusal(plan(root, "books title")), /^FW611 [^\n]*does not export `database`\.[^\n]*$/);
});

const SEEDS: [text: string, note: RegExp][] = [
  ["const rows = {};\nawait seedDatabase(db, rows);\n", /it does not call `seedDatabase` with an object/],
  ["await seedDatabase(db, {", /it has a syntax error in line 1/],
  ["await seedDatabase(db, {});\n", /it has no rows of `authors`/],
];

for (const [text, note] of SEEDS) {
  test(`a seed.ts with ${JSON.stringify(text)} is left alone, and told`, ({ root }) => {
    generate(root, "authors name:string");
    writeFiles(root, { "database/seed.ts": text });
    const { notes } = generate(root, "books title author:references");
    assert.match(String(notes), note);
    assert.is(read(root, "database/seed.ts"), text);
  });
}

test("a project without seeds gets none", ({ root }) => {
  rmSync(join(root, "database/seed.ts"));
  generate(root, "books title");
  assert.not.ok(Object.hasOwn(readFiles(root), "database/seed.ts"));
});

const LAYOUTS: [what: string, toLayout: (text: string) => string][] = [
  ["as it comes", (text) => text],
  ["with Windows' line ends", (text) => text.replaceAll("\n", "\r\n")],
  ["with tabs", (text) => text.replace(/^ {2}/gm, "\t")],
  ["with single quotes and without semicolons", (text) => text.replaceAll('"', "'").replace(/;$/gm, "")],
];

for (const [what, toLayout] of LAYOUTS) {
  test(`what is generated into a project ${what} is written so`, ({ root }) => {
    const files = Object.entries(DATABASE_PROJECT).map(([file, text]) => [
      file,
      /\.ts$/.test(file) ? toLayout(text) : text,
    ]);
    writeFiles(root, Object.fromEntries(files));
    generate(root, "authors name:string:unique");
    const written = Object.entries(readFiles(root)).filter(([file]) =>
      /authors.*\.ts$|tables\.ts$/.test(file),
    );
    assert.is(written.length, 4);
    for (const [file, text] of written) {
      assert.is(text.includes("\r\n"), what.includes("Windows"), file);
      assert.is(/\n\t/.test(text), what.includes("tabs"), file);
      assert.is(/\n {2}\w/.test(text), !what.includes("tabs"), file);
      assert.is(/from '/.test(text), what.includes("single"), file);
      assert.is(/;\r?\n/.test(text), !what.includes("semicolons"), file);
    }
  });
}

test("a migration that is left is used again by the same resource, not by another one", ({ root }) => {
  const before = readFiles(root);
  generate(root, "books title");
  const file = "database/migrations/20261123120000_create_books.ts";
  const migration = read(root, file);
  rmSync(root, { recursive: true });
  writeFiles(root, { ...before, [file]: migration });
  assert.match(refusal(plan(root, "books title pages:int")), /^FW608 .*delete it, and its lines in database/);
  const { changes } = generate(root, "books title");
  assert.not.ok(changes.some((one) => one.file === file));
});

test("killed between its files, it is complete when asked again", ({ root }) => {
  generate(root, "authors name:string");
  const before = readFiles(root);
  const changes = inOrder(generate(root, BOOKS).changes);
  const after = readFiles(root);
  assert.equal(
    changes.slice(-2).map(({ file }) => file),
    ["database/migrations/index.ts", "framework.toml"],
  );
  for (const written of [
    ...[1, 3, changes.length - 1].map((count) => changes.slice(0, count)),
    // By hand.
    changes.filter(({ file }) => file !== "database/migrations/index.ts"),
  ]) {
    rmSync(root, { recursive: true });
    writeFiles(root, before);
    writeFiles(root, Object.fromEntries(written.map((one) => [one.file, one.after])));
    // A migration that is there keeps its time.
    const isWritten = written.some(({ file }) => file.endsWith("_create_books.ts"));
    const now = isWritten ? new Date("2027-01-01T00:00:00Z") : NOW;
    const notes = apply(root, planResource(readProject(root), toInput(BOOKS), now)).notes.join();
    assert.equal(readFiles(root), after, `${written.length} of ${changes.length}`);
    assert.not.match(notes, "left alone");
  }
});

test("a table that another resource has is refused, and that one is named", ({ root }) => {
  generate(root, "book-reviews stars:int");
  assert.match(
    refusal(plan(root, "book_reviews stars:int")),
    /^FW608 .*named `book_reviews`\. It belongs to the resource `book-reviews`\.$/,
  );
});

test("a migration without steps is added once, after all others", ({ root }) => {
  generate(root, "books title");
  const name = "add_pages_to_books";
  const add = (): Plan =>
    apply(root, planMigration(readProject(root), { name }, new Date("2020-01-01T00:00:00Z")));
  const { changes } = add();
  assert.equal(
    changes.map(({ file }) => file),
    ["database/migrations/20261123120001_add_pages_to_books.ts", "database/migrations/index.ts"],
  );
  assert.match(
    read(root, "database/migrations/index.ts"),
    '"20261123120001_add_pages_to_books": add_pages_to_books,\n};',
  );
  assert.equal(add().changes, []);
});

for (const name of ["default", "await", "migrations"]) {
  test(`a migration can be called ${name}`, ({ root }) => {
    apply(root, planMigration(readProject(root), { name }, NOW));
    assert.equal(apply(root, planMigration(readProject(root), { name }, NOW)).changes, []);
  });
}

test("a second row that refers to the same row of its own table is refused in the test", ({ root }) => {
  generate(root, "employees name:string deputy:references:employees?:unique");
  const text = read(root, "tests/employees.test.ts");
  assert.match(
    text,
    `test("POST /employees/ refuses a second employee with the same \`deputy_id\`", async () => {
  const { id: taken } = await create();
  await create({ deputy_id: taken });
  const response = await send("POST", path, {
    ...newEmployee(),
    deputy_id: taken,
  });
  assert.is(response.statusCode, 409);
});`,
  );
  assert.not.match(text, "No two have the same");
});

test("the row of seeds has an address where its column is one", ({ root }) => {
  generate(root, "people email:string:unique bio:string?");
  assert.match(read(root, "database/seed.ts"), 'people: [{ email: "first@example.com", bio: "example" }],');
});

for (const name of ["AddPages", "add-pages", "_add", "", `a${"b".repeat(80)}`]) {
  test(`${JSON.stringify(name)} can't be the name of a migration`, ({ root }) =>
    assert.match(
      refusal(orRefused(() => planMigration(readProject(root), { name }, NOW))),
      /^FW601 .*can't be the name of a migration/,
    ));
}

const MATRIX: readonly string[] = [
  "authors name:string:unique",
  BOOKS,
  "book_reviews stars:int text:string? at:Date?",
  "categories name parent:references:categories?",
  "profiles author:references:unique bio:string? score:number:unique rank:int:unique born:Date:unique",
  "memberships author:references book:references",
  'order total:number state:"open"|"paid"|"sent"',
  "settings value:string?",
  "employees name:string? deputy:references:employees?:unique mentor:references:employees?",
  "bodies weight:number",
  "notes text:string author:references",
];

test("what is generated is as a formatter lays it out, except long unions and names", () => {
  const folder = createFolder(DATABASE_PROJECT);
  addProvider(folder);
  for (const line of MATRIX.slice(0, -1)) generate(folder, line);
  addGuard(folder, ".");
  for (const line of MATRIX.slice(-1)) generate(folder, line);
  const biome = { formatter: { indentStyle: "space", lineWidth: 80 } };
  writeFiles(folder, { "biome.json": JSON.stringify(biome, null, 2) });
  assert.is(format(folder), "");
  rmSync(folder, { recursive: true });
});

/** What Biome finds wrong in the generated files, or "". */
function format(folder: string): string {
  const path = fileURLToPath(new URL("../../node_modules/@biomejs/biome/bin/biome", import.meta.url));
  try {
    execFileSync(process.execPath, [path, "check", "--error-on-warnings", "apps", "database", "tests"], {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
    });
    return "";
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}\n${stderr}`;
  }
}

test.run();
