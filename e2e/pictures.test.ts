/**
 * That the pictures in docs/pictures/ show what is printed today. `UPDATE=1 node --import tsx e2e/pictures.test.ts` draws them:
 * the lines are typed in a shell, in colour, and what is printed is drawn as it is but for npm's own banner.
 */

import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { sample } from "../runtime/random.fixture.ts";
import { withoutBanner } from "./docs/npm-banner.ts";
import { drawTerminal } from "./docs/terminal-picture.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { copyProject } from "./harness/project.ts";
import { registryWithPackage } from "./harness/registry.ts";
import { createFolder, REPOSITORY } from "./harness/workspace.ts";

interface Picture {
  readonly name: string;
  readonly line: string;
  /** The folder where it is typed. */
  readonly place: () => Promise<string>;
  readonly shows: string;
}

const PICTURES: readonly Picture[] = [
  {
    name: "create",
    line: "npm create convention-app my-app -- --yes",
    place: async () => createFolder("picture"),
    shows: "is ready",
  },
  {
    name: "routes-list",
    line: "npx framework routes list",
    place: async () => (await copyProject()).folder,
    shows: "10 routes: 7 in 2 apps, 3 under routes/",
  },
  {
    name: "diagnostic",
    line: "npx framework routes check",
    place: async () => {
      const project = await copyProject();
      project.edit("apps/users/views.ts", "user_id: int", "...user_ids: int[]");
      return project.folder;
    },
    shows: "FW302",
  },
];

const drawn = process.env.UPDATE === "1" ? PICTURES : sample("pictures", PICTURES, 1);
for (const { name, line, place, shows } of drawn) {
  test(`docs/pictures/${name}.svg is what \`${line}\` prints`, async () => {
    const printed = await print(line, await place());
    assert.ok(printed.includes(shows), printed);
    const picture = drawTerminal(line, printed);
    const file = join(REPOSITORY, "docs/pictures", `${name}.svg`);
    if (process.env.UPDATE === "1") writeFileSync(file, picture);
    assert.is(
      readFileSync(file, "utf8"),
      picture,
      "UPDATE=1 node --import tsx e2e/pictures.test.ts draws it",
    );
  });
}

async function print(line: string, cwd: string): Promise<string> {
  const { url } = await registryWithPackage();
  const env = { ...isolatedEnvironment(url), FORCE_COLOR: "1", npm_config_loglevel: "error" };
  // Not by `run`, which takes the colours out.
  const { stdout } = await promisify(execFile)("sh", ["-c", `${line} 2>&1 || true`], { cwd, env });
  return withoutBanner(stdout).replace(/^\n+/, "");
}

test.run();
