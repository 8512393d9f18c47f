/** Two suites that probe a server's HTTP/1.1 over raw sockets, each run with its own tool and judged by its own report. */

import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Outcome } from "./main.ts";
import { fetchSource } from "./sources.ts";

/** Deno by DENO, or as `deno` on the path (npm has it: `npm install deno`). */
export async function probeByDeno(url: string): Promise<Outcome> {
  const { hostname, port } = new URL(url);
  const script = join(await fetchSource("h1spec-unetworking"), "http_test.ts");
  const words = ["run", "--allow-net", "--no-check", script, hostname, port];
  const output = await run(process.env.DENO ?? "deno", words);
  return toOutcome(output, /^[✅❌]/u, /^❌/u);
}

export async function probeByPython(url: string): Promise<Outcome> {
  const { host } = new URL(url);
  const code = "import h1spec; h1spec.main()";
  const folder = await fetchSource("h1spec-dropseed");
  const output = await run("python3", ["-c", code, "--strict", host], folder);
  return toOutcome(output, /^\s*[✓✔✗✘]/u, /^\s*[✗✘]/u);
}

function toOutcome(output: string, isCase: RegExp, isFailure: RegExp): Outcome {
  const lines = output.replace(/\u001b\[[0-9;]*m/g, "").split("\n");
  const cases = lines.filter((line) => isCase.test(line));
  return { cases: cases.length, failures: cases.filter((line) => isFailure.test(line)) };
}

function run(program: string, words: readonly string[], cwd?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (text) => {
        output += text;
      });
    }
    child.on("error", reject).on("close", () => resolve(output));
  });
}
