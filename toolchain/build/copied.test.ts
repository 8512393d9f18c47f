import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { createFolder } from "#convention/folder.fixture";
import { findCopied } from "./copied.ts";

type Named = Parameters<typeof findCopied>[1];

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

test("of a folder that is served, links out of it and to what is hidden are left out, whoever names it", () => {
  const root = createFolder({
    "public/a.txt": "",
    "public/.env": "",
    "public/.well-known/b.json": "",
    "public/..2026/map.txt": "",
    "secret.txt": "",
    "copied/c.txt": "",
  });
  for (const [target, link] of [
    ["../secret.txt", "public/out.txt"],
    [".env", "public/env.txt"],
    ["a.txt", "public/own.txt"],
    [".well-known/b.json", "public/b.json"],
    ["../secret.txt", "copied/d.txt"],
    // As Kubernetes lays out a ConfigMap.
    ["..2026", "public/..data"],
    ["..data/map.txt", "public/map.txt"],
  ] as const)
    symlinkSync(target, join(root, link));
  const name = (...values: string[]): Named =>
    values.map((value) => ({ value, location: { file: "framework.toml", line: 1, column: 1 } }));
  const found = findCopied(root, name("public", "copied"), [], name("public"));
  rmSync(root, { recursive: true });
  assert.equal(found, [
    "copied/c.txt",
    "copied/d.txt",
    "public/..2026/map.txt",
    "public/.env",
    "public/.well-known/b.json",
    "public/a.txt",
    "public/b.json",
    "public/map.txt",
    "public/own.txt",
  ]);
});

test.run();
