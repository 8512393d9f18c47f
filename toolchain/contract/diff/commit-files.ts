/** The project's files as a commit has them, read from git's objects: nothing is checked out. */

import { posix, relative, sep } from "node:path";
import { VENDORED_FOLDER } from "#convention/layout";
import { createDisk, createFilesOf, type Entry, type Files } from "#convention/source/files";
import { isInstalled } from "#convention/source/packages";
import { Problem } from "#runtime/problem";
import { listTree, type Repository, readObjects } from "./repository.ts";

const LINK = "120000";
const SUBMODULE = "160000";

/** What the reading of a project asks for, as a rule: all of it comes in one go. */
const LIKELY = /(?:\.m?[jt]s|\.toml|(?:^|\/)(?:package|tsconfig)\.json)$/;
const UNLIKELY = ["node_modules", VENDORED_FOLDER, "dist"].map((folder) => `/${folder}/`);

const LFS = "version https://git-lfs.github.com/spec/";

/** As Linux has it. */
const MOST_LINKS = 40;

export function createCommitFiles(repository: Repository, commit: string): Files {
  const { prefix } = repository;
  const objects = new Map<string, Buffer>();
  const entries = listTree(repository, commit);
  const folders = toFolders(entries.keys());
  const links = [...entries].flatMap(([path, { mode }]) => (mode === LINK ? [path] : []));
  /** No commit has what is installed: types of packages are read as they are now. */
  const disk = createDisk(repository.root);

  /** @returns the path in the repository without links in it; undefined for one that leaves it. */
  function locate(file: string): string | undefined {
    const path = posix.join(prefix, file).replace(/\/$/, "");
    return follow(path === "." ? "" : path);
  }

  function follow(path: string, steps = 0): string | undefined {
    if (path.startsWith("..") || steps > MOST_LINKS) return undefined;
    const link = links.find((one) => path === one || path.startsWith(`${one}/`));
    if (link === undefined) return path;
    const target = readPath(link)?.toString() ?? "";
    if (posix.isAbsolute(target)) return undefined;
    return follow(
      posix.join(posix.dirname(link), target, path.slice(link.length)).replace(/\/$/, ""),
      steps + 1,
    );
  }

  function readPath(path: string): Buffer | undefined {
    const object = entries.get(path)?.object;
    if (object === undefined) return undefined;
    if (!objects.has(object)) preload(path, object);
    return objects.get(object);
  }

  /** The first file of the project brings the others along; so does the first of any other folder. */
  function preload(path: string, object: string): void {
    const folder = path.startsWith(prefix) ? prefix : `${posix.dirname(path)}/`;
    const wanted = new Set([object]);
    for (const [file, entry] of entries) {
      if (entry.mode === SUBMODULE || objects.has(entry.object) || !file.startsWith(folder)) continue;
      if (entry.mode === LINK || isLikely(file)) wanted.add(entry.object);
    }
    for (const [name, bytes] of readObjects(repository, [...wanted])) objects.set(name, bytes);
  }

  function kindOf(path = ".."): Entry["kind"] {
    const mode = entries.get(path)?.mode;
    if (mode === SUBMODULE || folders.has(path)) return "folder";
    return mode === undefined ? "other" : "file";
  }

  return createFilesOf({
    bytes(file) {
      if (isInstalled(file)) return disk.bytes(file);
      const path = locate(file);
      if (path === undefined) return undefined;
      if (kindOf(path) === "folder") return "it is not a file";
      const bytes = readPath(path);
      if (bytes?.toString("latin1", 0, LFS.length) !== LFS) return bytes;
      throw new Problem(
        `${file} is in Git LFS, so git has only a pointer to its text.`,
        "Keep source files out of LFS: git lfs untrack",
      );
    },
    has: (file) => (isInstalled(file) ? disk.has(file) : kindOf(locate(file)) !== "other"),
    list(folder) {
      const path = locate(folder);
      const names = path === undefined ? undefined : folders.get(path);
      return [...(names ?? [])].map((name): Entry => {
        const inner = path === "" ? name : `${path}/${name}`;
        const isLink = entries.get(inner)?.mode === LINK;
        return { name, kind: kindOf(follow(inner)), ...(isLink && { link: true }) };
      });
    },
    place(folder) {
      if (!isInstalled(folder)) return `/${locate(folder) ?? folder}`;
      // A link that an installer has made may lead to a folder of the same workspace.
      const path = relative(disk.place(""), disk.place(folder)).split(sep).join("/");
      return `/${posix.join(prefix, path)}`;
    },
  });
}

function isLikely(file: string): boolean {
  return LIKELY.test(file) && !UNLIKELY.some((folder) => `/${file}`.includes(folder));
}

/** Git has no folders, only paths. @returns the names in each folder. */
function toFolders(paths: Iterable<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const folders = new Map<string, Set<string>>([["", new Set()]]);
  for (const path of paths)
    for (let inner = path; inner !== ""; ) {
      const at = inner.lastIndexOf("/");
      const folder = inner.slice(0, Math.max(0, at));
      const names = folders.get(folder);
      names?.add(inner.slice(at + 1));
      if (names === undefined) folders.set(folder, new Set([inner.slice(at + 1)]));
      // A folder that is known is in its own.
      inner = names === undefined ? folder : "";
    }
  return folders;
}
