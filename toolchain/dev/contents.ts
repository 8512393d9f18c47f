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
  const known = new Map<string, Content>();
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
    if (before !== undefined && isSameContent(before, content)) return;
    if (before?.length && content.length === 0) {
      // Somebody may have cut it off to write it again.
      setTimeout(() => compareEmpty(path), QUIET_MS);
      return;
    }
    known.set(path, content);
    onChange(path);
  }

  function compareEmpty(path: string): void {
    if (isClosed) return;
    if (readContent(path).length === 0) known.delete(path);
    compare(path);
  }
}

type Content = Buffer | "missing" | "no file";

function readContent(path: string): Content {
  try {
    return statSync(path).isFile() ? readFileSync(path) : "no file";
  } catch {
    return "missing";
  }
}

function isSameContent(one: Content, other: Content): boolean {
  return typeof one === "string" || typeof other === "string" ? one === other : one.equals(other);
}
