/** Sends requests that almost fit to typed handlers over a socket: none may be answered by a 5xx, be left unanswered, or end the server. */

import { Pool } from "undici";
import { Problem } from "#runtime/problem";
import { limitRun } from "../../e2e/harness/workspace.ts";
import { formatTable } from "../measure.ts";
import { parseOptions, toCount } from "../options.ts";
import { measureGrowth } from "./growth.ts";
import { type Fuzzed, makeRequest, SECRET } from "./requests.ts";
import { startTypedServer } from "./server.ts";

const COUNT = 20_000;
const AT_ONCE = 32;
/** No answer takes as long. */
const HANGS_MS = 10_000;
const LIMIT_MINUTES = 60;

export async function benchFuzz(words: readonly string[]): Promise<string> {
  const options = parseOptions(words, ["count", "seed"]);
  const count = toCount(options, "count", COUNT);
  const first = toCount(options, "seed", 1);
  limitRun(LIMIT_MINUTES);
  const server = await startTypedServer();
  const pool = new Pool(server.url, {
    connections: AT_ONCE,
    headersTimeout: HANGS_MS,
    bodyTimeout: HANGS_MS,
  });
  const statuses = await fuzz(pool, first, count);
  const growth = await measureGrowth(pool);
  await pool.close();
  await server.stop();
  const rows = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, times]) => [String(status), times.toLocaleString("en")]);
  return [
    `${count.toLocaleString("en")} requests from seed ${first}.`,
    formatTable(["status", "answers"], rows),
    growth,
  ].join("\n\n");
}

/** @returns how often each status came. @throws {Problem} with the seed of the first request whose answer is wrong. */
async function fuzz(pool: Pool, first: number, count: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let next = first;
  const send = async (): Promise<void> => {
    while (next < first + count) {
      const seed = next++;
      const status = await sendOne(pool, seed);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  return statuses;
}

async function sendOne(pool: Pool, seed: number): Promise<number> {
  const asked = makeRequest(seed);
  const { statusCode, text } = await ask(pool, asked).catch((error: unknown) => {
    throw new Problem(`There is no answer to seed ${seed}: ${error}`, describe(asked));
  });
  const wrong = judge(statusCode, text);
  if (wrong !== undefined)
    throw new Problem(`Seed ${seed}: ${wrong}: ${statusCode} ${text.slice(0, 500)}`, describe(asked));
  return statusCode;
}

async function ask(pool: Pool, asked: Fuzzed): Promise<{ statusCode: number; text: string }> {
  const answer = await pool.request(asked);
  return { statusCode: answer.statusCode, text: await answer.body.text() };
}

/** Each path and method is served, so that a 404 or 405 would tell of this bench. */
function judge(status: number, text: string): string | undefined {
  if (status >= 500) return "the server failed";
  if (status === 404 || status === 405) return "no handler was asked";
  if (status < 400) return undefined;
  if (text.includes(SECRET)) return "the answer repeats a value";
  // Node itself refuses headers that are too long.
  if (status === 431) return undefined;
  const { issues = [] } = JSON.parse(text) as { issues?: unknown[] };
  return issues.length > 20 ? "there are more than 20 issues" : undefined;
}

function describe({ method, path, headers, body = "" }: Fuzzed): string {
  return `${method} ${path} ${JSON.stringify(headers)} ${JSON.stringify(body.slice(0, 1000))}`;
}
