/** From nothing to the first answer: `npm create` with a cold cache, then the server, until a request is a 200. */

import { request } from "node:http";
import { join } from "node:path";
import { runWell, start } from "../e2e/harness/command.ts";
import { isolatedEnvironment } from "../e2e/harness/environment.ts";
import { freePort } from "../e2e/harness/port.ts";
import { copyProject } from "../e2e/harness/project.ts";
import { registryWithPackage } from "../e2e/harness/registry.ts";
import { createFolder } from "../e2e/harness/workspace.ts";
import { formatTable, HEADER, interleave, toRow } from "./measure.ts";

const ROUNDS = 7;
const LIMIT_MS = 20_000;

export async function benchServe(): Promise<string> {
  const { url } = await registryWithPackage();
  const { folder } = await copyProject();
  const measures = await interleave(ROUNDS, [
    { name: "npm create, npm run dev → 200", run: () => fromNothing(url, "dev") },
    { name: "npm create, npm start → 200", run: () => fromNothing(url, "start") },
    { name: "npm run dev → 200", run: () => untilAnswered(["npm", "run", "dev"], folder) },
    { name: "npm start → 200", run: () => untilAnswered(["npm", "start"], folder) },
    {
      name: "framework dev → 200",
      run: () => untilAnswered([process.execPath, "vendor/framework", "dev"], folder),
    },
    {
      name: "framework start → 200",
      run: () => untilAnswered([process.execPath, "vendor/framework", "start"], folder),
    },
  ]);
  const note = "The npm cache is cold in each round; the port is asked again and again without a pause.";
  return `${note}\n\n${formatTable(
    HEADER.slice(0, 3),
    measures.map((measure) => toRow(measure).slice(0, 3)),
  )}`;
}

async function fromNothing(registry: string, script: string): Promise<number> {
  const cwd = createFolder("nothing");
  const env = isolatedEnvironment(registry);
  const started = performance.now();
  await runWell(["npm", "create", "convention-app", "my-app", "--", "--yes"], { cwd, env });
  const created = performance.now() - started;
  return created + (await untilAnswered(["npm", "run", script], join(cwd, "my-app")));
}

/** @returns milliseconds from the start of the command to the first 200. The server is then stopped. */
export async function untilAnswered(words: readonly string[], cwd: string): Promise<number> {
  const port = await freePort();
  const env = { ...isolatedEnvironment(), PORT: String(port), HOST: "127.0.0.1" };
  const started = performance.now();
  const command = start(words, { cwd, env, timeout: LIMIT_MS });
  while (!(await isAnswered(port))) {
    if (performance.now() - started > LIMIT_MS)
      throw new Error(`No answer from "${words.join(" ")}":\n${command.output()}`);
  }
  const milliseconds = performance.now() - started;
  command.signalGroup("SIGTERM");
  await command.waitForEnd();
  return milliseconds;
}

function isAnswered(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ host: "127.0.0.1", port, path: "/", agent: false }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode === 200));
    });
    asked.on("error", () => resolve(false)).end();
  });
}
