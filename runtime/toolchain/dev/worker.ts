/**
 * The process that serves a project under `framework dev`. It starts warm, with everything loaded but the project, loads
 * the project when it is told to, and takes its connections from the supervisor. A mistake in the project does not end it:
 * it answers every request with that mistake.
 */

import { createServer, type Server as HttpServer } from "node:http";
import type { Socket } from "node:net";
import { explain, formatExplanation } from "../../convention/explain.ts";
import { readProject } from "../../convention/project.ts";
import { closeServers, useTransport } from "../../core/node.ts";
import { Problem } from "../../core/problem.ts";
import { withEnvironment } from "../../core/settings.ts";
import { setLaunch } from "../../launch.ts";
import { loadEnvironment } from "../environment.ts";
import { loadProject } from "../load.ts";
import { nothingServed, runMainFile } from "../main-file.ts";
import { registerModules } from "../modules.ts";
import { ProjectError } from "../project-error.ts";
import { answerWithError } from "./error-answer.ts";
import type { Address, Served, ToWorker } from "./messages.ts";
import { createDevLog } from "./request-log.ts";

/** How long after its main file has run a project may take to call `app.listen()`, in milliseconds. */
const LISTEN_LIMIT_MS = 2_000;

const [root = process.cwd(), colors] = process.argv.slice(2);
const hasColors = colors === "color";

interface Listening {
  readonly server: HttpServer;
  readonly address: Address;
}

const listening = new Promise<Listening>((resolve) => {
  useTransport(async (server, address) => {
    resolve({ server, address });
    return address;
  });
});

let httpServer: HttpServer | undefined;
/** The one that tells what is wrong. It is ours alone: the project's own knows how to end its connections. */
let errorServer: HttpServer | undefined;

process.on("message", (message: ToWorker, socket?: Socket) => {
  if (message.kind === "load") void load();
  else if (message.kind === "drain") void drain();
  // The client may have gone while its socket was on the way.
  else if (socket) httpServer?.emit("connection", socket);
});

// Without a supervisor there is nobody to get a connection from. Ctrl-C reaches the whole group: the supervisor decides.
process.on("disconnect", () => void drain());
process.on("SIGINT", () => {});

setLaunch({ dev: true, log: createDevLog(hasColors) });
const warm = registerModules().then(() => {
  // What is read now is remembered file by file: after a change, only what changed is read again.
  readProject(root);
});

async function load(): Promise<void> {
  await warm;
  const served = await serveProject().catch(serveError);
  process.send?.(served);
}

async function serveProject(): Promise<Served> {
  loadEnvironment(root, "development");
  const project = await loadProject(root);
  const table = project.routes.map(({ route }) => route);
  const explainMiss = (method: string, path: string) => formatExplanation(explain(table, method, path));
  setLaunch({ project, explainMiss });
  await runMainFile(root);
  const { server, address } = await Promise.race([listening, refuseSilence()]);
  httpServer = server;
  const { apps, diagnostics, routes } = project;
  const findings = diagnostics.length === 0 ? "" : new ProjectError(root, diagnostics).format(hasColors);
  return { address, routes: routes.length, apps: apps.length, findings, failed: false };
}

/** @throws after a while: a main file that does not listen would leave every request waiting. */
function refuseSilence(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(nothingServed()), LISTEN_LIMIT_MS).unref();
  });
}

function serveError(error: unknown): Served {
  errorServer = createServer((request, response) =>
    answerWithError(request, response, describe(error, false)),
  );
  httpServer = errorServer;
  return {
    address: findAddress(),
    routes: 0,
    apps: 0,
    findings: describe(error, hasColors),
    failed: true,
  };
}

/** Where the project would have listened. A PORT that is none is what is being told: it must not stop the telling. */
function findAddress(): Address {
  const { settings } = readProject(root);
  try {
    return withEnvironment(settings, process.env);
  } catch {
    return settings;
  }
}

function describe(error: unknown, color: boolean): string {
  if (error instanceof ProjectError) return error.format(color);
  if (error instanceof Problem)
    return error.hint === undefined ? error.message : `${error.message}\n${error.hint}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** What is in flight is finished; then nothing keeps the process. */
async function drain(): Promise<void> {
  errorServer?.close();
  await closeServers();
  if (process.connected) process.disconnect();
}
