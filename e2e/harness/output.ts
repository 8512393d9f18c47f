/** What a process prints, as it comes, and what to wait for in it. */

import type { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { LIMIT_MS } from "./limit.ts";

export interface Output {
  /** Both streams in the order of their coming, without colours. */
  text(): string;
  stdout(): string;
  stderr(): string;
  /** Resolves when the text, from what an earlier wait took on, has the pattern. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  /** Nothing more will come: the waits that are left stay unsettled, and hold nothing open. */
  end(): void;
}

export function collectOutput(streams: { readonly stdout: Readable; readonly stderr: Readable }): Output {
  /** Of both in the order of their coming, and of each, without colours. */
  let all = "";
  const of = { stdout: "", stderr: "" };
  const waiting = new Map<() => void, NodeJS.Timeout>();
  let taken = 0;
  for (const name of ["stdout", "stderr"] as const) {
    streams[name].setEncoding("utf8").on("data", (chunk: string) => {
      const plain = stripVTControlCharacters(chunk);
      all += plain;
      of[name] += plain;
      for (const look of waiting.keys()) look();
    });
  }
  const text = (): string => all;
  return {
    text,
    stdout: () => of.stdout,
    stderr: () => of.stderr,
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        // It also holds the run open, as a process that was let go of does not.
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(
            new Error(
              `${pattern} was not printed within ${LIMIT_MS} ms. What was printed:\n${shorten(text())}`,
            ),
          );
        }, LIMIT_MS);
        const look = (): void => {
          const found = pattern.exec(text().slice(taken));
          if (found === null) return;
          taken += found.index + found[0].length;
          waiting.delete(look);
          clearTimeout(timer);
          resolve(found);
        };
        waiting.set(look, timer);
        look();
      }),
    end() {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}

const SHOWN_LENGTH = 2000;

/** For messages: a process that fails again and again would bury the report of the test that it failed. */
export function shorten(text: string): string {
  return text.length <= SHOWN_LENGTH
    ? text
    : `${text.slice(0, SHOWN_LENGTH)}\n… of ${text.length} characters`;
}
