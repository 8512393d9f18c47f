/** For tests: a folder of their own with the files of a project in it. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";

export type ProjectFiles = Readonly<Record<string, string | Uint8Array>>;

/** @returns its path without links in it; whoever makes it removes it. */
export function createFolder(files: ProjectFiles = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "framework-")));
  writeFiles(root, files);
  return root;
}

export function writeFiles(root: string, files: ProjectFiles): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
}

/** Every file with its text, without what the commands keep for themselves in `.framework/`. */
export function readFiles(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const texts = files.map(({ parentPath, name }): [string, string] => {
    const path = join(parentPath, name);
    return [relative(root, path).split(sep).join("/"), readFileSync(path, "utf8")];
  });
  return Object.fromEntries(texts.filter(([file]) => !file.startsWith(".framework/")).sort());
}
