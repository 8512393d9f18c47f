/**
 * The tools that people add to a created project: npm installs each beside what the project pins, and each TypeScript that we name
 * checks it. A commit tries one of each, a long run all of them.
 */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { sample } from "../runtime/random.fixture.ts";
import { run } from "./harness/command.ts";
import { ordinaryEnvironment } from "./harness/environment.ts";
import { copyProject, type Project } from "./harness/project.ts";

/** Their newest versions, which may ask for a TypeScript, or types of Node, that are not the newest. */
const TOOLS = [
  "eslint typescript-eslint",
  "jest ts-jest",
  "openapi-typescript",
  "typedoc",
  "vitest",
  "drizzle-kit",
  "tsx",
];
/** The first is the oldest that knows `erasableSyntaxOnly`: docs/tools.md names it. */
const COMPILERS = ["5.8", "5.9", "6", "7"];

async function npm({ folder }: Project, ...words: string[]): Promise<string> {
  const command = ["npm", "--no-audit", "--no-fund", ...words];
  const { status, stdout, stderr } = await run(command, { cwd: folder, env: ordinaryEnvironment() });
  assert.is(status, 0, stdout + stderr);
  return stdout;
}

for (const tools of sample("tools", TOOLS, 1)) {
  test(`npm install -D ${tools} fits to what a project pins`, async () => {
    const words = ["--package-lock-only", "--ignore-scripts", "-D", ...tools.split(" ")];
    await npm(await copyProject(), "install", ...words);
  });
}

for (const version of sample("versions of TypeScript", COMPILERS, 1)) {
  test(`TypeScript ${version} checks a project, and infers its results`, async () => {
    const project = await copyProject();
    project.write("lib/new.ts", "export const wrong: number = process.title;\n");
    await npm(project, "install", "-D", `typescript@${version}`);
    const { status, stdout } = await run(["npm", "run", "typecheck"], {
      cwd: project.folder,
      env: ordinaryEnvironment(),
    });
    assert.is.not(status, 0);
    // A file counts before anything imports it, and nothing else is wrong.
    assert.equal(stdout.match(/^\S+: error .*/gm), [
      "lib/new.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.",
    ]);
    const document = await project.framework(["openapi"]);
    assert.match(document.stdout, /"error"/);
    assert.is(document.status, 0);
  });
}

test.run();
