import fs, {
  chmodSync,
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
import { applyChanges, type Change, formatDiff } from "./changes.ts";

const test = suite<{ root: string; outside: string }>("changes");

test.before.each((context) => {
  const folder = mkdtempSync(join(tmpdir(), "changes-"));
  context.root = join(folder, "project");
  context.outside = join(folder, "outside");
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

test("a link inside the project stays a link, and its target is edited", ({ root }) => {
  symlinkSync("apps/b.ts", join(root, "link.ts"));
  assert.is(applyChanges(root, [change("link.ts", "b\n", "B\n")]), undefined);
  assert.ok(lstatSync(join(root, "link.ts")).isSymbolicLink());
  assert.is(readFileSync(join(root, "apps/b.ts"), "utf8"), "B\n");
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

interface Fault {
  readonly title: string;
  readonly code: string;
  readonly last: Change;
  readonly prepare?: (root: string, outside: string) => void;
}

const FAULTS: Fault[] = [
  { title: "changed since it was read", code: "FW621", last: change("apps/b.ts", "old\n", "B\n") },
  { title: "appeared meanwhile", code: "FW621", last: change("apps/b.ts", null, "B\n") },
  { title: "went away meanwhile", code: "FW621", last: change("apps/gone.ts", "x\n", "B\n") },
  { title: "is a folder", code: "FW622", last: change("apps", null, "B\n") },
  { title: "would lie in a file", code: "FW622", last: change("a.ts/b.ts", null, "B\n") },
  {
    title: "has a name that is too long",
    code: "FW622",
    last: change(`new/${"x".repeat(300)}.ts`, null, "B\n"),
  },
  { title: "climbs out by its name", code: "FW623", last: change("../outside/new.ts", null, "B\n") },
  { title: "has an absolute name", code: "FW623", last: change("/tmp/never.ts", null, "B\n") },
  {
    title: "lies in a folder that is a link out of the project",
    code: "FW623",
    last: change("linked/c.ts", "c\n", "B\n"),
    prepare: (root) => symlinkSync("../outside", join(root, "linked")),
  },
  {
    title: "would lie in such a folder",
    code: "FW623",
    last: change("linked/deep/new.ts", null, "B\n"),
    prepare: (root) => symlinkSync("../outside", join(root, "linked")),
  },
  {
    title: "is a link out of the project",
    code: "FW623",
    last: change("c.ts", "c\n", "B\n"),
    prepare: (root) => symlinkSync("../outside/c.ts", join(root, "c.ts")),
  },
  {
    title: "is a link to nothing",
    code: "FW622",
    last: change("c.ts", null, "B\n"),
    prepare: (root) => symlinkSync("../outside/none.ts", join(root, "c.ts")),
  },
];

for (const { title, code, last, prepare } of FAULTS) {
  test(`nothing is written where one of the files ${title}`, ({ root, outside }) => {
    prepare?.(root, outside);
    const before = tree(dirname(root));
    const problem = applyChanges(root, [change("a.ts", "a\n", "A\n"), change("new/c.ts", null, "c\n"), last]);
    assert.is(problem?.code, code);
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

const CALLS = [
  "openSync",
  "writeFileSync",
  "fsyncSync",
  "chmodSync",
  "linkSync",
  "mkdirSync",
  "renameSync",
] as const;

/** Runs the action with the k-th file-changing call failing, and with `lasting` every one after it; a write tears in the middle. */
function withFault<Result>(
  k: number,
  code: string,
  lasting: boolean,
  action: () => Result,
): { result: Result; calls: number } {
  const originals = CALLS.map((name) => fs[name]);
  let calls = 0;
  CALLS.forEach((name) => {
    const original = fs[name] as (...values: unknown[]) => unknown;
    const faulty = (...values: unknown[]): unknown => {
      calls++;
      if (calls < k || (calls > k && !lasting)) return original(...values);
      if (name === "writeFileSync") original(values[0], String(values[1]).slice(0, 1));
      throw Object.assign(new Error(`${code}: injected, ${name}`), { code });
    };
    Object.assign(fs, { [name]: faulty });
  });
  syncBuiltinESMExports();
  try {
    return { result: action(), calls };
  } finally {
    for (const [index, name] of CALLS.entries()) Object.assign(fs, { [name]: originals[index] });
    syncBuiltinESMExports();
  }
}

for (const lasting of [false, true]) {
  for (const code of ["ENOSPC", "EIO"]) {
    test(`all is written or nothing, whichever call fails with ${code}${lasting ? " and all after it" : ""}`, ({
      root,
    }) => {
      const changes = [
        change("a.ts", "a\n", "A\n"),
        change("new/c.ts", null, "c\n"),
        change("apps/b.ts", "b\n", "B\n"),
      ];
      const before = tree(root);
      const outcomes = new Set<string>();
      for (let k = 1; ; k++) {
        const { result, calls } = withFault(k, code, lasting, () => applyChanges(root, changes));
        const after = tree(root);
        const done =
          after["a.ts"] === "A\n" &&
          after["apps/b.ts"] === "B\n" &&
          after["new/c.ts"] === "c\n" &&
          Object.keys(after).length === 5;
        outcomes.add(result === undefined ? "done" : result.code);
        if (result === undefined) assert.ok(done, `call ${k}: ${JSON.stringify(after)}`);
        // When every later call fails too, an edit can't be renamed back: that is told, and its backup stays.
        else if (result.code === "FW622") assert.equal(after, before, `call ${k}`);
        else assert.ok(lasting && Object.values(after).includes("a\n"), "the old text is kept");
        rmSync(root, { recursive: true });
        for (const [file, text] of Object.entries({ "a.ts": "a\n", "apps/b.ts": "b\n" })) {
          mkdirSync(dirname(join(root, file)), { recursive: true });
          writeFileSync(join(root, file), text);
        }
        if (calls < k) break;
      }
      assert.equal([...outcomes].sort(), lasting ? ["FW622", "FW624", "done"] : ["FW622", "done"]);
    });
  }
}

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
`,
  );
});

test.run();
