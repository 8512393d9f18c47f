/** Starts the app under test and stops it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface TestServer {
  readonly url: string;
  /** What it wrote to stderr so far. */
  errors(): string;
  close(): Promise<void>;
}

/** @throws when it does not tell where it listens. */
export async function startServer(): Promise<TestServer> {
  const app = fileURLToPath(new URL("app.ts", import.meta.url));
  const program = spawn(process.execPath, ["--import", "tsx", app], { stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  program.stderr.on("data", (text) => {
    errors += text;
  });
  const { value } = await createInterface(program.stdout)[Symbol.asyncIterator]().next();
  const [, url] = /^Listening on (http:\S+)$/.exec(String(value)) ?? [];
  if (url === undefined) throw new Error(`The server did not start: ${value} ${errors}`);
  return {
    url,
    errors: () => errors,
    async close() {
      program.kill("SIGTERM");
      await once(program, "exit");
    },
  };
}
