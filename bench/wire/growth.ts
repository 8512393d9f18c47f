/** How the time of an answer grows with the size of the body: deep and wide documents, of n, 2n and 4n. */

import type { Pool } from "undici";
import { formatTable, interleave, quantile } from "../measure.ts";

const ROUNDS = 7;

interface Growing {
  readonly name: string;
  readonly path: string;
  readonly method?: "POST" | "PUT";
  readonly type?: string;
  /** The largest. The body limit is 1 MiB. */
  readonly most: number;
  body(size: number): string;
}

const wide = (size: number, item: (at: number) => string): string =>
  Array.from({ length: size }, (_, at) => item(at)).join(",");

const CASES: readonly Growing[] = [
  {
    name: "levels of arrays, unknown",
    path: "/anything",
    most: 100_000,
    body: (size) => "[".repeat(size) + "]".repeat(size),
  },
  {
    name: "levels of objects, unknown",
    path: "/anything",
    most: 100_000,
    body: (size) => `${'{"a":'.repeat(size)}1${"}".repeat(size)}`,
  },
  {
    name: "levels of a type in itself",
    path: "/trees",
    most: 30_000,
    body: (size) => `${'{"label":"a","children":['.repeat(size)}${"]}".repeat(size)}`,
  },
  {
    name: "numbers, all different",
    path: "/numbers",
    most: 140_000,
    body: (size) => `[${wide(size, String)}]`,
  },
  {
    name: "numbers, each wrong",
    path: "/numbers",
    most: 110_000,
    body: (size) => `[${wide(size, (at) => `${at}.5`)}]`,
  },
  {
    name: "keys of a record",
    path: "/texts",
    most: 60_000,
    body: (size) => `{${wide(size, (at) => `"k${at}":"v"`)}}`,
  },
  {
    name: "keys that are not declared",
    path: "/trees",
    most: 60_000,
    body: (size) => `{${wide(size, (at) => `"k${at}":1`)}}`,
  },
  {
    name: "children",
    path: "/trees",
    most: 36_000,
    body: (size) => `{"label":"","children":[${wide(size, () => '{"label":"","children":[]}')}]}`,
  },
  {
    name: "characters with a pattern",
    path: "/texts",
    most: 1_000_000,
    body: (size) => `{"a":"${"a".repeat(size)}"}`,
  },
  {
    name: "characters of an email",
    path: "/texts",
    method: "PUT",
    most: 1_000_000,
    body: (size) => `{"email":"${"a.".repeat(size / 2)}@"}`,
  },
  {
    name: "fields of a form",
    path: "/forms",
    type: "application/x-www-form-urlencoded",
    most: 100_000,
    body: (size) => `title=a${"&tag=b".repeat(size)}`,
  },
];

export async function measureGrowth(pool: Pool): Promise<string> {
  const rows: string[][] = [];
  for (const growing of CASES) rows.push(await measureCase(pool, growing));
  const note = "Milliseconds to the answer, medians, and the status. Growth from n to 4n: 4 is linear.";
  return `${note}\n\n${formatTable(["", "4n is", "n", "2n", "4n", "growth", "status"], rows)}`;
}

async function measureCase(
  pool: Pool,
  { name, path, method = "POST", type = "application/json", most, body }: Growing,
): Promise<string[]> {
  let status = 0;
  const measures = await interleave(
    ROUNDS,
    [most / 4, most / 2, most].map((size) => {
      const request = { path, method, headers: { "content-type": type }, body: body(size) } as const;
      const run = async (): Promise<number> => {
        const started = performance.now();
        const answer = await pool.request(request);
        await answer.body.text();
        status = answer.statusCode;
        return performance.now() - started;
      };
      return { name: String(size), run };
    }),
  );
  const medians = measures.map(({ times }) => quantile(times, 0.5));
  const [first = Number.NaN, , last = Number.NaN] = medians;
  return [
    name,
    most.toLocaleString("en"),
    ...medians.map((time) => time.toFixed(1)),
    (last / first).toFixed(1),
    String(status),
  ];
}
