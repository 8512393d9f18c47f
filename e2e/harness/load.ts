/** A bounded load of requests on connections that are kept, and what became of each of them. */

import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { LIMIT_MS } from "./limit.ts";

export interface Failure {
  readonly what: string;
  /** What the connection had answered before: the failure can only be that one's. */
  readonly before: string;
}

export interface Load {
  readonly answered: number;
  readonly failures: readonly Failure[];
  /** Resolves when so many more requests were answered. */
  answers(count: number): Promise<void>;
}

export interface LoadOptions {
  readonly connections: number;
  readonly line: string;
  /** Each connection asks until it is told to close; otherwise another one is made then. */
  readonly isLast?: boolean;
}

/** Between an answer and the next request of a connection: the load is to be bounded, and the machine is shared. */
const PAUSE_MS = 12;

/** Sends while `work` goes on. @returns what became of it, once the last answer has come. */
export async function underLoad(
  url: string,
  kinds: readonly LoadOptions[],
  work: (load: Load) => Promise<void>,
): Promise<Load> {
  const load = sendLoad(url, kinds);
  try {
    await work(load);
  } finally {
    await load.stop();
  }
  return load;
}

function sendLoad(url: string, kinds: readonly LoadOptions[]): Load & { stop(): Promise<void> } {
  const failures: Failure[] = [];
  const waiting = new Set<{ at: number; resolve: () => void }>();
  let answered = 0;
  let isStopping = false;
  const clients = kinds.flatMap((kind) => Array.from({ length: kind.connections }, () => sendForever(kind)));
  return {
    get answered() {
      return answered;
    },
    failures,
    answers: (count) => new Promise((resolve) => waiting.add({ at: answered + count, resolve })),
    async stop() {
      isStopping = true;
      await Promise.all(clients);
    },
  };

  async function sendForever({ line, isLast = false }: LoadOptions): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let before = "";
    while (!isStopping) {
      try {
        const { body, closes } = await sendOnce(url, line, agent);
        before = body;
        count();
        if (closes && isLast) break;
      } catch (error) {
        failures.push({ what: String(error), before });
        before = "";
      }
      await pause(PAUSE_MS);
    }
    agent.destroy();
  }

  function count(): void {
    answered += 1;
    for (const wait of waiting) {
      if (answered < wait.at) continue;
      waiting.delete(wait);
      wait.resolve();
    }
  }
}

/** @throws whatever is not 200. */
async function sendOnce(url: string, line: string, agent: Agent): Promise<{ body: string; closes: boolean }> {
  const [method, path = "/"] = line.split(" ");
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(new URL(path, url), { method, agent, timeout: LIMIT_MS }, resolve);
    asked.on("error", reject).on("timeout", () => asked.destroy(new Error(`no answer after ${LIMIT_MS} ms`)));
    asked.end(method === "POST" ? '{"name":"lamp"}' : undefined);
  });
  const body = await text(response);
  if ((response.statusCode ?? 0) >= 300) throw new Error(`${line}: ${response.statusCode} ${body}`);
  return { body, closes: response.headers.connection === "close" };
}
