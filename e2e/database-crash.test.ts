/**
 * What a database has after a death: of a server under load, and of a migration at each of its statements. In short by default;
 * LONG=1 kills more servers, and strikes at every statement in every way.
 */

import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { IS_LONG, sample } from "../runtime/random.fixture.ts";
import type { Outcome } from "./harness/command.ts";
import { type EngineName, engines, openStore, type Store } from "./harness/database.ts";
import { migrate, openMigrated, serveOn } from "./harness/database-project.ts";
import { databaseNodes } from "./harness/sqlite.ts";
import { limitRun } from "./harness/workspace.ts";
import { countStatuses, writeAtOnce } from "./harness/writers.ts";

const KILLS = IS_LONG ? 30 : 1;
/** Of the statements of a migration, so many are struck beside the last one for a commit. */
const STRUCK = 3;
const AT_ONCE = 8;
if (IS_LONG) limitRun(60);

const node = (await databaseNodes()).at(-1)?.path ?? process.execPath;
const known = await engines();

interface Entry {
  readonly writer: number;
  readonly number: number;
}

const toKey = (entry: Entry): string => `${entry.writer}|${entry.number}`;

for (const engine of known) {
  test(`${engine}: after ${KILLS} × kill -9 under load, every write that was acknowledged is there`, async () => {
    const store = await openMigrated(engine, node);
    const acknowledged = new Set<string>();
    const open = new Set<string>();
    for (let kill = 0; kill < KILLS; kill++) {
      const server = await serveOn({ node, store });
      let answers = 0;
      const written = await writeAtOnce(server.url, 50, (writer, number) => {
        answers += 1;
        // After the first answers of all, somewhere among those that follow.
        if (answers === 100 + Math.floor(Math.random() * 300) || answers === 400) server.signal("SIGKILL");
        const body = { writer, number: kill * 1_000_000 + number, text: "single" };
        return { line: number % 2 === 0 ? "POST /ledger/" : "POST /ledger/held", body };
      });
      await server.waitForEnd();
      const others = written.filter(({ status }) => status !== 201 && status !== 0);
      assert.equal(others.slice(0, 3), [], JSON.stringify(countStatuses(written)));
      for (const { body, status } of written)
        (status === 201 ? acknowledged : open).add(toKey(body as Entry));
    }
    const stored = await store.sql("select writer, number from entries");
    const lost = [...acknowledged].filter((key) => !stored.includes(key));
    assert.equal(lost, []);
    assert.is(new Set(stored).size, stored.length);
    assert.equal(
      stored.filter((key) => !acknowledged.has(key) && !open.has(key)),
      [],
    );
    await checkWhole(store);
  });
}

/** No transaction is there by half. */
async function checkWhole(store: Store): Promise<void> {
  const [held] = await store.sql("select count(*) from entries where text <> 'single'");
  const halves =
    "select count(*) from entries e where (select count(*) from halves h where h.entry_id = e.id) = 2";
  assert.equal(await store.sql(halves), [held]);
  assert.equal(await store.sql("select value from counters"), [held]);
  if (store.engine === "sqlite") assert.equal(await store.sql("pragma integrity_check"), ["ok"]);
}

const STRIKES = ["before", "after", "error"] as const;

/** As e2e/faults/statements.cjs has it. */
function strike(store: Store, kind: string, at: number): Promise<Outcome> {
  const striker = fileURLToPath(new URL("faults/statements.cjs", import.meta.url));
  const settings = { NODE_OPTIONS: `--require=${striker}`, STRIKE: kind, STRIKE_AT: String(at) };
  return migrate({ node, store, settings });
}

for (const engine of known) {
  test(`${engine}: a migration that is killed or fails at a statement leaves the schema before or after`, async () => {
    const reference = await openStore(engine);
    const before = await reference.schema();
    const { stdout, stderr } = await strike(reference, "count", 0);
    const after = await reference.schema();
    const count = Number(/(\d+) statements/.exec(stdout)?.[1]);
    assert.ok(count > 10, stdout + stderr);
    assert.is(after.filter((line) => line.startsWith("applied ")).length, 3);

    const points = Array.from({ length: count }, (_, index) => index + 1).flatMap((at) =>
      STRIKES.map((kind) => ({ kind, at })),
    );
    // The last one is the commit.
    const last = points.splice(-STRIKES.length);
    const found = { before: 0, after: 0 };
    for (const { kind, at } of [...sample(`points of a migration on ${engine}`, points, STRUCK), ...last]) {
      const store = await openStore(engine);
      const title = `${kind} ${at} of ${count}`;
      const { status, signal, stderr } = await strike(store, kind, at);
      const schema = await store.schema();
      const isAfter = schema.some((line) => line.startsWith("applied "));
      assert.equal(schema, isAfter ? after : before, title);
      if (kind !== "error") assert.is(signal, "SIGKILL", title);
      // What follows the commit may fail without a word.
      else if (!isAfter) assert.is(status, 1, `${title}: ${stderr}`);
      found[isAfter ? "after" : "before"] += 1;
      const again = await migrate({ node, store });
      assert.is(again.status, 0, `${title}, and again: ${again.stderr}`);
      assert.equal(await store.schema(), after, `${title}, and again`);
    }
    assert.ok(found.before > 0 && found.after > 0, JSON.stringify(found));
  });

  test(`${engine}: ${AT_ONCE} processes that migrate at once apply each migration once`, async () => {
    const store = await openStore(engine);
    const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, () => migrate({ node, store })));
    for (const { status, stderr } of outcomes) assert.equal([status, stderr], [0, ""]);
    assert.equal(appliedBy(outcomes), [0, 0, 0, 0, 0, 0, 0, 3]);
    assert.is((await store.schema()).filter((line) => line.startsWith("applied ")).length, 3);
  });

  test(`${engine}: start refuses a database that lacks migrations, and dev applies them`, async () => {
    await checkRefusal(engine);
    const store = await openStore(engine);
    const server = await serveOn({ node, store }, "dev");
    assert.is(server.output().match(/^Applied 2026/gm)?.length, 3, server.output());
    assert.is((await server.stop()).status, 0);
    const again = await serveOn({ node, store });
    assert.is((await again.stop()).status, 0);
  });
}

function appliedBy(outcomes: readonly Outcome[]): number[] {
  return outcomes.map(({ stdout }) => stdout.match(/^Applied /gm)?.length ?? 0).sort();
}

async function checkRefusal(engine: EngineName): Promise<void> {
  const store = await openStore(engine);
  const error = await serveOn({ node, store }).catch((reason: unknown) => String(reason));
  assert.match(String(error), /ended with status 1/);
  assert.match(
    String(error),
    /The database lacks 3 migrations: 20260101120000_entries, .*\n.*`npm run migrate`/,
  );
}

test.run();
