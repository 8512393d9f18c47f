/** `npm run bench`: runs every measurement, or those that are named, and prints their tables. */

import { benchCommands } from "./commands.ts";
import { benchCreate } from "./create.ts";
import { benchDiscovery } from "./discovery.ts";
import { benchServe } from "./serve.ts";
import { benchSize } from "./size.ts";

const BENCHES: Readonly<Record<string, () => Promise<string>>> = {
  create: benchCreate,
  serve: benchServe,
  size: benchSize,
  commands: benchCommands,
  discovery: benchDiscovery,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(", ")}. There is ${Object.keys(BENCHES).join(", ")}.`);
  process.exitCode = 2;
} else {
  await runAll(asked.length === 0 ? Object.keys(BENCHES) : asked);
}

async function runAll(names: readonly string[]): Promise<void> {
  console.log(
    `Node ${process.version}, ${new Date().toISOString().slice(0, 10)}, ${process.platform} ${process.arch}`,
  );
  for (const name of names) {
    const table = await BENCHES[name]?.();
    console.log(`\n## ${name}\n\n${table}`);
  }
}
