/** The text of a resource's test: each handler over HTTP, with a database of its own. */

import type { Column } from "../migration/columns.ts";
import { block, braceList, chain, commaList, type Doc, lines, print } from "../source/layout.ts";
import { databaseTestHead } from "../tests.ts";
import { isOwn, listWords, needsParentsEach, type Resource, textColumns, typeNames } from "./resource.ts";
import { type Entry, otherSample, type Parent, sampleEntry, uniqueSample, wrongSample } from "./samples.ts";

/** Above every id, and still one that JSON and both engines can hold. */
const NO_ID = Number.MAX_SAFE_INTEGER;

export interface TestedResource extends Resource {
  /** Of its app, with the slash at its end. */
  readonly path: string;
  /** The rows that it refers to, each after those that it refers to itself. */
  readonly parents: readonly Parent[];
  /** The `_hooks.ts` whose guards run before its handlers. */
  readonly guards: readonly string[];
}

export function resourceTest(resource: TestedResource): string {
  const parts = [
    ...(needsParentsEach(resource) ? [] : resource.parents.map(insertParent)),
    ...helpers(resource),
    ...tests(resource),
    "test.run();",
  ];
  const head = headBlueprint(resource);
  return `${[head, ...parts.map((part) => print(part))].join("\n\n")}\n`;
}

function headBlueprint({ names, path, guards }: TestedResource): string {
  const { type, app } = names;
  const head = databaseTestHead(guards);
  const types = braceList(
    "import type {",
    [type, typeNames(names).page],
    `} from "../apps/${app}/views.ts";`,
  );
  return `${head.framework}import { test } from "uvu";
${head.guards}${print(types)}
import { createTestApp } from "./_database.ts";

${head.app}const { url } = await app.listen();
const path = ${JSON.stringify(path)};`;
}

function insertParent({ table, variable, fields }: Parent): Doc {
  return chain(`const ${variable} = await db`, [
    `.insertInto("${table}")`,
    fields.length === 0
      ? ".defaultValues()"
      : [".values(", braceList("{", fields.map(formatField), "}"), ")"],
    '.returning("id")',
    ".executeTakeFirstOrThrow();",
  ]);
}

function formatField([name, code]: Entry): string {
  return `${name}: ${code}`;
}

function helpers(resource: TestedResource): readonly Doc[] {
  const { names } = resource;
  const { page } = typeNames(names);
  return [
    ...newBody(resource),
    lines(
      block(
        commaList(
          "function send(",
          ['method: "POST" | "PUT" | "PATCH"', "to: string", "body: object"],
          ") {",
        ),
        [
          'const headers = { "content-type": "application/json" };',
          braceList("return request(url + to, {", ["method", "headers", "body: JSON.stringify(body)"], "});"),
        ],
        "}",
      ),
    ),
    block(
      `async function create(fields: object = {}): Promise<${names.type}> {`,
      [
        braceList('const response = await send("POST", path, {', [spreadBody(resource), "...fields"], "});"),
        "assert.is(response.statusCode, 201);",
        `return (await response.body.json()) as ${names.type};`,
      ],
      "}",
    ),
    block(
      commaList("async function list(", ["query: Record<string, string | number>"], `): Promise<${page}> {`),
      [
        "const response = await request(url + path, { query });",
        `return (await response.body.json()) as ${page};`,
      ],
      "}",
    ),
  ];
}

function newBody(resource: TestedResource): readonly Doc[] {
  const { names, columns, parents } = resource;
  const isAsync = needsParentsEach(resource);
  // What refers to its own table is null in all of them.
  const unique = columns
    .filter((column) => column.unique && !isOwn(resource, column))
    .map(({ name }) => `\`${name}\``);
  const counts = unique.length > 0;
  const said = counts ? ` No two have the same ${listWords(unique, "or")}.` : "";
  const fields = columns.map((column) => formatField(bodyEntry(column, parents)));
  const body = braceList("return {", fields, "};");
  return [
    ...(counts ? ["let count = 0;"] : []),
    lines(
      `/** A body that fits.${said} */`,
      block(
        `${isAsync ? "async " : ""}function new${names.type}() {`,
        [...(counts ? ["count += 1;"] : []), ...(isAsync ? parents.map(insertParent) : []), body],
        "}",
      ),
    ),
  ];
}

function bodyEntry(column: Column, parents: readonly Parent[]): Entry {
  const { name, type, unique } = column;
  if (unique && !("references" in type)) return [name, uniqueSample(type)];
  return sampleEntry(column, (table) => idOf(table, parents));
}

/** A resource that refers to itself begins with a row that does not. */
function idOf(table: string, parents: readonly Parent[]): string {
  const parent = parents.find((one) => one.table === table);
  return parent === undefined ? "null" : `${parent.variable}.id`;
}

function callNew(resource: TestedResource): string {
  return `${needsParentsEach(resource) ? "await " : ""}new${resource.names.type}()`;
}

function spreadBody(resource: TestedResource): string {
  const call = callNew(resource);
  return call.startsWith("await") ? `...(${call})` : `...${call}`;
}

function tests(resource: TestedResource): readonly Doc[] {
  return [
    ...testsOfCreating(resource),
    ...testsOfListing(resource),
    ...testsOfReplacing(resource),
    ...testsOfPatching(resource),
    testOfDeleting(resource),
  ];
}

function oneTest(title: string, statements: readonly Doc[]): Doc {
  return block(`test(${JSON.stringify(title)}, async () => {`, statements, "});");
}

function statusIs(status: number): string {
  return `assert.is(response.statusCode, ${status});`;
}

/** What a test calls one row. A long name would break lines. */
function rowVariable({ names: { variable } }: Resource): string {
  return variable === "body" || variable.length > 12 ? "row" : variable;
}

/** A request whose body is one that fits, but for some fields. */
function sendBody(resource: TestedResource, method: string, to: string, fields: readonly string[]): Doc {
  return braceList(
    `const response = await send("${method}", ${to}, {`,
    [spreadBody(resource), ...fields],
    "});",
  );
}

/** The answer's JSON is equal to an object. */
function bodyIs(fields: readonly string[]): Doc {
  return braceList("assert.equal(await response.body.json(), {", fields, "});");
}

function testsOfCreating(resource: TestedResource): readonly Doc[] {
  const { names, columns, path } = resource;
  const row = rowVariable(resource);
  const [first] = columns;
  const create = oneTest(`POST ${path} creates ${names.aOne}, and Location leads to it`, [
    `const body = ${callNew(resource)};`,
    'const response = await send("POST", path, body);',
    statusIs(201),
    `const ${row} = (await response.body.json()) as ${names.type};`,
    `assert.equal(${row}, { id: ${row}.id, ...body });`,
    "const read = await request(url + String(response.headers.location));",
    "assert.is(read.statusCode, 200);",
    `assert.equal(await read.body.json(), ${row});`,
  ]);
  return [
    create,
    ...(first === undefined ? [] : [testOfBadBody(resource, first)]),
    ...columns.filter(({ unique }) => unique).map((column) => testOfUnique(resource, column)),
    ...columns.filter(({ type }) => "references" in type).map((column) => testOfReference(resource, column)),
  ];
}

function testOfBadBody(resource: TestedResource, { name, type }: Column): Doc {
  return oneTest(`POST ${resource.path} refuses \`${name}\` if it has another type`, [
    sendBody(resource, "POST", "path", [`${name}: ${wrongSample(type)}`]),
    statusIs(422),
    "const { error } = (await response.body.json()) as { error: string };",
    `assert.match(error, /^${name}: /);`,
  ]);
}

function testOfUnique(resource: TestedResource, column: Column): Doc {
  const { names, path } = resource;
  const { name } = column;
  const first = isOwn(resource, column)
    ? [`const { id: ${name} } = await create();`, `await create({ ${name} });`]
    : [`const { ${name} } = await create();`];
  return oneTest(`POST ${path} refuses a second ${names.one} with the same \`${name}\``, [
    ...first,
    sendBody(resource, "POST", "path", [name]),
    statusIs(409),
  ]);
}

function testOfReference(resource: TestedResource, { name }: Column): Doc {
  return oneTest(`POST ${resource.path} refuses \`${name}\` if no such row exists`, [
    sendBody(resource, "POST", "path", [`${name}: ${NO_ID}`]),
    statusIs(422),
  ]);
}

function testsOfListing(resource: TestedResource): readonly Doc[] {
  const { names, path } = resource;
  const { table, all } = names;
  const paging = oneTest(`GET ${path} lists all ${all}, page by page`, [
    "for (let made = 0; made < 5; made++) await create();",
    "const listed: number[] = [];",
    "let after: number | null = 0;",
    block(
      "while (after !== null) {",
      [
        `const page: ${typeNames(names).page} = await list({ limit: 2, after });`,
        `assert.ok(page.${table}.length <= 2);`,
        `listed.push(...page.${table}.map(({ id }) => id));`,
        "after = page.next;",
      ],
      "}",
    ),
    chain("const rows = await db", [
      `.selectFrom("${table}")`,
      '.select("id")',
      '.orderBy("id")',
      ".execute();",
    ]),
    "const ids = rows.map(({ id }) => id);",
    "assert.equal(listed, ids);",
  ]);
  const limits = oneTest(`GET ${path} refuses a limit that is not from 1 to 100`, [
    block(
      "for (const limit of [0, 101]) {",
      ["const response = await request(url + path, { query: { limit } });", statusIs(422)],
      "}",
    ),
  ]);
  return [paging, limits, ...testsOfSearching(resource)];
}

function testsOfSearching(resource: TestedResource): readonly Doc[] {
  const { names, path } = resource;
  const row = rowVariable(resource);
  const [text] = textColumns(resource);
  if (text === undefined) return [];
  return [
    oneTest(`GET ${path} finds a text with %, _ and ' in it`, [
      `const { id } = await create({ ${text}: "100%_o'clock" });`,
      block(
        'for (const q of ["100%", "%_o", "_O\'CLOCK"]) {',
        [
          "const page = await list({ q });",
          `const ids = page.${names.table}.map((${row}) => ${row}.id);`,
          "assert.equal(ids, [id]);",
        ],
        "}",
      ),
    ]),
  ];
}

function testsOfReplacing(resource: TestedResource): readonly Doc[] {
  const { names, columns, path } = resource;
  const optional = columns.filter((column) => column.optional).map(({ name }) => name);
  const title = `PUT ${path}<id> replaces ${names.aOne}`;
  const statements = (sent: Doc, answer: readonly string[]): readonly Doc[] => [
    "const { id } = await create();",
    `const body = ${callNew(resource)};`,
    sent,
    statusIs(200),
    bodyIs(answer),
  ];
  if (optional.length === 0)
    return [
      oneTest(title, statements('const response = await send("PUT", path + id, body);', ["id", "...body"])),
    ];
  const left = braceList(
    'const response = await send("PUT", path + id, {',
    ["...body", ...optional.map((name) => `${name}: undefined`)],
    "});",
  );
  const answer = ["id", "...body", ...optional.map((name) => `${name}: null`)];
  return [oneTest(`${title}, and what is left out becomes null`, statements(left, answer))];
}

function testsOfPatching(resource: TestedResource): readonly Doc[] {
  const { path } = resource;
  const row = rowVariable(resource);
  const change = changeOf(resource, row);
  const patch = (body: Doc): Doc => [`const response = await send("PATCH", path + ${row}.id, `, body, ");"];
  return [
    oneTest(`PATCH ${path}<id> changes what is sent, and nothing else`, [
      `const ${row} = await create();`,
      patch(braceList("{", [change], "}")),
      statusIs(200),
      bodyIs([`...${row}`, change]),
    ]),
    oneTest(`PATCH ${path}<id> without a change answers with the ${resource.names.one}`, [
      `const ${row} = await create();`,
      patch("{}"),
      statusIs(200),
      `assert.equal(await response.body.json(), ${row});`,
    ]),
  ];
}

/** A row that only refers to others keeps what it has. */
function changeOf({ columns }: Resource, row: string): string {
  for (const { name, type } of columns) {
    if (!("references" in type)) return formatField([name, otherSample(type)]);
  }
  const [{ name = "id" } = {}] = columns;
  return formatField([name, `${row}.${name}`]);
}

function testOfDeleting(resource: TestedResource): Doc {
  const { names, path } = resource;
  return oneTest(`DELETE ${path}<id> deletes ${names.aOne}, which is a 404 from then on`, [
    "const { id } = await create();",
    'const deleted = await request(url + path + id, { method: "DELETE" });',
    "assert.is(deleted.statusCode, 204);",
    block(
      'for (const method of ["GET", "DELETE"] as const) {',
      ["const response = await request(url + path + id, { method });", statusIs(404)],
      "}",
    ),
    block(
      'for (const method of ["PUT", "PATCH"] as const) {',
      [`const response = await send(method, path + id, ${callNew(resource)});`, statusIs(404)],
      "}",
    ),
  ]);
}
