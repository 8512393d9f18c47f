/** What is in the files that have changed before: a project may write its own sources, and only a difference is a change. */

import { readFileSync, statSync } from "node:fs";
import { sep } from "node:path";
import { QUIET_MS } from "./burst.ts";

export interface Contents {
  /** Reports the file if it has changed. */
  compare(path: string): void;
  /** Forgets all files in this folder. */
  forget(folder: string): void;
  close(): void;
}

export function createContents(onChange: (path: string) => void): Contents {
  const known = new Map<string, Buffer | undefined>();
  let isClosed = false;
  return {
    compare,
    forget(folder) {
      for (const path of known.keys()) if (path.startsWith(folder + sep)) known.delete(path);
    },
    close() {
      isClosed = true;
    },
  };

  function compare(path: string): void {
    const before = known.get(path);
    const content = readContent(path);
    if (known.has(path) && isSameContent(before, content)) return;
    if (before?.length && content?.length === 0) {
      // Somebody may have cut it off to write it again.
      setTimeout(() => compareEmpty(path), QUIET_MS);
      return;
    }
    known.set(path, content);
    onChange(path);
  }

  function compareEmpty(path: string): void {
    if (isClosed) return;
    if (readContent(path)?.length === 0) known.delete(path);
    compare(path);
  }
}

/** @returns undefined if there is no such file. */
function readContent(path: string): Buffer | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function isSameContent(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other);
}
