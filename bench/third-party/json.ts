/** JSONTestSuite by Nicolas Seriot: what a JSON parser must accept (y_), must refuse (n_), and may do as it likes with (i_). */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import type { Outcome } from "./main.ts";
import { fetchSource } from "./sources.ts";

const WANTED: Readonly<Record<string, (status: number) => boolean>> = {
  y: (status) => status === 200,
  n: (status) => status === 400,
  i: (status) => status === 200 || status === 400,
};

export async function jsonCases(url: string): Promise<Outcome> {
  const folder = join(await fetchSource("JSONTestSuite"), "test_parsing");
  const failures: string[] = [];
  const files = readdirSync(folder).filter((file) => /^[yni]_.*\.json$/.test(file));
  for (const file of files) {
    const body = readFileSync(join(folder, file));
    const answer = await request(`${url}/json`, { method: "POST", body });
    const text = await answer.body.text();
    const isWanted = WANTED[file.charAt(0)]?.(answer.statusCode);
    const isTrue =
      answer.statusCode !== 200 ||
      text === JSON.stringify({ got: JSON.parse(new TextDecoder().decode(body)) });
    if (!isWanted || !isTrue) failures.push(`${file}: ${answer.statusCode} ${text.slice(0, 100)}`);
  }
  return { cases: files.length, failures };
}
