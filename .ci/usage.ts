/** Says what a check has used: `.ci/test.ts` preloads it into the check's process. */

import childProcess from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { readFileSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** What a check used, with all the processes that it waited for. */
export interface Usage {
  readonly seconds: number;
  /** That it started itself: not those that they started. */
  readonly processes: number;
}

const SYNCHRONOUS = ["spawnSync", "execFileSync", "execSync"] as const;
const TICKS_A_SECOND = 100;

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
    const usage: Usage = { seconds: readSeconds(), processes };
    writeFileSync(file, JSON.stringify(usage));
  });
}

/** Of this process and those that it has waited for: utime, stime, cutime and cstime of proc(5). Elsewhere than on Linux, its own. */
export function readSeconds(): number {
  try {
    const [, fields = ""] = readFileSync("/proc/self/stat", "utf8").split(") ");
    const ticks = fields.split(" ").slice(11, 15).map(Number);
    return ticks.reduce((sum, one) => sum + one, 0) / TICKS_A_SECOND;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}
