import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createOriginals } from "./originals.ts";

test("a package without archives has no originals, and that is told", () => {
  const cwd = mkdtempSync(join(tmpdir(), "originals-"));
  try {
    mkdirSync(join(cwd, "old"));
    writeFileSync(join(cwd, "old/package.json"), '{"name":"create-convention-app","bin":"create.cjs"}');
    writeFileSync(join(cwd, "old/create.cjs"), "");
    const originals = createOriginals({ cwd, path: "old", version: "1.0.0" }, join(cwd, "temporary"));
    assert.is(originals.find("http.js", "0"), undefined);
    assert.is(originals.why(), "old has other files than the project's manifest names.");
  } finally {
    rmSync(cwd, { recursive: true });
  }
});

test.run();
