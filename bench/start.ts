/** From the start of a built server to its first answer, beside a bare node:http server with the same routes. */

import { join } from "node:path";
import { builtCopy } from "../e2e/harness/build.ts";
import { REPOSITORY } from "../e2e/harness/workspace.ts";
import { buildServer, currentFramework } from "./built-server.ts";
import { formatTable, HEADER, interleave, toRow } from "./measure.ts";
import { chooseNodes } from "./nodes.ts";
import { parseOptions, toCount } from "./options.ts";
import { untilAnswered } from "./serve.ts";
import { type Size, sourcesOf } from "./sized-project.ts";

const ROUNDS = 25;
const RAW = join(REPOSITORY, "bench/start.raw.js");
const HANDLERS = 1_000;

export async function benchStart(words: readonly string[]): Promise<string> {
  const options = parseOptions(words, ["node", "rounds"]);
  const rounds = toCount(options, "rounds", ROUNDS);
  const { folder } = await builtCopy();
  const typed = await buildSized({ typed: true });
  const shared = await buildSized({ shared: true });
  const rows: string[][] = [];
  for (const { path, version } of await chooseNodes(options.node ?? [])) {
    const measures = await interleave(rounds, [
      { name: `${version} node:http by hand`, run: () => untilAnswered([path, RAW], folder) },
      { name: `${version} the same again (noise)`, run: () => untilAnswered([path, RAW], folder) },
      { name: `${version} dist/server.js`, run: () => untilAnswered([path, "dist/server.js"], folder) },
      {
        name: `${version} with ${HANDLERS.toLocaleString("en")} typed handlers`,
        run: () => untilAnswered([path, typed], folder),
      },
      {
        name: `${version} with ${HANDLERS.toLocaleString("en")} handlers behind a guard and 3 providers`,
        run: () => untilAnswered([path, shared], folder),
      },
    ]);
    rows.push(...measures.map((measure) => toRow(measure, measures[0])));
  }
  return formatTable(HEADER, rows);
}

/** @returns the file to run. */
async function buildSized(kind: Partial<Size>): Promise<string> {
  const index = "export function get() {\n  return {};\n}\n";
  const sources = sourcesOf({ handlers: HANDLERS, apps: 50, ...kind });
  return buildServer(await currentFramework(), { ...sources, "routes/index.ts": index });
}
