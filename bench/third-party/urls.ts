/** The URL data of web-platform-tests: what we read a target as is what the URL parser reads, or we answer 400 or 404. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "./main.ts";
import { bodyOf, sendRaw, statusOf } from "./raw.ts";
import { fetchSource } from "./sources.ts";

interface UrlCase {
  readonly input: string;
  readonly pathname?: string;
}

export async function urlCases(url: string): Promise<Outcome> {
  const file = join(await fetchSource("rust-url"), "url", "tests", "urltestdata.json");
  const cases = (JSON.parse(readFileSync(file, "utf8")) as (UrlCase | string)[]).flatMap((entry) =>
    typeof entry === "string" ? [] : [entry],
  );
  // As the whole target, as a path below a route that shows it, and what the data says that the path is.
  const targets = new Set(
    cases.flatMap(({ input, pathname = "" }) => [input, `/read/${input}`, `/read${pathname}`]).map(toBytes),
  );
  const failures: string[] = [];
  for (const target of targets) {
    const answer = await sendRaw(
      url,
      `GET ${target} HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n`,
    );
    const problem = judge(target, statusOf(answer), answer);
    if (problem !== undefined) failures.push(`${JSON.stringify(target)}: ${problem}`);
  }
  return { cases: targets.size, failures };
}

/** What a client without manners would put on the wire: UTF-8, byte by byte. */
function toBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}

function judge(target: string, status: number, answer: string): string | undefined {
  if (status === 400 || status === 404 || status === 405) return undefined;
  if (status !== 200) return `status ${status}`;
  const body = bodyOf(answer);
  if (!body.startsWith("{")) return undefined;
  const { url, values } = JSON.parse(body) as { url: string; values: readonly string[] };
  const parsed = new URL(url);
  const expected = new URL(target.startsWith("/") ? `http://a.example${target}` : target);
  if (parsed.host !== expected.host) return `the host is ${parsed.host}, not ${expected.host}`;
  if (parsed.pathname !== expected.pathname)
    return `the path is ${parsed.pathname}, not ${expected.pathname}`;
  const read = parsed.pathname.replace(/\/$/, "").split("/").slice(2).map(decodeURIComponent);
  return JSON.stringify(read) === JSON.stringify(values) ? undefined : `read as ${JSON.stringify(values)}`;
}
