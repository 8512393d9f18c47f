import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Archive, packFolder, unpackArchive } from "./archive.ts";

const FILES: readonly [file: string, bytes: Uint8Array][] = [
  [".gitignore", Buffer.from("dist/\n")],
  ["a/b/c.ts", Buffer.from("export const ü = '😀';\r\n")],
  ["a/with mark.ts", Buffer.from("\ufeffexport {};\n")],
  ["empty", Buffer.alloc(0)],
  ["image.png", Uint8Array.of(0x89, 0x50, 0xff, 0x00)],
];

test("what was packed comes out of the JSON byte for byte", () => {
  const folder = mkdtempSync(join(tmpdir(), "archive-"));
  for (const [file, bytes] of FILES) {
    mkdirSync(join(folder, "in", file, ".."), { recursive: true });
    writeFileSync(join(folder, "in", file), bytes);
  }
  const archive = JSON.parse(JSON.stringify(packFolder(join(folder, "in")))) as Archive;
  assert.equal(Object.keys(archive), FILES.map(([file]) => file).sort());
  assert.is(unpackArchive(archive, join(folder, "out")), FILES.length);
  for (const [file, bytes] of FILES) assert.ok(readFileSync(join(folder, "out", file)).equals(bytes), file);
  rmSync(folder, { recursive: true });
});

test("what is not wanted is neither packed nor unpacked", () => {
  const folder = mkdtempSync(join(tmpdir(), "archive-"));
  writeFileSync(join(folder, "a"), "a");
  writeFileSync(join(folder, "b"), "b");
  assert.equal(
    packFolder(folder, (file) => file === "a"),
    { a: "a" },
  );
  assert.is(
    unpackArchive({ a: "a", b: "b" }, join(folder, "out"), (file) => file === "b"),
    1,
  );
  rmSync(folder, { recursive: true });
});

test.run();
