/** The thread that reads the project, as the supervisor sees it. */

import { existsSync } from "node:fs";
import { Worker as Thread } from "node:worker_threads";
import { Problem } from "#runtime/core/problem";
import { DEFAULT_SETTINGS } from "#runtime/core/settings";
import { frameworkUrl } from "../framework-folder.ts";
import type { Reading } from "./messages.ts";
import { toReport } from "./report.ts";

const READER = frameworkUrl("toolchain/dev/reader.js");

export interface ProjectReader {
  /** One reading at a time. A reading that fails is a broken one. */
  read(): Promise<Reading>;
  /** Ends the thread. The next reading starts another, with the framework's code as it is then. */
  discard(): void;
}

export function createProjectReader(root: string, hasColors: boolean): ProjectReader {
  let thread: Thread | undefined;
  let pending: { resolve(reading: Reading): void; reject(error: unknown): void } | undefined;
  return { read, discard };

  async function read(): Promise<Reading> {
    thread ??= start();
    thread.postMessage("read");
    const reading = new Promise<Reading>((resolve, reject) => {
      pending = { resolve, reject };
    });
    return reading.catch((error) => toBrokenReading(root, error, hasColors));
  }

  function start(): Thread {
    return new Thread(READER, { workerData: { root, hasColors } })
      .on("message", (reading: Reading) => pending?.resolve(reading))
      .on("error", (error) => {
        thread = undefined;
        pending?.reject(error);
      });
  }

  function discard(): void {
    void thread?.terminate();
    thread = undefined;
    pending?.reject(new Error("The framework was changed while the project was being read."));
  }
}

/** Only a fault of the framework, or of an edit in it, ends the thread; unless the project's folder is gone. */
function toBrokenReading(root: string, error: unknown, hasColors: boolean): Reading {
  const gone = new Problem(`The project's folder is gone: ${root}`, "Put it back, and save a file.");
  const report = toReport(existsSync(root) ? error : gone, hasColors);
  return { kind: "broken", report, address: DEFAULT_SETTINGS, cors: undefined };
}
