/** Runs every check of the repository and ends with the true counts over all of them. */

import { spawn } from "node:child_process";

interface Check {
  readonly name: string;
  readonly script: string;
  /** Reads how many tests ran; a check without it counts as one. */
  readonly count?: (output: string) => Counts | undefined;
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

const CHECKS: readonly Check[] = [
  { name: "lint", script: "lint" },
  { name: "types", script: "typecheck" },
  { name: "build", script: "build" },
  { name: "unit", script: "unit", count: countUvu },
  { name: "e2e", script: "e2e", count: countUvu },
];

const totals = { passed: 0, failed: 0 };
for (const check of CHECKS) {
  process.stdout.write(`\n── ${check.name}\n`);
  const { status, output } = await runScript(check.script);
  const { passed, failed } = toCounts(check, status, output);
  totals.passed += passed;
  totals.failed += failed;
}
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed\n`);
process.exitCode = totals.failed === 0 ? 0 : 1;

/** A check that fails without saying how many tests failed, or that ran none at all, is one failure. */
function toCounts(check: Check, status: number, output: string): Counts {
  const counts = check.count ? check.count(output) : { passed: status === 0 ? 1 : 0, failed: 0 };
  if (counts === undefined || (check.count && counts.passed + counts.failed === 0))
    return { passed: 0, failed: 1 };
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** uvu closes with `Total:` (those that ran) and `Passed:`. A failure's text may hold such lines of another run: the last count. */
function countUvu(output: string): Counts | undefined {
  const total = [...output.matchAll(/Total:\s+(\d+)/g)].at(-1)?.[1];
  const passed = [...output.matchAll(/Passed:\s+(\d+)/g)].at(-1)?.[1];
  if (total === undefined || passed === undefined) return undefined;
  return { passed: Number(passed), failed: Number(total) - Number(passed) };
}

function runScript(script: string): Promise<{ status: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("npm", ["run", "--silent", script], {
      stdio: ["ignore", "pipe", "inherit"],
      shell: process.platform === "win32",
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk;
      process.stdout.write(chunk);
    });
    child.on("error", reject);
    child.on("close", (status) => resolve({ status: status ?? 1, output }));
  });
}
