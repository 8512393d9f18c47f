import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { compareVendored, hashOf, isNoManifest } from "../vendored.ts";
import { type FilePlan, planUpgrade, readNewer } from "./plan.ts";

type Contents = Readonly<Record<string, string | Buffer>>;

const test = suite<{ root: string }>("plan");

test.before.each((context) => {
  context.root = mkdtempSync(join(tmpdir(), "plan-"));
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

function write(folder: string, files: Contents): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
}

function writeFramework(folder: string, version: string, files: Contents): void {
  const hashes = Object.entries(files).map(([file, content]) => [file, hashOf(Buffer.from(content))]);
  const manifest = JSON.stringify({ version, files: Object.fromEntries(hashes) });
  write(folder, { ...files, "manifest.json": manifest });
}

interface Sides {
  readonly base: Contents;
  readonly yours: Contents;
  readonly theirs: Contents;
  readonly isOffline?: boolean;
}

function plan(root: string, { base, yours, theirs, isOffline = false }: Sides): readonly FilePlan[] {
  const [vendored, folder] = [join(root, "project"), join(root, "newer")];
  writeFramework(vendored, "1.0.0", base);
  write(vendored, yours);
  writeFramework(folder, "2.0.0", theirs);
  const [now, newer] = [compareVendored(vendored), readNewer(folder)];
  if (isNoManifest(now) || "severity" in newer) throw new Error("Half a framework is laid out.");
  const find = (file: string): Buffer | undefined =>
    isOffline || base[file] === undefined ? undefined : Buffer.from(base[file]);
  return planUpgrade(vendored, now, newer, { find, why: () => "" }).files;
}

const BINARY = Buffer.of(0, 0xff, 0xfe, 0x0a);
const OLD = { a: "1\n" };
const NEW = { a: "2\n" };

/** By file, what is planned, and the text that is written. */
const CASES: readonly (readonly [what: string, sides: Sides, planned: readonly string[]])[] = [
  ["a file that was not edited is replaced", { base: OLD, yours: {}, theirs: NEW }, ["replaced a"]],
  [
    "what comes is created, and what goes is removed",
    { base: OLD, yours: {}, theirs: { b: "1" } },
    ["removed a", "created b"],
  ],
  [
    "an edit of a file that the newer version does not change is kept, also without an original",
    { base: OLD, yours: { a: "mine\n" }, theirs: OLD, isOffline: true },
    ["kept a mine"],
  ],
  [
    "an edit is merged",
    { base: { a: "1\n2\n3\n" }, yours: { a: "mine\n2\n3\n" }, theirs: { a: "1\n2\n4\n" } },
    ["merged a mine/2/4"],
  ],
  [
    "without its original it is not",
    { base: OLD, yours: { a: "mine\n" }, theirs: NEW, isOffline: true },
    ["unmerged a"],
  ],
  ["an edit that equals the newer text is none", { base: OLD, yours: { a: "2\n" }, theirs: NEW }, []],
  [
    "an edited file that the newer version does not have is set aside",
    { base: OLD, yours: { a: "mine\n" }, theirs: {} },
    ["removed a", "aside a.edited mine"],
  ],
  [
    "an edited tool is replaced and set aside, also if nothing in it is new",
    { base: { "tools/a": "1" }, yours: { "tools/a": "mine" }, theirs: { "tools/a": "1" } },
    ["replaced tools/a", "aside tools/a.edited mine"],
  ],
  [
    "a file of the user's own is carried along",
    { base: {}, yours: { own: "mine" }, theirs: NEW },
    ["created a"],
  ],
  [
    "one whose name the newer version takes is set aside",
    { base: {}, yours: { a: "mine" }, theirs: NEW },
    ["replaced a", "aside a.edited mine"],
  ],
  ["one that the newer version has byte for byte is no conflict", { base: {}, yours: NEW, theirs: NEW }, []],
  [
    "one whose name is a folder's in the newer version is set aside",
    { base: {}, yours: { runtime: "mine" }, theirs: { "runtime/a": "1" } },
    ["aside runtime.edited mine", "created runtime/a"],
  ],
  [
    "what is not text is not merged",
    { base: OLD, yours: { a: "mine\n" }, theirs: { a: BINARY } },
    ["unmerged a"],
  ],
  [
    "an edit is never written over one that was set aside earlier",
    { base: OLD, yours: { a: "mine", "a.edited": "older", "a.edited-2": "old" }, theirs: {} },
    ["removed a", "aside a.edited-3 mine"],
  ],
  [
    "a project without the files of a database gets none",
    { base: OLD, yours: {}, theirs: { ...OLD, "database.js": "2", "database/sqlite.js": "2" } },
    [],
  ],
  [
    "with them, it gets the newer ones",
    { base: { "database.js": "1" }, yours: {}, theirs: { "database.js": "2", "database/sqlite.js": "2" } },
    ["replaced database.js", "created database/sqlite.js"],
  ],
];

for (const [what, sides, planned] of CASES) {
  test(what, ({ root }) => {
    const found = plan(root, sides).map(({ fate, file, after }) =>
      [fate, file, after?.toString().trim().replaceAll("\n", "/")].join(" ").trim(),
    );
    assert.equal(found, planned);
  });
}

test("a folder of the user's is named where the newer version has a file of its name", ({ root }) => {
  assert.throws(
    () => plan(root, { base: OLD, yours: { "b/c/own": "mine" }, theirs: { "b/c": "2" } }),
    /^The framework can't be replaced: vendor\/framework\/b\/c is a folder of yours, and 2\.0\.0 has a file of that name\. Nothing was changed\.$/,
  );
});

test("a file that is missing in the project is restored", ({ root }) => {
  const files = plan(root, { base: OLD, yours: {}, theirs: OLD });
  assert.equal(files, []);
  rmSync(join(root, "project/a"));
  const [now, newer] = [compareVendored(join(root, "project")), readNewer(join(root, "newer"))];
  if (isNoManifest(now) || "severity" in newer) throw new Error("Half a framework is laid out.");
  const find = (): undefined => undefined;
  assert.equal(planUpgrade(join(root, "project"), now, newer, { find, why: () => "" }).files, [
    { file: "a", fate: "restored" },
  ]);
});

test.run();
