/** Asks git about the repository that a project is in. It reads objects only: no file, index or ref changes. */

import { spawnSync } from "node:child_process";
import { codeOf } from "#convention/diagnostics/system-error";
import { Problem } from "#runtime/problem";

export interface Repository {
  /** The project's folder, absolute. */
  readonly root: string;
  /** The project's folder in the repository: "" or as in "shop/". */
  readonly prefix: string;
}

/** @throws {Problem} where git is missing, refuses, or has no repository here. */
export function openRepository(root: string): Repository {
  const { status, stdout, stderr } = askGit(root, ["rev-parse", "--show-prefix"]);
  if (status !== 0) throw refuse("Git can't compare this project", stderr);
  return { root, prefix: stdout.toString().replace(/\n$/, "") };
}

/** A git hook sets these for its own repository and folder; git finds the project's by itself. */
const LOCAL_VARIABLES = /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|PREFIX)$/;

function askGit(
  cwd: string,
  words: readonly string[],
  input = "",
): { status: number | null; stdout: Buffer; stderr: string } {
  const own = Object.entries(process.env).filter(([name]) => !LOCAL_VARIABLES.test(name));
  const { error, status, stdout, stderr } = spawnSync("git", words, {
    cwd,
    env: { ...Object.fromEntries(own), LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" },
    input,
    maxBuffer: Number.POSITIVE_INFINITY,
    windowsHide: true,
  });
  if (error === undefined) return { status, stdout, stderr: stderr.toString() };
  if (codeOf(error) !== "ENOENT") throw new Problem(`Git could not be started: ${error.message}`);
  throw new Problem("Git is not installed, or not on the PATH.", "Install it: https://git-scm.com/downloads");
}

/** Git's own words: the first line, and what it advises. */
function refuse(what: string, stderr: string): Problem {
  const [line = "", ...advice] = stderr.trim().split("\n");
  return new Problem(
    `${what}: ${line.replace(/^(?:fatal|error): /, "")}`,
    advice.join("\n").trim() || undefined,
  );
}

/** @throws {Problem} for what names no commit. */
export function findCommit({ root }: Repository, ref: string): string {
  // No ref begins so, and git would take it for an option.
  const isRef = ref !== "" && !ref.startsWith("-");
  const { status, stdout } = askGit(root, [
    "rev-parse",
    "--verify",
    "--quiet",
    `${isRef ? ref : "@{"}^{commit}`,
  ]);
  if (status !== 0) throw new Problem(`Git knows no commit ${JSON.stringify(ref)}.`, FETCH);
  return stdout.toString().trim();
}

/** What actions/checkout makes, if it is not asked for more, has only one commit. */
const FETCH =
  "Name a branch, a tag or a commit. `git fetch` gets those of the remote, and `git fetch --unshallow` those before.\n" +
  "In GitHub Actions, give actions/checkout `fetch-depth: 0`.";

/** @returns the newest commit that both have in their history. */
export function findMergeBase(repository: Repository, one: string, other: string): string {
  const commits = [findCommit(repository, one), findCommit(repository, other)];
  const { status, stdout } = askGit(repository.root, ["merge-base", ...commits]);
  if (status !== 0) throw new Problem(`${one} and ${other} have no commit in common.`, FETCH);
  return stdout.toString().trim();
}

interface TreeEntry {
  /** `100644`, `100755`, `120000` for a symbolic link, `160000` for a submodule. */
  readonly mode: string;
  readonly object: string;
}

/** @returns the files of the repository, by their path. */
export function listTree({ root }: Repository, commit: string): Map<string, TreeEntry> {
  const { status, stdout, stderr } = askGit(root, ["ls-tree", "-r", "-z", "--full-tree", commit]);
  if (status !== 0) throw refuse(`Git can't list ${commit}`, stderr);
  const lines = [...stdout.toString().matchAll(/(\d+) \w+ ([0-9a-f]+)\t([^\0]+)\0/g)];
  return new Map(lines.map(([, mode = "", object = "", path = ""]) => [path, { mode, object }]));
}

const LINE_FEED = 0x0a;

/** @returns the bytes of each object, all of them from one process. */
export function readObjects({ root }: Repository, objects: readonly string[]): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  const { stdout, stderr } = askGit(root, ["cat-file", "--batch", "--buffer"], `${objects.join("\n")}\n`);
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(LINE_FEED, at);
    const [object = "", , size] = stdout.toString("latin1", at, end).split(" ");
    if (size === undefined) throw refuse(`Git has no object ${object}`, stderr);
    at = end + 1 + Number(size);
    found.set(object, stdout.subarray(end + 1, at));
    at += 1;
  }
  return found;
}
