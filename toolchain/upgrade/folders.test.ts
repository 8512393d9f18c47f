import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VENDORED_FOLDER } from "#convention/layout";
import {
  explainFailure,
  listLeft,
  repair,
  replaceVendored,
  UNFINISHED_FOLDER,
  writeNewer,
} from "./folders.ts";

const test = suite<{ root: string; vendored: string; newer: string }>("folders");

test.before.each((context) => {
  context.root = mkdtempSync(join(tmpdir(), "folders-"));
  context.vendored = join(context.root, VENDORED_FOLDER);
  context.newer = join(context.root, "newer");
  for (const folder of [context.vendored, context.newer]) mkdirSync(folder, { recursive: true });
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

test("the user's own links are carried along as links, wherever they lead", ({ root, vendored, newer }) => {
  mkdirSync(join(vendored, "own"));
  mkdirSync(join(root, "folder"));
  writeFileSync(join(vendored, "own/file"), "mine");
  const links = { nowhere: "none", "own/folder": join(root, "folder"), "own/link": "file" };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(vendored, name));
  writeNewer(
    root,
    { folder: newer, manifest: { version: "2.0.0", files: {} } },
    [],
    ["own/file", ...Object.keys(links)],
  );
  for (const [name, target] of Object.entries(links))
    assert.is(readlinkSync(join(root, UNFINISHED_FOLDER, name)), target);
  assert.is(readFileSync(join(root, UNFINISHED_FOLDER, "own/file"), "utf8"), "mine");
  assert.ok(lstatSync(join(root, UNFINISHED_FOLDER, "own")).isDirectory());
});

test("what comes from a read-only folder can be edited, and its command be run", ({ root, newer }) => {
  mkdirSync(join(newer, "tools"));
  writeFileSync(join(newer, "tools/cli.js"), "", { mode: 0o555 });
  chmodSync(join(newer, "tools"), 0o555);
  writeNewer(root, { folder: newer, manifest: { version: "2.0.0", files: {} } }, [], []);
  const modeOf = (file: string): number => lstatSync(join(root, UNFINISHED_FOLDER, file)).mode & 0o777;
  assert.is(modeOf("tools/cli.js"), 0o755);
  assert.is(modeOf("tools") & 0o200, 0o200);
});

test("where the newer framework can't take its place, the older one is back there", ({ root, vendored }) => {
  writeFileSync(join(vendored, "own"), "mine");
  assert.throws(() => replaceVendored(root, UNFINISHED_FOLDER), /ENOENT/);
  assert.is(readFileSync(join(vendored, "own"), "utf8"), "mine");
  assert.equal(listLeft(root), []);
});

test("a replaced framework is not removed where git has brought back the one before", ({
  root,
  vendored,
}) => {
  const left = join(root, `${VENDORED_FOLDER}.replaced`);
  mkdirSync(left);
  for (const folder of [left, vendored]) writeFileSync(join(folder, "manifest.json"), "1");
  assert.throws(() => repair(root), /left vendor\/framework\.replaced, which may have edits of yours/);
  assert.ok(existsSync(left));
  writeFileSync(join(vendored, "manifest.json"), "2");
  repair(root);
  assert.equal(listLeft(root), []);
});

test("a system's error is told with the path that it is about", ({ root }) => {
  const error = Object.assign(new Error("EACCES"), {
    code: "EACCES",
    path: join(root, "vendor/framework.replaced"),
  });
  assert.is(
    explainFailure(root, error).message,
    "The framework can't be replaced: vendor/framework.replaced: permission denied. Nothing was changed.",
  );
});

test.run();
