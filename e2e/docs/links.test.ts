/** That what the pages point to is there: links, headings, npm scripts, and the files that CONTRIBUTING.md names. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { REPOSITORY } from "../harness/workspace.ts";
import { findDeadLinks } from "./links.ts";

const MARKDOWN: readonly string[] = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md"],
  ...["template/README.md", "template/AGENTS.md"],
  ...listFiles("docs", true).filter((name) => name.endsWith(".md")),
];

test("every link of a page leads somewhere", () => {
  const dead = MARKDOWN.flatMap((name) =>
    findDeadLinks(REPOSITORY, name).map((target) => `${name}: ${target}`),
  );
  assert.equal(dead, []);
});

test("every npm script that a page names is there", () => {
  const scripts = ["package.json", "template/package.json"].flatMap((file) =>
    Object.keys(JSON.parse(readFileSync(join(REPOSITORY, file), "utf8")).scripts),
  );
  // With a database, the generator adds these.
  const added = readFileSync(join(REPOSITORY, "generators/database/package-file.ts"), "utf8");
  scripts.push(...[...added.matchAll(/^ +"?(\w+)\S*: "node vendor/gm)].map(([, name = ""]) => name));
  const texts = MARKDOWN.map((name) => readFileSync(join(REPOSITORY, name), "utf8"));
  const named = texts.flatMap((text) => [...text.matchAll(/\bnpm run (\w+)/g)].map(([, name]) => name));
  assert.equal(
    named.filter((name) => !scripts.includes(name ?? "")),
    [],
  );
});

test("every file that CONTRIBUTING.md names is there", () => {
  const files = [
    ...["runtime", "convention", "toolchain", "generators", "create", "template", ".ci", ".github"].flatMap(
      (room) => listFiles(room, true),
    ),
    ...["", "e2e"].flatMap((room) => listFiles(room, false)),
  ];
  const text = readFileSync(join(REPOSITORY, "CONTRIBUTING.md"), "utf8");
  const named = [...text.matchAll(/`([\w./-]+\.(?:ts|md|json|toml|yml))`/g)].map(([, name = ""]) => name);
  assert.ok(named.length > 30, named.join(" "));
  assert.equal(
    named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`))),
    [],
  );
});

function listFiles(room: string, recursive: boolean): string[] {
  const names = readdirSync(join(REPOSITORY, room), { recursive, encoding: "utf8" });
  return names.map((name) => (room === "" ? name : `${room}/${name.replaceAll("\\", "/")}`));
}

test.run();
