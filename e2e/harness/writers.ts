/** Many who write at once, each on a connection of its own and one request after the other; and what each was answered. */

import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { LIMIT_MS } from "./limit.ts";

export interface Write {
  /** `POST /ledger/` */
  readonly line: string;
  readonly body: unknown;
}

export interface Written {
  readonly body: unknown;
  /** 0 where the connection broke before an answer: then it may be written or not. */
  readonly status: number;
  readonly answer: string;
}

/**
 * @param next what a writer sends as its so-manieth, from 0; undefined ends it. A broken connection ends it, too.
 * @returns all that was sent, in the order of its answers.
 */
export async function writeAtOnce(
  url: string,
  writers: number,
  next: (writer: number, number: number) => Write | undefined,
): Promise<Written[]> {
  const written: Written[] = [];
  const write = async (writer: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let number = 0; ; number++) {
      const wanted = next(writer, number);
      if (wanted === undefined) break;
      const result = await send(url, wanted, agent);
      written.push(result);
      if (result.status === 0) break;
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  return written;
}

async function send(url: string, { line, body }: Write, agent: Agent): Promise<Written> {
  const [method, path = "/"] = line.split(" ");
  const settle = (status: number, answer: string): Written => ({ body, status, answer });
  try {
    return await new Promise<Written>((resolve, reject) => {
      const headers = { "content-type": "application/json" };
      const asked = request(new URL(path, url), { method, agent, headers, timeout: LIMIT_MS }, (response) => {
        text(response).then((answer) => resolve(settle(response.statusCode ?? 0, answer)), reject);
      });
      asked
        .on("error", reject)
        .on("timeout", () => asked.destroy(new Error(`no answer after ${LIMIT_MS} ms`)));
      asked.end(JSON.stringify(body));
    });
  } catch (error) {
    return settle(0, String(error));
  }
}

/** How often each status came: `{ 201: 400 }`. */
export function countStatuses(written: readonly Written[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of written) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
