/** The project's files as a commit has them, read from git's objects: nothing is checked out. */

import { posix, relative, sep } from "node:path";
import { VENDORED_FOLDER } from "#convention/layout";
import { createDisk, createFilesOf, type Entry, type Files } from "#convention/source/files";
import { isInstalled } from "#convention/source/packages";
import { listTree, type Repository, readObjects } from "./git.ts";

const LINK = "120000";
const SUBMODULE = "160000";

/** What the reading of a project asks for, as a rule: all of it comes in one go. */
const LIKELY = /(?:\.m?[jt]s|\.toml|(?:^|\/)(?:package|tsconfig)\.json)$/;
const UNLIKELY = new RegExp(`(?:^|/)(?:node_modules|${VENDORED_FOLDER}|dist)/`);

const LFS = "version https://git-lfs.github.com/spec/";

/** As Linux has it. */
const MOST_LINKS = 40;

export function createCommitFiles(repository: Repository, commit: string): Files {
  const { prefix, root } = repository;
  const objects = new Map<string, Buffer>();
  const entries = listTree(repository, commit);
  const folders = toFolders(entries.keys());
  const links = [...entries].flatMap(([path, { mode }]) => (mode === LINK ? [path] : []));
  /** No commit has what is installed: types of packages are read as they are now. */
  const disk = createDisk(root);

  /** @returns the path in the repository without links in it; undefined for one that leaves it. */
  function locate(file: string): string | undefined {
    return follow(posix.join(prefix, file));
  }

  function follow(given: string, steps = 0): string | undefined {
    const path = given.replace(/\/$/, "").replace(/^\.$/, "");
    if (path.startsWith("..") || steps > MOST_LINKS) return undefined;
    const link = links.find((one) => path === one || path.startsWith(`${one}/`));
    if (link === undefined) return path;
    const target = readPath(link)?.toString() ?? "";
    if (posix.isAbsolute(target)) return undefined;
    return follow(posix.join(posix.dirname(link), target, path.slice(link.length)), steps + 1);
  }

  /** The first file of the project brings the others along; so does the first of any other folder. */
  function readPath(path: string): Buffer | undefined {
    const object = entries.get(path)?.object;
    if (object === undefined || objects.has(object)) return objects.get(object ?? "");
    const folder = path.startsWith(prefix) ? prefix : `${posix.dirname(path)}/`;
    const wanted = [...entries].flatMap(([file, { mode, object: other }]) => {
      const isLikely = mode === LINK || (LIKELY.test(file) && !UNLIKELY.test(file));
      return isLikely && mode !== SUBMODULE && file.startsWith(folder) && !objects.has(other) ? [other] : [];
    });
    for (const [name, bytes] of readObjects(repository, [...new Set([object, ...wanted])]))
      objects.set(name, bytes);
    return objects.get(object);
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
      return bytes?.toString("latin1", 0, LFS.length) === LFS
        ? "git has only a pointer to it (Git LFS)"
        : bytes;
    },
    has: (file) => (isInstalled(file) ? disk.has(file) : kindOf(locate(file)) !== "other"),
    list(folder) {
      const path = locate(folder) ?? "..";
      return [...(folders.get(path) ?? [])].map((name): Entry => {
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

/** Git has no folders, only paths. @returns the names in each folder. */
function toFolders(paths: Iterable<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const folders = new Map<string, Set<string>>([["", new Set()]]);
  for (const path of paths) {
    const names = path.split("/");
    for (const [depth, name] of names.entries()) {
      const folder = names.slice(0, depth).join("/");
      folders.set(folder, (folders.get(folder) ?? new Set()).add(name));
    }
  }
  return folders;
}
