import { execFile, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { toArguments } from "#runtime/program.fixture";
import { createHolder, isInterrupted, takeLock, withProjectLock } from "./lock.ts";

const test = suite<{ root: string }>("the lock of a project");

test.before.each((context) => {
  context.root = mkdtempSync(join(tmpdir(), "lock-"));
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

const ignore = (): void => {};
const AT_ONCE = { tellAfter: 0, giveUpAfter: 0 };

/** Leaves the lock as a process of that name has it. */
function holdAs(root: string, holder: string): void {
  mkdirSync(join(root, ".framework"), { recursive: true });
  writeFileSync(join(root, ".framework", holder), "");
}

/** The name of a process that has ended. */
function createDeadHolder(): string {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  return createHolder().replace(`,${process.pid},`, `,${pid},`);
}

test("of many at once each sees what the ones before it did", async ({ root }) => {
  const file = join(root, "count");
  writeFileSync(file, "0");
  const addOne = async (): Promise<void> => {
    const count = Number(readFileSync(file, "utf8"));
    await turn();
    writeFileSync(file, String(count + 1));
  };
  await Promise.all(Array.from({ length: 30 }, () => withProjectLock(root, ignore, addOne)));
  assert.is(readFileSync(file, "utf8"), "30");
});

test("processes that end and begin at the same moment don't disturb each other", async ({ root }) => {
  const program = `
    import { takeLock } from "#generators/changes/lock";
    for (let turn = 0; turn < 200; turn++) {
      const lock = await takeLock(${JSON.stringify(root)}, () => {});
      if ("severity" in lock) throw new Error(lock.message);
      lock.release();
    }`;
  const takeTurns = () => promisify(execFile)(process.execPath, toArguments(program));
  await Promise.all([takeTurns(), takeTurns(), takeTurns()]);
  assert.equal(readdirSync(root), []);
});

test("it gives what the work returns, and leaves nothing in the project", async ({ root }) => {
  assert.is(await withProjectLock(root, ignore, async () => 7), 7);
  assert.equal(readdirSync(root), []);
});

test("work that fails ends the turn too", async ({ root }) => {
  const failing = withProjectLock(root, ignore, () => {
    throw new Error("of the work");
  });
  assert.match(String(await failing.catch(String)), "of the work");
  assert.equal(readdirSync(root), []);
});

test("a signal is let pass again when it is over", async ({ root }) => {
  const before = process.listenerCount("SIGINT");
  const during = await withProjectLock(root, ignore, () => process.listenerCount("SIGINT"));
  assert.equal([during, process.listenerCount("SIGINT")], [before + 1, before]);
});

test("the turn of a process that has ended is over", async ({ root }) => {
  holdAs(root, createDeadHolder());
  assert.is(await withProjectLock(root, ignore, () => "ours"), "ours");
  assert.equal(readdirSync(root), []);
});

test("the temporary files of a command that was killed are removed by the next one, and no other file", async ({
  root,
}) => {
  assert.not(isInterrupted(root));
  holdAs(root, createDeadHolder());
  const [temporary, others] = [".framework-0123456789ab.tmp", [".framework-x.tmp", "node_modules"]];
  for (const folder of ["apps/orders", "node_modules/framework"]) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, temporary), "export func");
  }
  writeFileSync(join(root, ".framework-x.tmp"), "mine");
  assert.ok(isInterrupted(root));
  assert.is(await withProjectLock(root, ignore, () => isInterrupted(root)), false);
  assert.equal(readdirSync(root).sort(), [...others, "apps"].sort());
  assert.equal(readdirSync(join(root, "apps/orders")), []);
  assert.equal(readdirSync(join(root, "node_modules/framework")), [temporary]);
});

test("a file that a desktop laid into the lock does not hold it", async ({ root }) => {
  holdAs(root, ".DS_Store");
  assert.is(await withProjectLock(root, ignore, () => "ours"), "ours");
});

for (const [title, holder, name] of [
  ["a running process", createHolder(), `process ${process.pid}`],
  ["another machine, which can't be asked,", "elsewhere,1,00", "process 1 on elsewhere"],
] as const) {
  test(`the lock of ${title} is waited for, told, and at last given up`, async ({ root }) => {
    holdAs(root, holder);
    const told: string[] = [];
    const refused = await takeLock(root, (line) => told.push(line), { tellAfter: 0, giveUpAfter: 20 });
    assert.equal(told, [`Waiting for ${name}, which is changing this project.`]);
    assert.ok("severity" in refused);
    assert.is(refused.code, "FW625");
    assert.match(refused.message, name);
    assert.equal(readdirSync(join(root, ".framework")), [holder]);
  });
}

test("nobody waits for a lock that nobody has", async ({ root }) => {
  const lock = await takeLock(root, assert.unreachable, AT_ONCE);
  assert.ok("release" in lock);
  lock.release();
});

test("a link or a file in the place of .framework is refused, and nothing is written through it", async ({
  root,
}) => {
  mkdirSync(join(root, "far"));
  for (const lay of [
    () => symlinkSync("far", join(root, ".framework")),
    () => symlinkSync("nowhere", join(root, ".framework")),
    () => writeFileSync(join(root, ".framework"), "mine"),
  ]) {
    lay();
    const refused = await withProjectLock(root, ignore, assert.unreachable);
    assert.is((refused as { code?: string } | undefined)?.code, "FW622");
    assert.equal(readdirSync(join(root, "far")), []);
    assert.not(existsSync(join(root, "nowhere")));
    rmSync(join(root, ".framework"));
  }
});

test.run();
