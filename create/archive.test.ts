import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packFolder, parseArchive, writeFiles } from "./archive.ts";

const FILES: readonly [file: string, bytes: Uint8Array][] = [
  [".gitignore", Buffer.from("dist/\n")],
  ["a/b/c.ts", Buffer.from("export const ü = '😀';\r\n")],
  ["a/with mark.ts", Buffer.from("\ufeffexport {};\n")],
  ["empty", Buffer.alloc(0)],
  ["image.png", Uint8Array.of(0x89, 0x50, 0xff, 0x00)],
];

function inFolder(check: (from: string, to: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "archive-"));
  for (const [file, bytes] of FILES) {
    mkdirSync(join(folder, "in", file, ".."), { recursive: true });
    writeFileSync(join(folder, "in", file), bytes);
  }
  check(join(folder, "in"), join(folder, "out"));
  rmSync(folder, { recursive: true });
}

test("what was packed comes out byte for byte", () => {
  inFolder((from, to) => {
    writeFiles(parseArchive(packFolder(from)), to);
    for (const [file, bytes] of FILES) assert.ok(readFileSync(join(to, file)).equals(bytes), file);
  });
});

for (const [unwanted] of FILES) {
  test(`without ${unwanted} the others are packed as they were`, () => {
    const isWanted = (file: string): boolean => file !== unwanted;
    inFolder((from) => {
      const files = parseArchive(packFolder(from, isWanted));
      assert.is(files.size, FILES.length - 1);
      for (const [file, bytes] of FILES.filter(([name]) => isWanted(name))) {
        assert.ok(files.get(file)?.equals(bytes), file);
      }
    });
  });
}

test.run();
