import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { compareVendored, isNoManifest } from "./vendored.ts";

const FILES: Readonly<Record<string, string>> = {
  "index.js": 'export const a = "ä";\nexport const b = 2;\n',
  "runtime/app.js": "// the app\n",
  "base.br": "\u0000\r\n\u0001",
};

const test = suite<{ folder: string }>("vendored");

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), "vendored-"));
  for (const [file, text] of Object.entries(FILES)) write(context.folder, file, text);
  writeManifest(context.folder, hashesOf(FILES));
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true }));

function write(folder: string, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function hashesOf(files: Readonly<Record<string, string>>): Record<string, string> {
  const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [file, hash(text)]));
}

function writeManifest(folder: string, files: Readonly<Record<string, string>>): void {
  write(folder, "manifest.json", JSON.stringify({ version: "1.2.3", files }));
}

/** @returns what is not as the manifest says. */
function compare(folder: string): unknown {
  const compared = compareVendored(folder);
  if (isNoManifest(compared)) return compared;
  const { manifest, ...differences } = compared;
  assert.is(manifest.version, "1.2.3");
  return differences;
}

const NOTHING = { edited: [], missing: [], extra: [] };

test("as it came, nothing differs", ({ folder }) => {
  assert.equal(compare(folder), NOTHING);
});

test("a changed byte is an edit, a file that is gone is missing, and a new one is extra", ({ folder }) => {
  write(folder, "index.js", 'export const a = "a";\n');
  rmSync(join(folder, "runtime/app.js"));
  write(folder, "runtime/mine.js", "");
  write(folder, "notes.md", "");
  assert.equal(compare(folder), {
    edited: ["index.js"],
    missing: ["runtime/app.js"],
    extra: ["notes.md", "runtime/mine.js"],
  });
});

const DATABASE = { "database.js": "1", "database.d.ts": "2", "database/sqlite.js": "3" };

test("without a file of a database none of these is missing; with one, the others are", ({ folder }) => {
  writeManifest(folder, hashesOf({ ...FILES, ...DATABASE }));
  assert.equal(compare(folder), NOTHING);
  write(folder, "database.js", DATABASE["database.js"]);
  assert.equal(compare(folder), { ...NOTHING, missing: ["database.d.ts", "database/sqlite.js"] });
});

test("line ends of Windows, as git may check them out, are no edit", ({ folder }) => {
  write(folder, "index.js", FILES["index.js"]?.replaceAll("\n", "\r\n") ?? "");
  assert.equal(compare(folder), NOTHING);
});

test("what stands where a file should be, but is none, is missing", ({ folder }) => {
  rmSync(join(folder, "index.js"));
  mkdirSync(join(folder, "index.js"));
  rmSync(join(folder, "runtime/app.js"));
  symlinkSync("nowhere", join(folder, "runtime/app.js"));
  assert.equal(compare(folder), { ...NOTHING, missing: ["index.js", "runtime/app.js"] });
});

if (process.platform !== "win32") {
  test("a pipe in a file's place is missing, and is not waited for", ({ folder }) => {
    rmSync(join(folder, "index.js"));
    execFileSync("mkfifo", [join(folder, "index.js")]);
    assert.equal(compare(folder), { ...NOTHING, missing: ["index.js"] });
  });
}

test("a link to a folder is one extra entry and is not followed", ({ folder }) => {
  symlinkSync(".", join(folder, "again"));
  assert.equal(compare(folder), { ...NOTHING, extra: ["again"] });
});

const BAD_MANIFESTS: readonly [what: string, text: string, why: RegExp][] = [
  ["that is no JSON", "<<<<<<< yours", /not JSON/],
  ["that is another value", "[]", /does not list/],
  ["without files", '{ "version": "1.0.0" }', /does not list/],
  ["without a version", '{ "files": {} }', /does not list/],
  ["that names a file above", '{ "version": "1", "files": { "a/../../x": "00" } }', /does not list/],
  ["that names an absolute path", '{ "version": "1", "files": { "/etc/passwd": "00" } }', /does not list/],
  ["that names a drive", '{ "version": "1", "files": { "C:\\\\x": "00" } }', /does not list/],
];

for (const [what, text, why] of BAD_MANIFESTS) {
  test(`a manifest ${what} is told and nothing is compared`, ({ folder }) => {
    write(folder, "manifest.json", text);
    assert.match((compare(folder) as { why: string }).why, why);
  });
}

test("where there is no manifest, or no folder at all, that is told", ({ folder }) => {
  assert.match((compare(join(folder, "runtime")) as { why: string }).why, /not there/);
  assert.match((compare(join(folder, "nowhere")) as { why: string }).why, /not there/);
});

test.run();
