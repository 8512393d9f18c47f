/** A server that `framework build` makes, of a project that is just these files and a runtime. */

import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { runWell } from "../e2e/harness/command.ts";
import { isolatedEnvironment } from "../e2e/harness/environment.ts";
import { packOnce } from "../e2e/harness/package.ts";
import { createFolder, REPOSITORY } from "../e2e/harness/workspace.ts";
import { writeWhole } from "../e2e/harness/write.ts";

/** What it has besides its handlers. */
const FILES: Readonly<Record<string, string>> = {
  "package.json": '{ "type": "module" }\n',
  "app.ts": `import { createApp } from "framework";

export const app = await createApp();
await app.listen();
`,
};

/** The runtime as it is vendored: of this repository, built if its sources are newer. */
export async function currentFramework(): Promise<string> {
  await packOnce();
  return join(REPOSITORY, "dist/framework");
}

/**
 * @param framework a folder with the runtime that the project gets.
 * @param packages what it has installed besides the bundler, with what these need.
 * @returns the file to run.
 */
export async function buildServer(
  framework: string,
  files: Readonly<Record<string, string>>,
  packages: readonly string[] = [],
): Promise<string> {
  const folder = createFolder("built");
  for (const [file, text] of Object.entries({ ...FILES, ...files })) writeWhole(join(folder, file), text);
  cpSync(framework, join(folder, "vendor/framework"), { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  for (const name of ["rolldown", ...packages])
    symlinkSync(join(REPOSITORY, "node_modules", name), join(folder, "node_modules", name));
  const words = [process.execPath, "vendor/framework", "build"];
  await runWell(words, { cwd: folder, env: isolatedEnvironment() });
  return join(folder, "dist/server.js");
}
