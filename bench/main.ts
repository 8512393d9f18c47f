/** `npm run bench`: runs every short measurement, or those that are named, and prints their tables. */

import { Problem } from "#runtime/problem";
import { UsageError } from "#toolchain/cli/command";
import { suggest } from "#toolchain/cli/suggest";
import { benchCommands } from "./commands.ts";
import { benchCreate } from "./create.ts";
import { benchDatabase } from "./database.ts";
import { benchDev } from "./dev.ts";
import { benchDiscovery } from "./discovery.ts";
import { benchEvents } from "./events.ts";
import { benchHttp } from "./http.ts";
import { benchRouter } from "./router.ts";
import { benchServe } from "./serve.ts";
import { benchSize } from "./size.ts";
import { benchStart } from "./start.ts";
import { benchWire } from "./wire/checks.ts";

const BENCHES: Readonly<Record<string, () => Promise<string>>> = {
  create: benchCreate,
  serve: benchServe,
  size: benchSize,
  commands: benchCommands,
  discovery: benchDiscovery,
  dev: benchDev,
};

/** They take long, so they run only when they are named; and they take options. */
const LONG_BENCHES: Readonly<Record<string, (options: readonly string[]) => Promise<string>>> = {
  database: benchDatabase,
  events: benchEvents,
  http: benchHttp,
  router: benchRouter,
  start: benchStart,
  wire: benchWire,
};

const words = process.argv.slice(2);
const end = words.findIndex((word) => word.startsWith("-"));
try {
  await (end === -1 ? runAll(words, []) : runAll(words.slice(0, end), words.slice(end)));
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  console.error([error.message, error.hint].filter(Boolean).join("\n"));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

async function runAll(asked: readonly string[], options: readonly string[]): Promise<void> {
  const runs = (asked.length === 0 ? Object.keys(BENCHES) : asked).map((name) => toRun(name, options));
  console.log(
    `Node ${process.version}, ${new Date().toISOString().slice(0, 10)}, ${process.platform} ${process.arch}`,
  );
  for (const { name, run } of runs) console.log(`\n## ${name}\n\n${await run()}`);
}

/** @throws {UsageError} when there is no such bench, or it does not take options. */
function toRun(name: string, options: readonly string[]): { name: string; run(): Promise<string> } {
  const long = Object.hasOwn(LONG_BENCHES, name) ? LONG_BENCHES[name] : undefined;
  if (long !== undefined) return { name, run: () => long(options) };
  const run = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  if (run === undefined) {
    const known = [...Object.keys(BENCHES), ...Object.keys(LONG_BENCHES)];
    throw new UsageError(`There is no bench ${JSON.stringify(name)}.`, suggest(name, known));
  }
  if (options.length > 0) throw new UsageError(`The bench ${name} takes no options.`);
  return { name, run };
}
