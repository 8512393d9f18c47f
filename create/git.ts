/** Starts a repository with one commit, where git is present and the project is not in a repository already. Never fails the run. */

import { accessSync, constants, existsSync, rmSync, statSync } from "node:fs";
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
 * Nothing is forced to the disk, as what it is a copy of is not either. git compresses what it packs later, and nothing is to be
 * tidied after one commit: looking for it takes a process.
 */
const QUICKLY = ["core.fsync=none", "core.compression=0", "maintenance.auto=false", "gc.auto=0"].flatMap(
  (setting) => ["-c", setting],
);
/** For each object git asks for memory and gives it back. */
const KEEP_MEMORY = { MALLOC_TOP_PAD_: "33554432" } as const;

/** @returns the absolute path of git; relative entries of PATH are passed over, so that no file of the folder we are in is run */
export function findGit(environment: Environment): string | undefined {
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

/** True when the folder or one above it has a `.git` (a file, in worktrees and submodules). */
export function isInRepository(directory: string): boolean {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return true;
    if (dirname(folder) === folder) return false;
  }
}

export interface RepositoryInput {
  /** The path of git. */
  readonly git: string;
  readonly directory: string;
  readonly message: string;
  readonly environment: Environment;
  /** Puts objects that are known to be needed into the repository, given as its `.git`. */
  readonly addObjects: (repository: string) => void;
}

export async function startRepository(input: RepositoryInput): Promise<GitOutcome> {
  const { git, directory, message, environment } = input;
  const { spawnSync } = await import("node:child_process");
  const ours = Object.entries(environment).filter(([name]) => !REPOSITORY_VARIABLES.test(name));
  const env = { ...Object.fromEntries(ours), ...KEEP_MEMORY };
  const repository = join(directory, ".git");
  const run = (...words: string[]): boolean => {
    try {
      return spawnSync(git, words, { cwd: directory, env, stdio: "ignore", timeout: TIMEOUT }).status === 0;
    } catch {
      // Node was told to let nothing be started: --permission.
      return false;
    }
  };
  if (!run("init", "--quiet")) {
    rmSync(repository, { recursive: true, force: true });
    return "failed";
  }
  input.addObjects(repository);
  if (run(...QUICKLY, "add", "--all") && run(...QUICKLY, "commit", "--quiet", "--message", message)) {
    return "committed";
  }
  return run("var", "GIT_COMMITTER_IDENT") ? "uncommitted" : "unidentified";
}
