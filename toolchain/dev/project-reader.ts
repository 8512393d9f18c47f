/** The thread that reads the project, as the supervisor sees it. */

import { existsSync } from "node:fs";
import { Worker as Thread } from "node:worker_threads";
import type { Declared } from "#convention/contract/declared";
import { Problem } from "#runtime/problem";
import { DEFAULT_SETTINGS } from "#runtime/settings";
import { frameworkUrl } from "../framework-folder.ts";
import { findBrokenFile } from "../load/broken-file.ts";
import type { Answered, Asked, BrokenReading, Reading } from "./messages.ts";
import { toReport } from "./report.ts";

const READER = frameworkUrl("tools/reader.js");

/** For what is young. Without a limit, Node 24 takes 40 MB more for a thousand handlers, and reads no faster. */
const LIMITS = { maxYoungGenerationSizeMb: 8 };

export interface ProjectReader {
  /**
   * One reading at a time. A reading that fails is a broken one.
   *
   * @param unproven the files that no worker has loaded well yet; undefined for all.
   */
  read(unproven: readonly string[] | undefined): Promise<Reading>;
  /** @returns undefined where the handler of the route writes no return type. */
  declaredOf(route: string): Promise<Declared | undefined>;
  /** Ends the thread. The next reading starts another, with the framework's code as it is then. */
  discard(): void;
}

export function createProjectReader(root: string, hasColors: boolean): ProjectReader {
  /** The thread answers in the order of the questions. */
  const pending: Pending[] = [];
  // It loads its modules while nobody asks yet.
  let thread: Thread | undefined = start();
  return { read, declaredOf, discard };

  async function read(unproven: readonly string[] | undefined): Promise<Reading> {
    const answer = await ask({ kind: "read", unproven }).catch(explainFault);
    if (answer.kind === "sound") return answer;
    if (!existsSync(root)) {
      return toBroken(new Problem(`The project's folder is gone: ${root}`, "Put it back."));
    }
    return answer.kind === "broken" ? answer : toBroken(new Error("The reader answered another question."));
  }

  async function declaredOf(route: string): Promise<Declared | undefined> {
    const answer = await ask({ kind: "declared", route }).catch(() => undefined);
    return answer?.kind === "declared" ? answer.declared : undefined;
  }

  /** Only a fault of the framework, or of an edit in it, ends the thread. */
  async function explainFault(error: unknown): Promise<BrokenReading> {
    const broken = await findBrokenFile(error);
    return toBroken(broken ? new Problem(broken.message, broken.hint) : error);
  }

  function toBroken(error: unknown): BrokenReading {
    return {
      kind: "broken",
      report: toReport(error, hasColors),
      address: DEFAULT_SETTINGS,
      cors: undefined,
      hosts: undefined,
      outside: [],
    };
  }

  function ask(question: Asked): Promise<Answered> {
    thread ??= start();
    thread.postMessage(question);
    return new Promise((resolve, reject) => pending.push({ resolve, reject }));
  }

  function start(): Thread {
    const started = new Thread(READER, { workerData: { root, hasColors }, resourceLimits: LIMITS });
    // One that was discarded may have sent an answer just before, and it answers none of the questions that are pending now.
    started.on("message", (answer: Answered) => started === thread && pending.shift()?.resolve(answer));
    started.on("error", (error) => started === thread && end(error));
    return started;
  }

  function end(error: unknown): void {
    thread = undefined;
    for (const { reject } of pending.splice(0)) reject(error);
  }

  function discard(): void {
    void thread?.terminate();
    end(new Error("The framework was changed while the project was being read."));
  }
}

interface Pending {
  resolve(answer: Answered): void;
  reject(error: unknown): void;
}
