/** The project's files as a commit has them, read from git's objects: nothing is checked out. */

import { posix, relative, sep } from "node:path";
import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { compareText } from "#convention/diagnostics/order";
import { VENDORED_FOLDER } from "#convention/layout";
import { createFiles, decodeText, type Entry, type Files } from "#convention/source/files";
import { isInstalled } from "#convention/source/packages";
import { Problem } from "#runtime/problem";
import { listTree, type Repository, readObjects, type TreeEntry } from "./repository.ts";

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
  const texts = new Map<string, string | undefined>();
  const seen: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const tree = openTree(listTree(repository, commit));
  /** No commit has what is installed: types of packages are read as they are now. */
  const installed = createFiles(repository.root);

  /** @returns the path in the repository without links in it; undefined for one that leaves it. */
  function locate(file: string): string | undefined {
    const path = posix.join(prefix, file).replace(/\/$/, "");
    return follow(path === "." ? "" : path);
  }

  function follow(path: string, links = 0): string | undefined {
    if (path.startsWith("..") || links > MOST_LINKS) return undefined;
    const link = tree.links.find((one) => path === one || path.startsWith(`${one}/`));
    if (link === undefined) return path;
    const target = bytesOf(link)?.toString() ?? "";
    if (posix.isAbsolute(target)) return undefined;
    const next = posix.join(posix.dirname(link), target, path.slice(link.length)).replace(/\/$/, "");
    return follow(next, links + 1);
  }

  function bytesOf(path: string): Buffer | undefined {
    const object = tree.entries.get(path)?.object;
    if (object === undefined) return undefined;
    if (!objects.has(object)) preload(path, object);
    return objects.get(object);
  }

  /** The first file of the project brings the others along; so does the first of any other folder. */
  function preload(path: string, object: string): void {
    const folder = path.startsWith(prefix) ? prefix : `${posix.dirname(path)}/`;
    const wanted = new Set([object]);
    for (const [file, entry] of tree.entries) {
      if (entry.mode === SUBMODULE || objects.has(entry.object) || !file.startsWith(folder)) continue;
      if (entry.mode === LINK || isLikely(file)) wanted.add(entry.object);
    }
    for (const [name, bytes] of readObjects(repository, [...wanted])) objects.set(name, bytes);
  }

  function load(file: string): string | undefined {
    const path = locate(file);
    if (path === undefined) return undefined;
    const entry = tree.entries.get(path);
    if (entry === undefined ? tree.folders.has(path) : entry.mode === SUBMODULE) {
      diagnostics.push(diagnose("FW113", { file, why: "it is not a file" }, startOf(file)));
      return undefined;
    }
    const bytes = bytesOf(path);
    if (bytes === undefined) return undefined;
    if (bytes.toString("latin1", 0, LFS.length) === LFS)
      throw new Problem(
        `${file} is in Git LFS, so git has only a pointer to its text.`,
        "Keep source files out of LFS: git lfs untrack",
      );
    const text = decodeText(file, bytes);
    if (typeof text === "string") return text;
    diagnostics.push(text);
    return undefined;
  }

  /** Where a link leads that an installer has made, as to a folder of the same workspace. */
  function placeOfPackage(folder: string): string {
    const path = relative(installed.place(""), installed.place(folder)).split(sep).join("/");
    return posix.join(prefix, path);
  }

  function kindOf(path: string | undefined): Entry["kind"] {
    if (path === undefined) return "other";
    const mode = tree.entries.get(path)?.mode;
    if (mode === undefined) return tree.folders.has(path) ? "folder" : "other";
    return mode === SUBMODULE ? "folder" : "file";
  }

  return {
    read(file) {
      if (texts.has(file)) return texts.get(file);
      const text = isInstalled(file) ? installed.read(file) : load(file);
      texts.set(file, text);
      if (text !== undefined) seen.push(file);
      return text;
    },
    has(file) {
      return isInstalled(file) ? installed.has(file) : kindOf(locate(file)) !== "other";
    },
    list(folder) {
      const path = locate(folder);
      const names = path === undefined ? undefined : tree.folders.get(path);
      return [...(names ?? [])].sort(compareText).map((name): Entry => {
        const inner = path === "" ? name : `${path}/${name}`;
        const isLink = tree.entries.get(inner)?.mode === LINK;
        return { name, kind: kindOf(follow(inner)), ...(isLink && { link: true }) };
      });
    },
    place: (folder) => `/${isInstalled(folder) ? placeOfPackage(folder) : (locate(folder) ?? folder)}`,
    seen,
    diagnostics,
  };
}

function isLikely(file: string): boolean {
  return LIKELY.test(file) && !UNLIKELY.some((folder) => `/${file}`.includes(folder));
}

interface Tree {
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** The names in each folder. */
  readonly folders: ReadonlyMap<string, ReadonlySet<string>>;
  /** The paths of the symbolic links. */
  readonly links: readonly string[];
}

function openTree(entries: ReadonlyMap<string, TreeEntry>): Tree {
  const folders = new Map<string, Set<string>>();
  for (const path of entries.keys()) addToFolder(folders, path);
  const links = [...entries].filter(([, { mode }]) => mode === LINK).map(([path]) => path);
  return { entries, folders, links };
}

/** Git has no folders, only paths. */
function addToFolder(folders: Map<string, Set<string>>, path: string): void {
  const at = path.lastIndexOf("/");
  const folder = path.slice(0, Math.max(0, at));
  const names = folders.get(folder);
  if (names) names.add(path.slice(at + 1));
  else folders.set(folder, new Set([path.slice(at + 1)]));
  if (names === undefined && folder !== "") addToFolder(folders, folder);
}
