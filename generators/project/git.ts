/** Starts a repository with one commit, where git is present and the project is not in a repository already. Never fails the run. */

import { existsSync, rmSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** `initialised`: a repository, but no commit, for instance because git does not know the user's name. */
export type GitOutcome = "committed" | "initialised" | "failed";

/** git's variables that point to another repository, as in a hook, where ours would land in that one. */
const REPOSITORY_VARIABLES =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|NAMESPACE|PREFIX|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES)$/;

const TIMEOUT = 30_000;

/** Half of the time of a first commit is compression; git compresses all of it when it first packs. */
const UNCOMPRESSED = ["-c", "core.looseCompression=0"] as const;

/** @returns the absolute path of git; relative entries of PATH are passed over, so that no file of the folder we are in is run */
export function findGit(environment: Environment): string | undefined {
  const file = process.platform === "win32" ? "git.exe" : "git";
  const folders = (environment.PATH ?? environment.Path ?? "").split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, file)).find((path) => isFile(path));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** True when the folder or one above it has a `.git` (a file, in worktrees and submodules). */
export function isInRepository(directory: string): boolean {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return true;
    if (dirname(folder) === folder) return false;
  }
}

export async function startRepository(
  git: string,
  directory: string,
  message: string,
  environment: Environment,
): Promise<GitOutcome> {
  const { spawnSync } = await import("node:child_process");
  const env = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !REPOSITORY_VARIABLES.test(name)),
  );
  const run = (...words: string[]): boolean =>
    spawnSync(git, words, { cwd: directory, env, stdio: "ignore", timeout: TIMEOUT }).status === 0;
  if (!run("init", "--quiet")) {
    rmSync(join(directory, ".git"), { recursive: true, force: true });
    return "failed";
  }
  return run(...UNCOMPRESSED, "add", "--all") && run("commit", "--quiet", "--message", message)
    ? "committed"
    : "initialised";
}
