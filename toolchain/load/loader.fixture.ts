/** For tests: a process of plain Node that loads and serves one project after the other, by the built framework. It needs `dist/`. */

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";

const here = dirname(fileURLToPath(import.meta.url));
const preload = pathToFileURL(join(here, "../../dist/framework/test.js")).href;

export type ProjectFiles = Readonly<Record<string, string>>;

export type LoadAnswer =
  | {
      readonly kind: "served";
      readonly url: string;
      readonly listed: string;
      readonly status: number;
    }
  | { readonly kind: "refused"; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: "failed"; readonly message: string };

export interface Loader {
  /** Writes a project and has it loaded and served, in the place of the one before. @returns with the folder of the project. */
  load(files: ProjectFiles): Promise<LoadAnswer & { readonly root: string }>;
  stop(): void;
}

/** @param logs whether what the projects log is shown. */
export function startLoader(logs: "inherit" | "ignore" = "inherit"): Loader {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "framework-load-")));
  const child = fork(join(here, "load.child.js"), {
    execArgv: ["--import", preload],
    stdio: [logs, logs, logs, "ipc"],
  });
  const ended = once(child, "exit").then(() => {
    throw new Error("The process that loads the projects has ended. Is dist/ built? npm run build");
  });
  ended.catch(() => {});
  let count = 0;
  return {
    async load(files) {
      // A folder of its own each time: Node keeps a module that it has loaded.
      const root = join(folder, String(++count));
      for (const [file, text] of Object.entries({ "package.json": '{ "type": "module" }', ...files })) {
        mkdirSync(dirname(join(root, file)), { recursive: true });
        writeFileSync(join(root, file), text);
      }
      const answered = new Promise<LoadAnswer>((resolve) => {
        child.once("message", (answer) => resolve(answer as LoadAnswer)); // what load.child.js sends
      });
      child.send(root);
      return { root, ...(await Promise.race([answered, ended])) };
    },
    stop() {
      if (child.connected) child.disconnect();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
