/** For tests: a folder of their own with the files of a project in it. */

import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

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
