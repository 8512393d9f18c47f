import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VENDORED_FOLDER } from "#convention/layout";
import { hashOf } from "../vendored.ts";
import { type FilePlan, planUpgrade } from "./plan.ts";
import { toUnpacked } from "./unpacked.ts";

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
  write(folder, {
    ...files,
    "manifest.json": JSON.stringify({ version, files: Object.fromEntries(hashes) }),
  });
}

interface Sides {
  readonly base: Contents;
  readonly yours: Contents;
  readonly theirs: Contents;
  readonly resolved?: Contents;
}

/** @returns what is planned, but for the manifest. */
function plan(root: string, { base, yours, theirs, resolved = {} }: Sides): readonly FilePlan[] {
  const unpacked = toUnpacked(join(root, "unpacked"));
  writeFramework(join(root, VENDORED_FOLDER), "1.0.0", base);
  write(join(root, VENDORED_FOLDER), yours);
  writeFramework(unpacked.framework, "2.0.0", theirs);
  write(unpacked.base, base);
  const answers = Object.entries(resolved).map(([file, content]) => [file, Buffer.from(content)] as const);
  const planned = planUpgrade(root, unpacked, new Map(answers));
  if ("severity" in planned) throw new Error(planned.message);
  return planned.files.filter(({ file }) => file !== "manifest.json");
}

const BINARY = Buffer.of(0, 0xff, 0xfe, 0x0a);

test("a file that is no text and was added on both sides is set aside as it is, and not merged", ({
  root,
}) => {
  const theirs = Buffer.of(0, 0x80);
  const planned = plan(root, { base: {}, yours: { "a.bin": BINARY }, theirs: { "a.bin": theirs } });
  assert.equal(
    planned.map(({ fate, after }) => [fate, after]),
    [
      ["replaced", theirs],
      ["aside", BINARY],
    ],
  );
});

test("an edited text that is no text in the newer version is set aside", ({ root }) => {
  const planned = plan(root, { base: { a: "1\n" }, yours: { a: "mine\n" }, theirs: { a: BINARY } });
  assert.equal(
    planned.map(({ fate, after }) => [fate, after]),
    [
      ["replaced", BINARY],
      ["aside", Buffer.from("mine\n")],
    ],
  );
});

test("an untouched text that is no text in the newer version becomes that, byte for byte", ({ root }) => {
  const [planned] = plan(root, { base: { a: "1\n" }, yours: {}, theirs: { a: BINARY } });
  assert.equal(planned?.after, BINARY);
});

test("what was set aside and edited since is not overwritten when the same edit is set aside again", ({
  root,
}) => {
  const aside = `deps/a.js.yours-${hashOf(Buffer.from("mine")).slice(0, 8)}`;
  const yours = { "deps/a.js": "mine", [aside]: "more of mine" };
  const planned = plan(root, { base: { "deps/a.js": "1" }, yours, theirs: { "deps/a.js": "2" } });
  const set = planned.find(({ fate }) => fate === "aside");
  assert.is(set?.after?.toString(), "mine");
  assert.is(set?.before, null);
  assert.is.not(set?.file, aside);
});

const CONFLICT = { base: { a: "1\n" }, yours: { a: "mine\n=======\n" }, theirs: { a: "2\n" } };

test("a conflict is resolved though a line of the user's own looks like a mark", ({ root }) => {
  const [planned] = plan(root, { ...CONFLICT, resolved: { a: "mine\n=======\n2\n" } });
  assert.is(planned?.fate, "merged");
});

test("a conflict that was saved in an encoding in which marks can't be seen is not resolved", ({ root }) => {
  const saved = Buffer.from("\uFEFF<<<<<<< yours\nmine\n", "utf16le");
  const [planned] = plan(root, { ...CONFLICT, resolved: { a: saved } });
  assert.is(planned?.fate, "conflict");
  assert.equal(planned?.conflicts, [1]);
});

test.run();
