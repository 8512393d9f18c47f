import { test } from "uvu";
import * as assert from "uvu/assert";
import { createFiles } from "../source/files.ts";
import { type Config, readConfig } from "./config.ts";

function read(...lines: string[]): Config {
  return readConfig(createFiles("/nowhere", new Map([["framework.toml", ["[files]", ...lines].join("\n")]])));
}

test("folders come with the longest path first, and with their places for a build", () => {
  const { served, diagnostics } = read('"/" = "public/"', '"/app" = "./web/app"', 'fallback = "index.html"');
  assert.equal(diagnostics, []);
  assert.equal(served?.folders, [
    { at: "/app", folder: "web/app" },
    { at: "/", folder: "public" },
  ]);
  assert.equal([served?.fallback, served?.immutable], ["index.html", undefined]);
  assert.equal(
    served?.copy.map(({ value, location: { line } }) => [value, line]),
    [
      ["public", 2],
      ["web/app", 3],
    ],
  );
});

test("a table without a folder serves nothing", () => {
  assert.is(read('fallback = "index.html"').served, undefined);
});

const WRONG: readonly [line: string, found: string][] = [
  ['"/a/" = "public"', "FW104 2:1"],
  ['"/a b" = "public"', "FW104 2:1"],
  ['"/../a" = "public"', "FW104 2:1"],
  ['"/a" = 1', "FW104 2:8"],
  ['"/a" = "../web"', "FW104 2:8"],
  ['"/a" = "/srv"', "FW104 2:8"],
  ['"/a" = "dist"', "FW104 2:8"],
  ['"/a" = "dist/public"', "FW104 2:8"],
  ['"/a" = "web/*"', "FW104 2:8"],
  ['public = "/"', "FW103 2:1"],
  ['fallback = "../index.html"', "FW104 2:12"],
  ['immutable = "assets"', "FW104 2:13"],
];

for (const [line, found] of WRONG)
  test(`${line} is refused`, () => {
    const [{ code, locations: [place] = [] } = { code: "", locations: [] }] = read(line).diagnostics;
    assert.is(`${code} ${place?.line}:${place?.column}`, found);
  });

test.run();
