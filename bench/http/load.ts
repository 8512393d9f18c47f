/** Sends one case to a server for some seconds, by wrk on a processor of its own. */

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Problem } from "#runtime/problem";
import { runWell } from "../../e2e/harness/command.ts";
import { isolatedEnvironment } from "../../e2e/harness/environment.ts";
import { createFolder, REPOSITORY } from "../../e2e/harness/workspace.ts";
import type { Case } from "./cases.ts";
import { onProcessor } from "./processors.ts";

export interface Load {
  readonly requests: number;
  readonly microseconds: number;
  /** Microseconds from a request to its answer: half of them took less. */
  readonly p50: number;
  readonly p99: number;
}

/** What `load.lua` writes. */
interface Report extends Load {
  /** Answers with a status of 400 or more. */
  readonly refused: number;
  readonly broken: number;
}

/** Over the time of the load itself. */
const GRACE_MS = 30_000;
const SCRIPT = join(REPOSITORY, "bench/http/load.lua");

/** @throws {Problem} where no load can be made. */
export function requireLoadTools(): void {
  for (const tool of ["wrk", "taskset"]) {
    if (spawnSync(tool, ["--version"]).error === undefined) continue;
    throw new Problem(
      `${tool} is missing: the servers are measured by it.`,
      `On Debian and Ubuntu: apt-get install ${tool === "wrk" ? "wrk" : "util-linux"}`,
    );
  }
  if (availableParallelism() < 2) {
    throw new Problem("There is one processor only: the server and its load need one each.");
  }
}

/** Writes the bodies to files, because a megabyte is too long for a command line. */
export function createLoad(
  cases: readonly Case[],
): (url: string, asked: Case, seconds: number) => Promise<Load> {
  const folder = createFolder("bodies");
  for (const { name, body } of cases) if (body !== undefined) writeFileSync(join(folder, name), body);
  return async (url, asked, seconds) => {
    const headers = Object.entries(asked.headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    const amount = ["-t1", `-c${asked.connections}`, `-d${seconds}s`, "--latency"];
    const body = asked.body === undefined ? [] : [asked.name];
    const { stdout } = await runWell(
      onProcessor("load", [
        ...["wrk", ...amount, ...headers, "-s", SCRIPT],
        ...[`${url}${asked.path}`, "--", asked.method, ...body],
      ]),
      { cwd: folder, env: isolatedEnvironment(), timeout: seconds * 1000 + GRACE_MS },
    );
    return readReport(stdout, asked);
  };
}

/** @throws when not every answer was the one that is wanted: refusing a request is less work than serving it. */
function readReport(output: string, asked: Case): Load {
  const report = JSON.parse(output.slice(output.lastIndexOf("\n{"))) as Report;
  const refused = asked.status < 400 ? 0 : report.requests;
  if (report.requests > 0 && report.refused === refused && report.broken === 0) return report;
  throw new Error(`Not every request of "${asked.name}" was answered with ${asked.status}:\n${output}`);
}
