/** The servers that are compared, and how they are started. */

import { join } from "node:path";
import { Problem } from "#runtime/problem";
import { installLocked } from "../../e2e/harness/package.ts";
import { freePort } from "../../e2e/harness/port.ts";
import { type RunningServer, serve } from "../../e2e/harness/server.ts";
import { createFolder, REPOSITORY } from "../../e2e/harness/workspace.ts";
import { currentFramework } from "../built-server.ts";
import { buildOurs } from "./ours.ts";
import { onProcessor } from "./processors.ts";

/** node:http by hand. */
export const RAW = "raw";
export const OURS = "convention-app";
/** The first once more, and last in each round: how far the two are apart is the noise. */
export const RAW_AGAIN = "raw-again";

/** Its app is that of `hono`; only what checks a body is another. */
export const HONO_TYPEBOX = "hono-typebox";

/** In the order in which they take their turns; the first is what the others are held against. */
export const SERVERS: readonly string[] = [
  RAW,
  OURS,
  "fastify",
  "hono",
  HONO_TYPEBOX,
  "h3",
  "express",
  "polka",
  "elysia",
  RAW_AGAIN,
];

/** Those that can write a line for each request. */
export const LOGGING: readonly string[] = [OURS, "fastify"];

const PEERS = join(REPOSITORY, "bench/http/peers");

/** Installs the peers, if they are not there. */
export async function installPeers(): Promise<string> {
  if (await installLocked(PEERS)) return PEERS;
  throw new Problem("The peers could not be installed.", "`npm ci` in bench/http/peers tells why.");
}

export interface Candidate {
  readonly name: string;
  /** The file that Node is started with. */
  readonly file: string;
  /** It writes a line for each request. */
  readonly isLogged: boolean;
}

/**
 * Makes the files that are not there yet.
 *
 * @param names of {@link SERVERS}.
 * @param frameworks folders with a runtime to build ours with; with none it is that of this repository, and each after
 *   the first makes a server of its own, so that a change can be held against what was before.
 * @param isLogged once more those that can write a line for each request, and do.
 */
export async function prepareServers(
  names: readonly string[],
  frameworks: readonly string[],
  isLogged: boolean,
): Promise<Candidate[]> {
  const peers = await installPeers();
  const candidates = await Promise.all(
    names.map(async (name): Promise<Candidate[]> => {
      if (name === OURS) return prepareOurs(frameworks, isLogged);
      return [{ name, file: join(peers, `${name === RAW_AGAIN ? RAW : name}.mjs`), isLogged }];
    }),
  );
  return candidates.flat();
}

async function prepareOurs(given: readonly string[], isLogged: boolean): Promise<Candidate[]> {
  const frameworks = given.length === 0 ? [await currentFramework()] : given;
  return Promise.all(
    frameworks.map(async (framework, at) => ({
      name: at === 0 ? OURS : `${OURS} ${at + 1}`,
      file: await buildOurs(framework, isLogged),
      isLogged,
    })),
  );
}

export interface Started extends Pick<RunningServer, "url" | "stop"> {
  readonly name: string;
  readonly pid: number;
  readonly isLogged?: boolean;
}

/**
 * Its output goes through a pipe to a reader of its own, as under a container runtime. The first line, with the address, is printed on.
 * The arguments are the path of the pipe, and then the words of the server, which keeps the process id.
 */
const THROUGH_PIPE = `mkfifo "$0"
{ head -n 1; exec ${onProcessor("load", ["cat"]).join(" ")} > /dev/null; } < "$0" &
exec "$@" > "$0"`;

/** Starts them all, on the one processor: who is not asked does nothing. */
export async function startServers(node: string, candidates: readonly Candidate[]): Promise<Started[]> {
  const started: Started[] = [];
  for (const { name, file, isLogged } of candidates) {
    const port = String(await freePort());
    const settings = { NODE_ENV: "production", HOST: "127.0.0.1", PORT: port, ACCESS_LOG: String(isLogged) };
    const words = onProcessor("server", [node, file]);
    const piped = ["sh", "-c", THROUGH_PIPE, join(createFolder("log"), "pipe"), ...words];
    const server = await serve(PEERS, isLogged ? piped : words, settings);
    if (server.pid === undefined) throw new Error(`${name} was not started.`);
    started.push({ name, pid: server.pid, url: server.url, stop: server.stop, isLogged });
  }
  return started;
}
