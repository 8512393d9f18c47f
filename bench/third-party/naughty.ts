/** The Big List of Naughty Strings by Max Woolf: each as a param, which has to arrive exactly, and as JSON. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import type { Outcome } from "./main.ts";
import { bodyOf, sendRaw, statusOf } from "./raw.ts";
import { fetchSource } from "./sources.ts";

export async function naughtyCases(url: string): Promise<Outcome> {
  const file = join(await fetchSource("big-list-of-naughty-strings"), "blns.json");
  const texts: string[] = JSON.parse(readFileSync(file, "utf8"));
  const failures: string[] = [];
  for (const text of texts) {
    const target = `/read/${encodeURIComponent(text).replace(/[!'()*]/g, hex)}`;
    const answer = await sendRaw(url, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    if (!isRight(text, statusOf(answer), bodyOf(answer)))
      failures.push(`param ${JSON.stringify(text)}: ${answer.slice(0, 40)}`);
    const posted = await request(`${url}/json`, { method: "POST", body: JSON.stringify({ text }) });
    if ((await posted.body.text()) !== JSON.stringify({ got: { text } }))
      failures.push(`JSON ${JSON.stringify(text)}`);
  }
  return { cases: 2 * texts.length, failures };
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}

function isRight(text: string, status: number, body: string): boolean {
  // The empty one is the route without a param; dot segments are refused in every spelling.
  if (text === "." || text === "..") return status === 400;
  return (
    status === 200 && JSON.stringify(JSON.parse(body).values) === JSON.stringify(text === "" ? [] : [text])
  );
}
