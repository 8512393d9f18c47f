/** A project that `npm create` made from the registry: created once a run, and copied for whoever wants to change one. */

import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { type CommandOptions, type Outcome, run, runWell } from "./command.ts";
import { isolatedEnvironment } from "./environment.ts";
import { runInProcess, runsInProcess } from "./in-process.ts";
import { once } from "./once.ts";
import { readPrepared } from "./prepared.ts";
import { registryWithPackage } from "./registry.ts";
import { createFolder } from "./workspace.ts";
import { writeWhole } from "./write.ts";

export interface Project {
  readonly folder: string;
  read(file: string): string;
  /** Writes a file of the project, with the folders above it. */
  write(file: string, text: string): void;
  remove(file: string): void;
  /** Replaces a text that has to be there. */
  edit(file: string, before: string, after: string): void;
  has(file: string): boolean;
  /** Every file but those of `.git`, `node_modules` and `vendor`, with its content. */
  tree(): Record<string, string>;
  /** Runs a command as `node vendor/framework …` does, in this process where that is the same. */
  framework(words: readonly string[]): Promise<Outcome>;
  /** Runs `node vendor/framework …` in it, offline: for what the vendored files themselves do. */
  spawnFramework(words: readonly string[], options?: Partial<CommandOptions>): Promise<Outcome>;
}

export interface Created {
  readonly folder: string;
  readonly outcome: Outcome;
}

/** `npm create convention-app my-app -- --yes`, once: nothing but these words, as the README has them. */
export const createOnce: () => Promise<Created> = once("project", async () => {
  return readPrepared<Created>("project") ?? createProject(createFolder("created"));
});

export async function createProject(cwd: string): Promise<Created> {
  const { url } = await registryWithPackage();
  const words = ["npm", "create", "convention-app", "my-app", "--", "--yes"];
  const outcome = await runWell(words, { cwd, env: isolatedEnvironment(url) });
  return { folder: join(cwd, "my-app"), outcome };
}

/** A copy of the created project, to be changed at will. */
export async function copyProject(): Promise<Project> {
  const { folder } = await createOnce();
  const copy = join(createFolder("project"), "my-app");
  cpSync(folder, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith(join("my-app", ".git")),
  });
  return openProject(copy);
}

export function openProject(folder: string): Project {
  const env = isolatedEnvironment();
  const read = (file: string): string => readFileSync(join(folder, file), "utf8");
  const write = (file: string, text: string): void => writeWhole(join(folder, file), text);
  const spawnFramework: Project["spawnFramework"] = (words, options = {}) =>
    run([process.execPath, "vendor/framework", ...words], { cwd: folder, env, ...options });
  return {
    folder,
    read,
    write,
    remove: (file) => rmSync(join(folder, file)),
    edit(file, before, after) {
      const text = read(file);
      if (!text.includes(before)) throw new Error(`${file} has no ${JSON.stringify(before)}:\n${text}`);
      write(
        file,
        text.replace(before, () => after),
      );
    },
    has: (file) => existsSync(join(folder, file)),
    tree: () => readTree(folder),
    framework: (words) => (runsInProcess(words) ? runInProcess(words, folder) : spawnFramework(words)),
    spawnFramework,
  };
}

function readTree(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((file) => !/^(?:\.git|node_modules|vendor)\//.test(file))
    .sort();
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}
