import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { createFolder } from "#convention/folder.fixture";
import { findCopied } from "./copied.ts";

test("links to files are copied, and links to folders only where they are named", () => {
  const root = createFolder({ "public/a.txt": "", "other/secret.txt": "" });
  symlinkSync("../other", join(root, "public/link"));
  symlinkSync("a.txt", join(root, "public/b.txt"));
  symlinkSync("nowhere", join(root, "public/lost"));
  const diagnostics: Diagnostic[] = [];
  const found = ["public", "public/*", "*", "public/link"].map((value) =>
    findCopied(root, [{ value, location: { file: "framework.toml", line: 1, column: 1 } }], diagnostics),
  );
  rmSync(root, { recursive: true });
  const own = ["public/a.txt", "public/b.txt"];
  assert.equal(found, [own, own, ["other/secret.txt", ...own], ["public/link/secret.txt"]]);
  assert.equal(diagnostics, []);
});

test.run();
