/** Says what a check has used: `.ci/test.ts` preloads it into the check's process. */

import childProcess from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { readSeconds } from "../e2e/harness/processes.ts";

/** What a check used, with all the processes that it waited for. */
export interface Usage {
  readonly seconds: number;
  /** That it started itself: not those that they started. */
  readonly processes: number;
}

const SYNCHRONOUS = ["spawnSync", "execFileSync", "execSync"] as const;

const file = process.env.CHECK_USAGE;
if (file !== undefined) count(file);

function count(file: string): void {
  let processes = 0;
  subscribe("child_process", () => processes++);
  // Node tells nobody of these.
  const inner = childProcess as unknown as Record<string, (...words: unknown[]) => unknown>;
  for (const name of SYNCHRONOUS) {
    const run = inner[name];
    inner[name] = (...words) => {
      processes++;
      return run?.(...words);
    };
  }
  syncBuiltinESMExports();
  process.on("exit", () => {
    const usage: Usage = { seconds: readUsed(), processes };
    writeFileSync(file, JSON.stringify(usage));
  });
}

/** Seconds of this process and of those that it has waited for; elsewhere than on Linux, its own. */
export function readUsed(): number {
  try {
    const { own, started } = readSeconds("self");
    return own + started;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}
