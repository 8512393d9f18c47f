/** `routes diff` in a workspace: the types of another package are those of the commit. */

import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, writeFiles } from "#convention/folder.fixture";
import { formatShape } from "#convention/wire/reading.fixture";
import { loadBoth } from "./loaded.ts";

const HANDLER = `import type { Body } from "framework";
import type { User } from "@acme/types";
import type { Level } from "levels";

export function post(body: Body<{ user: User; level: Level }>) {
  return [body, 201];
}
`;

test("a package of the workspace is read from the commit, and an installed one as it is", () => {
  const folder = createFolder({
    ".gitignore": "node_modules\n",
    "app/framework.toml": "",
    "app/routes/users.ts": HANDLER,
    "packages/types/package.json": '{ "types": "index.ts" }',
    "packages/types/index.ts": "export interface User { name: string }\n",
    "node_modules/levels/package.json": '{ "types": "index.d.ts" }',
    "node_modules/levels/index.d.ts": 'export type Level = "low" | "high";\n',
  });
  mkdirSync(join(folder, "node_modules/@acme"));
  symlinkSync(join(folder, "packages/types"), join(folder, "node_modules/@acme/types"), "junction");
  const git = (...words: string[]): void => {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    assert.is(spawnSync("git", [...identity, ...words], { cwd: folder }).status, 0, words.join(" "));
  };
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "Start");
  writeFiles(folder, { "packages/types/index.ts": "export interface User { name: string; age: number }\n" });
  const users = loadBoth(join(folder, "app"), ["HEAD"]).map(({ sources }) => {
    const { definitions, routes } = sources.project;
    const shapes = [...routes.flatMap(({ takes }) => takes.map(({ shape }) => shape)), definitions.User];
    return shapes.map((shape) => shape && formatShape(shape)).join("; ");
  });
  rmSync(folder, { recursive: true });
  const body = '{ user: #User, level: "low" | "high" }';
  assert.equal(users, [`${body}; { name: string }`, `${body}; { name: string, age: number }`]);
});

test.run();
