import fs, {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { applyChanges, type Change, formatDiff, inOrder } from "./changes.ts";
import { removeLeftovers } from "./disk.ts";

const test = suite<{ root: string }>("changes");

test.before.each((context) => {
  const folder = mkdtempSync(join(tmpdir(), "changes-"));
  context.root = join(folder, "project");
  for (const [file, text] of Object.entries({
    "a.ts": "a\n",
    "apps/b.ts": "b\n",
    "../outside/c.ts": "c\n",
  })) {
    mkdirSync(dirname(join(context.root, file)), { recursive: true });
    writeFileSync(join(context.root, file), text);
  }
});

test.after.each(({ root }) => rmSync(dirname(root), { recursive: true, force: true }));

function change(file: string, before: string | null, after: string): Change {
  return { file, before, after };
}

/** Every file below a folder with its text: what a failure may not alter. */
function tree(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const entries = files.map((file): [string, string] => {
    const path = join(file.parentPath, file.name);
    return [
      path.slice(folder.length + 1),
      file.isFile() ? readFileSync(path, "utf8") : file.isSymbolicLink() ? "link" : "folder",
    ];
  });
  return Object.fromEntries(entries.sort());
}

test("files are edited and created, with the folders they need, and nothing else is left", ({ root }) => {
  const problem = applyChanges(root, [
    change("a.ts", "a\n", "A\n"),
    change("tests/deep/c.test.ts", null, "\uFEFFc\r\n"),
  ]);
  assert.is(problem, undefined);
  assert.equal(tree(root), {
    "a.ts": "A\n",
    apps: "folder",
    "apps/b.ts": "b\n",
    tests: "folder",
    "tests/deep": "folder",
    "tests/deep/c.test.ts": "\uFEFFc\r\n",
  });
});

test("an edited file keeps its mode", ({ root }) => {
  chmodSync(join(root, "a.ts"), 0o750);
  assert.is(applyChanges(root, [change("a.ts", "a\n", "A\n")]), undefined);
  assert.is(statSync(join(root, "a.ts")).mode & 0o777, 0o750);
});

test("an edited file keeps its owner, also when root edits it", ({ root }) => {
  if (process.getuid?.() === 0) chownSync(join(root, "a.ts"), 65534, 65534);
  const { uid, gid } = statSync(join(root, "a.ts"));
  assert.is(applyChanges(root, [change("a.ts", "a\n", "A\n")]), undefined);
  const after = statSync(join(root, "a.ts"));
  assert.equal([after.uid, after.gid], [uid, gid]);
});

test("two names of one file can't be given two texts: nothing is done", ({ root }) => {
  symlinkSync("apps/b.ts", join(root, "link.ts"));
  const before = tree(root);
  const problem = applyChanges(root, [
    change("apps/b.ts", "b\n", "one\n"),
    change("link.ts", "b\n", "two\n"),
  ]);
  assert.is(problem?.code, "FW622");
  assert.match(problem?.message ?? "", "link.ts can't be written: it is the same file as apps/b.ts");
  assert.equal(tree(root), before);
});

test("a link inside the project stays a link, and its target is edited", ({ root }) => {
  symlinkSync("apps/b.ts", join(root, "link.ts"));
  assert.is(applyChanges(root, [change("link.ts", "b\n", "B\n")]), undefined);
  assert.ok(lstatSync(join(root, "link.ts")).isSymbolicLink());
  assert.is(readFileSync(join(root, "apps/b.ts"), "utf8"), "B\n");
});

test("a file whose name is as long as one can be is edited", ({ root }) => {
  const file = `${"x".repeat(252)}.ts`;
  assert.is(applyChanges(root, [change(file, null, "1\n")]), undefined);
  assert.is(applyChanges(root, [change(file, "1\n", "2\n")]), undefined);
  assert.is(readFileSync(join(root, file), "utf8"), "2\n");
});

test("a file that is read-only is not replaced, though its folder would allow it", ({ root }) => {
  chmodSync(join(root, "a.ts"), 0o444);
  const before = tree(root);
  const problem = applyChanges(root, [change("apps/b.ts", "b\n", "B\n"), change("a.ts", "a\n", "A\n")]);
  assert.match(problem?.message ?? "", /^a\.ts can't be written: .*Nothing was changed\.$/);
  assert.equal(tree(root), before);
});

test("tests are written first, then new files, then edits, and last what lists the rest", () => {
  const changes = [
    change("framework.toml", "", "1"),
    change("database/tables.ts", "", "2"),
    change("database/migrations/index.ts", "", "3"),
    change("apps/orders/views.ts", null, "4"),
    change("tests/orders.test.ts", "", "5"),
  ];
  assert.equal(
    inOrder(changes)
      .map(({ after }) => after)
      .join(""),
    "54231",
  );
});

test("a change that changes nothing writes nothing", ({ root }) => {
  const { mtimeNs, ino } = statSync(join(root, "a.ts"), { bigint: true });
  assert.is(applyChanges(root, [change("a.ts", "a\n", "a\n")]), undefined);
  assert.equal(
    [
      statSync(join(root, "a.ts"), { bigint: true }).mtimeNs,
      statSync(join(root, "a.ts"), { bigint: true }).ino,
    ],
    [mtimeNs, ino],
  );
});

const FAULTS: [title: string, last: Change, link?: [name: string, target: string]][] = [
  ["changed since it was read", change("apps/b.ts", "old\n", "B\n")],
  ["appeared meanwhile", change("apps/b.ts", null, "B\n")],
  ["went away meanwhile", change("apps/gone.ts", "x\n", "B\n")],
  ["is a folder", change("apps", null, "B\n")],
  ["would lie in a file", change("a.ts/b.ts", null, "B\n")],
  ["has a name that is too long", change(`new/${"x".repeat(300)}.ts`, null, "B\n")],
  ["climbs out by its name", change("../outside/new.ts", null, "B\n")],
  ["has an absolute name", change("/tmp/never.ts", null, "B\n")],
  [
    "lies in a folder that is a link out of the project",
    change("linked/c.ts", "c\n", "B\n"),
    ["linked", "../outside"],
  ],
  ["would lie in such a folder", change("linked/deep/new.ts", null, "B\n"), ["linked", "../outside"]],
  ["is a link out of the project", change("c.ts", "c\n", "B\n"), ["c.ts", "../outside/c.ts"]],
  ["is a link to nothing", change("c.ts", null, "B\n"), ["c.ts", "../outside/none.ts"]],
];

for (const [title, last, link] of FAULTS) {
  test(`nothing is written where one of the files ${title}`, ({ root }) => {
    if (link !== undefined) symlinkSync(link[1], join(root, link[0]));
    const before = tree(dirname(root));
    const problem = applyChanges(root, [change("a.ts", "a\n", "A\n"), change("new/c.ts", null, "c\n"), last]);
    assert.is(problem?.code, "FW622");
    assert.equal(tree(dirname(root)), before);
  });
}

test("nothing is written where a folder may not be written to", ({ root }) => {
  if (process.getuid?.() === 0) return; // the system lets root write everywhere
  chmodSync(join(root, "apps"), 0o500);
  const problem = applyChanges(root, [change("a.ts", "a\n", "A\n"), change("apps/new.ts", null, "B\n")]);
  chmodSync(join(root, "apps"), 0o700);
  assert.is(problem?.code, "FW622");
  assert.is(problem?.message, "apps/new.ts can't be written: permission denied. Nothing was changed.");
  assert.is(readFileSync(join(root, "a.ts"), "utf8"), "a\n");
});

/** With the place of what they write among their arguments. */
const CALLS = {
  openSync: undefined,
  writeFileSync: 1,
  fsyncSync: undefined,
  chmodSync: undefined,
  mkdirSync: undefined,
  renameSync: undefined,
  unlinkSync: undefined,
  rmdirSync: undefined,
} as const;

/** Runs the action with the k-th file-changing call failing, and with `lasting` every one after it; a write tears in the middle. */
function withFault<Result>(
  k: number,
  code: string,
  lasting: boolean,
  action: () => Result,
): { result: Result; calls: number } {
  const originals = { ...fs };
  let calls = 0;
  for (const [name, data] of Object.entries(CALLS)) {
    // Waiting for the disk, over and over, is most of what these tests would take.
    const made = name === "fsyncSync" ? () => {} : originals[name as keyof typeof CALLS];
    const original = made as (...values: unknown[]) => unknown;
    const faulty = (...values: unknown[]): unknown => {
      calls++;
      if (calls < k || (calls > k && !lasting)) return original(...values);
      if (data !== undefined) original(values[0], String(values[data]).slice(0, 1));
      throw Object.assign(new Error(`${code}: injected, ${name}`), { code });
    };
    Object.assign(fs, { [name]: faulty });
  }
  syncBuiltinESMExports();
  try {
    return { result: action(), calls };
  } finally {
    for (const name of Object.keys(CALLS) as (keyof typeof CALLS)[]) fs[name] = originals[name] as never;
    syncBuiltinESMExports();
  }
}

const MIXED = [
  change("a.ts", "a\n", "A\n"),
  change("new/er/c.ts", null, "c\n"),
  change("framework.toml", "", "apps\n"),
  change("apps/b.ts", "b\n", "B\n"),
];

/** Makes the project as it is after some of the changes. @returns its files. */
function layOut(root: string, made: number): Record<string, string> {
  rmSync(root, { recursive: true, force: true });
  for (const [index, { file, before, after }] of inOrder(MIXED).entries()) {
    const text = index < made ? after : before;
    if (text === null) continue;
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return tree(root);
}

/** After none of the changes, the first, …, all. */
function layEach(root: string): readonly Record<string, string>[] {
  return [...MIXED.keys(), MIXED.length].map((made) => layOut(root, made));
}

function withoutEmptyFolders(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([, text]) => text !== "folder"));
}

for (const code of ["ENOSPC", "EIO"]) {
  test(`all is made or nothing, whichever call fails with ${code}`, ({ root }) => {
    const states = layEach(root);
    const [before, made] = [states[0], states.at(-1)];
    for (let k = 1, isStruck = true; isStruck; k++) {
      layOut(root, 0);
      const { result, calls } = withFault(k, code, false, () => applyChanges(root, MIXED));
      isStruck = calls >= k;
      assert.equal(tree(root), result === undefined ? made : before, `call ${k}`);
      assert.ok(result === undefined || result.code === "FW622", `call ${k}: ${result?.code}`);
    }
  });

  test(`no file is cut, and what is missing comes last, whichever call fails with ${code} and all after it`, ({
    root,
  }) => {
    const states = layEach(root).map(withoutEmptyFolders);
    for (let k = 1, isStruck = true; isStruck; k++) {
      layOut(root, 0);
      const { result, calls } = withFault(k, code, true, () => applyChanges(root, MIXED));
      isStruck = calls >= k;
      removeLeftovers(root);
      const left = withoutEmptyFolders(tree(root));
      const state = states.findIndex((one) => JSON.stringify(one) === JSON.stringify(left));
      assert.ok(state >= 0, `call ${k}: ${JSON.stringify(left)}`);
      const told = state === 0 ? "FW622" : state === states.length - 1 ? undefined : "FW624";
      assert.is(result?.code, told, `call ${k}: ${state} made`);
    }
  });
}

test("a file that is edited while the others are prepared is not overwritten", ({ root }) => {
  const { fsyncSync } = fs;
  fs.fsyncSync = (file) => {
    writeFileSync(join(root, "apps/b.ts"), "mine\n");
    fsyncSync(file);
  };
  syncBuiltinESMExports();
  try {
    const problem = applyChanges(root, [change("a.ts", "a\n", "A\n"), change("apps/b.ts", "b\n", "B\n")]);
    assert.is(problem?.code, "FW622");
  } finally {
    fs.fsyncSync = fsyncSync;
    syncBuiltinESMExports();
  }
  assert.equal(tree(root), { "a.ts": "a\n", apps: "folder", "apps/b.ts": "mine\n" });
});

test("a plan that names one file twice is refused whole, though its first half could be written", ({
  root,
}) => {
  const before = tree(root);
  const problem = applyChanges(root, [change("new.ts", null, "1\n"), change("new.ts/x.ts", null, "2\n")]);
  assert.is(problem?.code, "FW622");
  assert.equal(tree(root), before);
  assert.not(existsSync(join(root, "new.ts")));
});

test("a diff is one that patch programs read", () => {
  const changes = [
    change("new.ts", null, "a\nb\n"),
    change("same.ts", "x", "x"),
    change("end.ts", "a\n", "a\nb"),
    change("dos.ts", "a\r\n", "b\r\n"),
    { file: "gone.ts", before: "a\n", after: null },
  ];
  assert.is(
    formatDiff(changes),
    `--- /dev/null
+++ b/new.ts
@@ -0,0 +1,2 @@
+a
+b
--- a/end.ts
+++ b/end.ts
@@ -1,1 +1,2 @@
 a
+b
\\ No newline at end of file
--- a/dos.ts
+++ b/dos.ts
@@ -1,1 +1,1 @@
-a\r
+b\r
--- a/gone.ts
+++ /dev/null
@@ -1,1 +0,0 @@
-a
`,
  );
});

test.run();
