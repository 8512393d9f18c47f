/** Starts a repository with one commit, if git is there and the project is not in a repository already. Never fails the run. */

import { type SpawnOptions, spawn } from "node:child_process";
import { accessSync, constants, existsSync, rmSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";

/** These of git's variables point to another repository: in a hook, our commit would land there. */
const REPOSITORY_VARIABLES =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|NAMESPACE|PREFIX|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES)$/;

const TIMEOUT = 30_000;

/**
 * For one new commit. Nothing is forced to the disk or compressed: git does that when it packs. Since every file counts as large, `git add`
 * writes one pack and not an object a file: 80 ms of processor time instead of 350. Without maintenance, no process outlives the commit.
 */
const QUICKLY = [
  "core.fsync=none",
  "core.compression=0",
  "core.bigFileThreshold=1",
  "maintenance.auto=false",
];

/** @returns the absolute path of git; relative entries of PATH are ignored, so that no program in the current folder is run */
export function findGit(environment: NodeJS.ProcessEnv): string | undefined {
  const file = process.platform === "win32" ? "git.exe" : "git";
  const folders = (environment.PATH ?? environment.Path ?? "").split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, file)).find((path) => isProgram(path));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** True if the folder or one above it has a `.git` (a file, in worktrees and submodules). */
export function isInRepository(directory: string): boolean {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return true;
    if (dirname(folder) === folder) return false;
  }
}

export interface RepositoryInput {
  /** Its path, if there is one. */
  readonly git: string | undefined;
  /** Of the project, absolute. */
  readonly directory: string;
  readonly message: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** @returns whether there is a commit; undefined if there is no git, or the project is in a repository already */
export async function startRepository(input: RepositoryInput): Promise<boolean | undefined> {
  const { git, directory, message, environment } = input;
  if (git === undefined || isInRepository(directory)) return undefined;
  const kept = Object.entries(environment).filter(([name]) => !REPOSITORY_VARIABLES.test(name));
  const options = { cwd: directory, env: Object.fromEntries(kept) };
  const run = (...words: string[]): Promise<boolean> => succeeds(git, words, options);
  if (!(await run("init", "--quiet"))) {
    rmSync(join(directory, ".git"), { recursive: true, force: true });
    return false;
  }
  const settings = QUICKLY.flatMap((setting) => ["-c", setting]);
  const isAdded = await run(...settings, "add", "--all");
  return isAdded && run(...settings, "commit", "--quiet", "--message", message);
}

function succeeds(program: string, words: readonly string[], options: SpawnOptions): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const child = spawn(program, words, { ...options, stdio: "ignore", timeout: TIMEOUT });
      child.once("error", () => resolve(false)).once("exit", (status) => resolve(status === 0));
    } catch {
      // With --permission, Node may not start a program.
      resolve(false);
    }
  });
}
