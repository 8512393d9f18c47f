import { gzipSync } from "node:zlib";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { toTar } from "./tar.fixture.ts";
import { readTarball } from "./tarball.ts";

function read(tar: Buffer): unknown {
  const files = readTarball(gzipSync(tar));
  return "why" in files
    ? files
    : Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString()]));
}

test("files come by their paths in the package, without the folder that npm puts above them", () => {
  const long = "x".repeat(700);
  const tar = toTar(
    { path: "package/a.txt", content: "ä" },
    { path: "package/b/c.txt", content: long },
    { path: "package/empty" },
  );
  assert.equal(read(tar), { "a.txt": "ä", "b/c.txt": long, empty: "" });
});

test("a long path is in two fields", () => {
  const tar = toTar({ path: "end.txt", prefix: "package/folder", content: "1" });
  assert.equal(read(tar), { "folder/end.txt": "1" });
});

test("what is no file, such as a folder or a link, is left out", () => {
  const tar = toTar(
    { path: "package/", type: "5" },
    { path: "package/link", type: "2" },
    { path: "package/a", content: "1" },
  );
  assert.equal(read(tar), { a: "1" });
});

for (const path of ["package/../../out", "package/..", "package/a\\..\\..\\out"]) {
  test(`a tarball that would write ${path} is refused`, () => {
    assert.equal(read(toTar({ path, content: "1" })), { why: "it has a file with a path outside of it" });
  });
}

test("what is cut, changed or no tarball is refused", () => {
  const tar = toTar({ path: "package/a", content: "x".repeat(2000) });
  assert.equal(read(tar.subarray(0, 1024)), { why: "it is not a complete tarball" });
  assert.equal(read(Buffer.from(tar).fill("y", 257, 258)), { why: "it is not a complete tarball" });
  assert.equal(readTarball(gzipSync(tar).subarray(0, 60)), { why: "it is not a complete gzip file" });
  assert.equal(readTarball(Buffer.from("hello")), { why: "it is not a complete gzip file" });
});

for (const length of ["-0000001000", "a thousand"]) {
  test(`a length that is none is refused: ${length}`, () => {
    assert.equal(read(toTar({ path: "package/a", length })), { why: "it is not a complete tarball" });
  });
}

test("a small file that would unpack to more than a package can be is refused", () => {
  assert.equal(readTarball(gzipSync(Buffer.alloc(65 * 1024 * 1024))), {
    why: "it is not a complete gzip file",
  });
});

test.run();
