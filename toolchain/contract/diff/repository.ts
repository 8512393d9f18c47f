/** Asks git about the repository that a project is in. It reads objects only: no file, index or ref changes. */

import { spawnSync } from "node:child_process";
import { closest } from "#convention/diagnostics/closest";
import { codeOf } from "#convention/diagnostics/system-error";
import { Problem } from "#runtime/problem";

export interface Repository {
  /** The project's folder, absolute. */
  readonly root: string;
  /** The project's folder in the repository: "" or as in "shop/". */
  readonly prefix: string;
  /** Part of the history was not fetched. */
  readonly isShallow: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** A git hook sets these for its own repository and folder; git finds the project's by itself. */
const LOCAL_VARIABLES: readonly string[] = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_COMMON_DIR",
  "GIT_INDEX_FILE",
  "GIT_PREFIX",
];

/** @throws {Problem} where git is missing, refuses, or has no repository here. */
export function openRepository(root: string): Repository {
  // Messages are read below.
  const given = { ...process.env, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" };
  const own = Object.entries(given).filter(([name]) => !LOCAL_VARIABLES.includes(name));
  const words = ["--show-prefix", "--is-shallow-repository"];
  let refusal = "";
  for (const env of [Object.fromEntries(own), given]) {
    const { status, stdout, stderr } = askGit({ root, env }, "rev-parse", words);
    const [prefix = "", shallow] = stdout.toString().split("\n");
    if (status === 0) return { root, prefix, isShallow: shallow === "true", env };
    refusal ||= stderr;
  }
  throw explainRefusal(root, refusal);
}

function explainRefusal(root: string, stderr: string): Problem {
  if (stderr.includes("dubious ownership"))
    return new Problem(
      "Git doesn't read this repository, because another user owns it.",
      `If you trust it: git config --global --add safe.directory ${JSON.stringify(root)}`,
    );
  if (stderr.includes("not a git repository"))
    return new Problem(
      "This project is not in a git repository.",
      "Only a committed contract can be compared: git init, and commit.",
    );
  return new Problem(`Git can't read this repository: ${firstLine(stderr)}`);
}

interface Answer {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

type Place = Pick<Repository, "root" | "env">;

function askGit({ root, env }: Place, command: string, args: readonly string[], input?: string): Answer {
  const { error, status, stdout, stderr } = spawnSync("git", [command, ...args], {
    cwd: root,
    env,
    ...(input !== undefined && { input }),
    maxBuffer: Number.POSITIVE_INFINITY,
    windowsHide: true,
  });
  if (error === undefined) return { status, stdout, stderr: stderr.toString() };
  if (codeOf(error) !== "ENOENT") throw new Problem(`Git could not be started: ${error.message}`);
  throw new Problem("Git is not installed, or not on the PATH.", "Install it: https://git-scm.com/downloads");
}

function firstLine(stderr: string): string {
  const [line = ""] = stderr.replace(/^(?:fatal|error): /, "").split("\n");
  return line;
}

/** @throws {Problem} for what names no commit. */
export function findCommit(repository: Repository, ref: string): string {
  // No ref begins so, and git would take it for an option.
  if (ref === "" || ref.startsWith("-")) throw unknownRef(repository, ref);
  const { status, stdout } = askGit(repository, "rev-parse", ["--verify", "--quiet", `${ref}^{commit}`]);
  if (status !== 0) throw unknownRef(repository, ref);
  return stdout.toString().trim();
}

/** @returns the newest commit that both have in their history. */
export function findMergeBase(repository: Repository, one: string, other: string): string {
  const commits = [findCommit(repository, one), findCommit(repository, other)];
  const { status, stdout } = askGit(repository, "merge-base", commits);
  if (status === 0) return stdout.toString().trim();
  throw new Problem(
    `${one} and ${other} have no commit in common.`,
    repository.isShallow ? adviseOnShallow(one) : `Compare with ${one} itself, without the dots.`,
  );
}

function unknownRef(repository: Repository, ref: string): Problem {
  const { stdout } = askGit(repository, "for-each-ref", ["--format=%(refname:short)"]);
  const names = stdout.toString().match(/.+/g) ?? [];
  if (names.length === 0 && askGit(repository, "rev-parse", ["--verify", "--quiet", "HEAD"]).status !== 0)
    return new Problem("The repository has no commit yet.", "Commit the project first.");
  const near = names.find((name) => name.endsWith(`/${ref}`)) ?? closest(ref, names);
  const hints = [
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
    ...(repository.isShallow ? [adviseOnShallow(ref)] : []),
  ];
  const otherwise = "Name a branch, a tag or a commit. `git fetch` gets those of the remote.";
  return new Problem(`Git knows no commit ${JSON.stringify(ref)}.`, hints.join("\n") || otherwise);
}

/** What actions/checkout makes, if it is not asked for more. */
function adviseOnShallow(ref: string): string {
  const branch = ref.replace(/^origin\//, "");
  return (
    "This clone has only part of the history. In GitHub Actions, give actions/checkout `fetch-depth: 0`;\n" +
    `elsewhere: git fetch --unshallow origin, or git fetch origin ${branch}`
  );
}

interface TreeEntry {
  /** `100644`, `100755`, `120000` for a symbolic link, `160000` for a submodule. */
  readonly mode: string;
  readonly object: string;
}

/** @returns the files of the repository, by their path. */
export function listTree(repository: Repository, commit: string): Map<string, TreeEntry> {
  const words = ["-r", "-z", "--full-tree", commit];
  const { status, stdout, stderr } = askGit(repository, "ls-tree", words);
  if (status !== 0) throw new Problem(`Git can't list ${commit}: ${firstLine(stderr)}`);
  const entries = new Map<string, TreeEntry>();
  for (const line of stdout.toString().split("\0")) {
    const [, mode, object, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
    if (mode !== undefined && object !== undefined && path !== undefined) entries.set(path, { mode, object });
  }
  return entries;
}

const LINE_FEED = 0x0a;

/** @returns the bytes of each object, all of them from one process. */
export function readObjects(repository: Repository, objects: readonly string[]): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  if (objects.length === 0) return found;
  const input = objects.map((object) => `${object}\n`).join("");
  const { stdout, stderr } = askGit(repository, "cat-file", ["--batch", "--buffer"], input);
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(LINE_FEED, at);
    const [object = "", , size] = stdout.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (size === undefined) continue;
    found.set(object, stdout.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  const missing = objects.find((object) => !found.has(object));
  if (missing !== undefined)
    throw new Problem(`Git has no object ${missing}: ${firstLine(stderr)}`, "Fetch it: git fetch");
  return found;
}
