/** The thread that reads the project, as the supervisor sees it. */

import { Worker as Thread } from "node:worker_threads";
import { frameworkUrl } from "../framework-folder.ts";
import type { Reading } from "./messages.ts";

const READER = frameworkUrl("toolchain/dev/reader.js");

export interface ProjectReader {
  /** One reading at a time. @throws what the thread could not cope with. */
  read(): Promise<Reading>;
  /** Forgets what it knows of the framework's own code, which has changed. */
  renew(): void;
  close(): void;
}

/** Who waits for the reading. */
interface Asked {
  resolve(reading: Reading): void;
  reject(error: unknown): void;
}

export function createProjectReader(root: string, hasColors: boolean): ProjectReader {
  let thread: Thread | undefined;
  let asked: Asked | undefined;
  return { read, renew: discard, close: discard };

  function read(): Promise<Reading> {
    thread ??= start();
    thread.postMessage("read");
    return new Promise((resolve, reject) => {
      asked = { resolve, reject };
    });
  }

  function start(): Thread {
    return new Thread(READER, { workerData: { root, hasColors } })
      .on("message", (reading: Reading) => asked?.resolve(reading))
      .on("error", (error) => {
        thread = undefined;
        asked?.reject(error);
      });
  }

  function discard(): void {
    void thread?.terminate();
    thread = undefined;
    asked?.reject(new Error("The framework was changed while the project was being read."));
  }
}
