/** Runs bundled test files in one process: `units.ts.mjs <file> …`. */

import { relative } from "node:path";
import { run } from "uvu/run";

const [, program = "", ...files] = process.argv;
await run(files.map((file) => ({ name: relative(`${program}/../..`, file), file })));
