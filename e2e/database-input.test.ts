/** What users and operators get wrong: SQL in every field is data or refused, and a database that can't be opened is a message. */

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ask } from "./harness/client.ts";
import { engines, openStore, postgresOnce, type Store } from "./harness/database.ts";
import { migrate, openMigrated, serveOn } from "./harness/database-project.ts";
import { nodePath, whyNoNodes } from "./harness/nodes.ts";
import { databaseNodes } from "./harness/sqlite.ts";
import { createFolder } from "./harness/workspace.ts";

const node = (await databaseNodes()).at(-1)?.path ?? process.execPath;
const known = await engines();
const testOnPostgres = known.includes("postgres") ? test : test.skip;

/** Each is stored as it is. */
const TEXTS: readonly string[] = [
  "'; drop table entries; --",
  "x'); delete from entries; --",
  "' or '1'='1",
  '" or ""="',
  "`; [entries]",
  "$1 ?1 :a @a ?",
  "$$; select 1; $$",
  "E'\\x27' \\'; --",
  "/* */ -- ;",
  "%",
  "_",
  "100%_\\%\\",
  "\\",
  "''''",
  "null",
  "0",
  "{}",
  "",
  " ",
  "\r\n\t\u0001\u001f\u007f",
  "\u2028\u200b\ufeff",
  "Ärger, ß, İ, é, e\u0301, 漢字, 😀",
  "x".repeat(500_000),
  "'".repeat(100_000),
];

/** No text of both engines: each is refused. */
const NO_TEXTS: readonly string[] = ["\0", "a\0b", "\ud800", "a\udc00b"];

/** A path and a query have a limit of their own. */
const LONGEST_IN_URL = 2_000;

interface Entry {
  readonly id: number;
  readonly text: string;
}

const JSON_TYPE = { "content-type": "application/json" };

for (const engine of known) {
  test(`${engine}: SQL in a body, a query and a path is data`, async () => {
    const store = await openMigrated(engine, node);
    const schema = await store.schema();
    const server = await serveOn({ node, store });
    const send = (line: string, body: unknown): ReturnType<typeof ask> =>
      ask(server.url, line, { headers: JSON_TYPE, body: JSON.stringify(body) });
    const find = async (line: string): Promise<readonly Entry[]> => {
      const { status, json, text } = await ask(server.url, line);
      assert.is(status, 200, `${line.slice(0, 200)}: ${text}`);
      return (json as { entries: Entry[] }).entries;
    };
    const made: Entry[] = [];
    for (const [number, text] of TEXTS.entries()) {
      const { status, json } = await send("POST /ledger/", { writer: 1, number, text });
      const entry = json as Entry;
      assert.equal([status, entry.text], [201, text]);
      const changed = await send(`PUT /ledger/by/id/${entry.id}`, { text });
      assert.equal([changed.status, (changed.json as Entry).text], [200, text]);
      made.push(entry);
    }
    for (const { id, text } of made.filter((one) => one.text.length < LONGEST_IN_URL)) {
      assert.is(((await ask(server.url, `GET /ledger/by/id/${id}`)).json as Entry).text, text);
      const encoded = encodeURIComponent(text);
      if (text !== "")
        assert.equal(
          (await find(`GET /ledger/by/text/${encoded}`)).map((one) => one.id),
          [id],
        );
      // Upper and lower case alike; nothing else is.
      const containing = made.filter((one) => one.text.toLowerCase().includes(text.toLowerCase()));
      const found = await find(`GET /ledger/search?q=${encoded}`);
      assert.equal(
        found.map((one) => one.id),
        containing.map((one) => one.id),
        JSON.stringify(text),
      );
    }
    assert.equal(await find(`GET /ledger/search?q=${"y".repeat(12_000)}`), []);
    assert.equal(await find(`GET /ledger/search?q=${"%C3%9F".repeat(2_000)}`), []);
    for (const text of NO_TEXTS) {
      assert.is(
        (await send("POST /ledger/", { writer: 2, number: 0, text })).status,
        422,
        JSON.stringify(text),
      );
      assert.is((await send(`PUT /ledger/by/id/${made[0]?.id}`, { text })).status, 422, JSON.stringify(text));
    }
    for (const line of [
      "GET /ledger/by/text/a%00b",
      "GET /ledger/search?q=%00",
      "GET /ledger/by/text/%ED%A0%80",
    ]) {
      const { status } = await ask(server.url, line);
      assert.ok(status === 400 || status === 422, `${line}: ${status}`);
    }
    assert.equal(await store.sql("select count(*) from entries"), [String(TEXTS.length)]);
    assert.equal(await store.schema(), schema);
    assert.is((await server.stop()).status, 0);
    assert.not.match(server.output(), /"level":"error"/);
  });

  test(`${engine}: a number of any size is stored as it is, or refused`, async () => {
    const store = await openMigrated(engine, node);
    const server = await serveOn({ node, store });
    const largest = Number.MAX_SAFE_INTEGER;
    const numbers = [
      "0",
      "-1",
      `${largest}`,
      `-${largest}`,
      `${largest + 1}`,
      "9223372036854775808",
      "1e21",
      "1e400",
      "0.5",
    ];
    for (const number of numbers) {
      const body = `{"writer":1,"number":${number},"text":""}`;
      const { status, json } = await ask(server.url, "POST /ledger/", { headers: JSON_TYPE, body });
      const isSafe = Number.isSafeInteger(Number(number));
      assert.is(status, isSafe ? 201 : 422, number);
      if (isSafe) assert.is((json as { number: number }).number, Number(number));
    }
    for (const id of [`${largest}`, `${largest + 1}`, "9223372036854775808", "1e3", "1;--", "0x1", "%00"])
      assert.is((await ask(server.url, `GET /ledger/by/id/${id}`)).status, 404, id);
    await server.stop();
  });
}

const BROKEN_FOLDER = createFolder("broken");
mkdirSync(join(BROKEN_FOLDER, "folder.db"));
writeFileSync(
  join(BROKEN_FOLDER, "text.db"),
  "This is a text, and as long as a database has to be to be taken for one.\n".repeat(9),
);

/** In this folder of Linux, root may make no file either. */
const UNWRITABLE = process.getuid?.() === 0 ? "/sys" : createFolder("unwritable");
if (UNWRITABLE !== "/sys") chmodSync(UNWRITABLE, 0o555);

/** Nothing listens there. */
const NOBODY = "127.0.0.1:1";

const MISTAKES: readonly [what: string, url: string, message: RegExp][] = [
  [
    "a folder in the place of the file",
    `sqlite:${join(BROKEN_FOLDER, "folder.db")}`,
    /folder\.db can't be opened\.\n.*folder/,
  ],
  [
    "a file that is no database",
    `sqlite:${join(BROKEN_FOLDER, "text.db")}`,
    /text\.db is not a SQLite database\.\n.*move the file/,
  ],
  [
    "a file in the place of its folder",
    `sqlite:${join(BROKEN_FOLDER, "text.db", "app.db")}`,
    /app\.db can't be made.*\n.*writable/,
  ],
  [
    "a folder that may not be written",
    `sqlite:${UNWRITABLE}/app.db`,
    /app\.db can't be opened\.\n.*may write there/,
  ],
  ["no file", "sqlite:", /names no file\.\n.*sqlite:data\/app\.db/],
  ["another engine", "mysql://ada:secret@db/shop", /begins with mysql:.*\n.*postgres:\/\//],
  ["an empty URL", "", /URL is empty\.\n.*sqlite:data\/app\.db/],
  ["a URL without a scheme", "ada:secret", /begins with ada:|no scheme/],
  ["a password with a #", "postgres://ada:sec#ret@db/shop", /URL is not valid\.\n.*%23/],
  [
    "a server that is not there",
    `postgres://ada:secret@${NOBODY}/shop`,
    /at 127\.0\.0\.1:1 can't be reached \(ECONNREFUSED\).*\n.*DATABASE_URL/,
  ],
];

function at(url: string): Store {
  const never = (): never => {
    throw new Error("It can't be opened.");
  };
  return { engine: "sqlite", url, place: "", sql: never, schema: never };
}

for (const [what, url, message] of MISTAKES) {
  test(`${what} is one message for start and for migrate, which says what to do`, async () => {
    const store = at(url);
    const error = await serveOn({ node, store }).catch(({ message: text }: Error) => text);
    const { status, stderr } = await migrate({ node, store });
    for (const text of [String(error), stderr]) {
      assert.match(text, message);
      assert.not.match(text, /secret|ret@db|^ +at /m);
    }
    assert.match(String(error), /ended with status 1/);
    assert.is(status, 1);
  });
}

testOnPostgres("a wrong password and a missing database are messages, without the password", async () => {
  const postgres = await postgresOnce();
  if (postgres === undefined) return;
  const store = await openStore("postgres");
  for (const [url, message] of [
    [store.url.replace(/:postgres@/, ":secret@"), /password authentication failed.*\n.*DATABASE_URL/],
    [`${store.url}_missing`, /store_\d+_missing" does not exist.*\n/],
  ] as const) {
    const { status, stderr } = await migrate({ node, store: at(url) });
    assert.is(status, 1);
    assert.match(stderr, message);
    assert.not.match(stderr, /secret|^ +at /m);
  }
});

const whyNot = await whyNoNodes();
(whyNot === undefined ? test : test.skip)(
  "a Node without SQLite is a message that names the first one with it",
  async () => {
    const store = at("sqlite:data/app.db");
    const error = await serveOn({ node: nodePath("node20"), store }).catch(({ message }: Error) => message);
    assert.match(
      String(error),
      /SQLite needs Node 22\.13 or newer, and this is Node 20\.\d+\.\d+\.\n.*newer Node/,
    );
  },
);

test.run();
