/** Starts a repository with one commit, where git is present and the project is not in a repository already. Never fails the run. */

import { existsSync, rmSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `unidentified`: a repository, but no commit, because git does not know the user's name; `uncommitted`: none for another
 * reason, such as a hook or a key that is not there.
 */
export type GitOutcome = "committed" | "unidentified" | "uncommitted" | "failed";

/** git's variables that point to another repository, as in a hook, where ours would land in that one. */
const REPOSITORY_VARIABLES =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|NAMESPACE|PREFIX|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES)$/;

const TIMEOUT = 30_000;

/**
 * What makes a first commit slow is a compressed file for each object. What is "big" to git goes into one pack instead; git
 * compresses that when it first repacks. It is not forced to the disk, since what it is a copy of is not either.
 */
const IN_ONE_PACK = [
  "-c",
  "core.bigFileThreshold=1",
  "-c",
  "core.compression=0",
  "-c",
  "core.fsync=none",
] as const;
/** For each of the 250 objects git asks for memory and gives it back. */
const KEEP_MEMORY = { MALLOC_TOP_PAD_: "33554432" } as const;
/** Nothing is to be tidied after one commit, and looking for it takes a process. */
const NO_UPKEEP = ["-c", "maintenance.auto=false", "-c", "gc.auto=0"] as const;

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
  const ours = Object.entries(environment).filter(([name]) => !REPOSITORY_VARIABLES.test(name));
  const env = { ...Object.fromEntries(ours), ...KEEP_MEMORY };
  const run = (...words: string[]): boolean =>
    spawnSync(git, words, { cwd: directory, env, stdio: "ignore", timeout: TIMEOUT }).status === 0;
  if (!run("init", "--quiet")) {
    rmSync(join(directory, ".git"), { recursive: true, force: true });
    return "failed";
  }
  if (run(...IN_ONE_PACK, "add", "--all") && run(...NO_UPKEEP, "commit", "--quiet", "--message", message)) {
    return "committed";
  }
  return run("var", "GIT_COMMITTER_IDENT") ? "uncommitted" : "unidentified";
}
