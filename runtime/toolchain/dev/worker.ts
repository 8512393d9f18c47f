/**
 * The process that serves a project under `framework dev`. It starts warm, with everything loaded but the project, loads
 * the project when it is told to, and takes its connections from the supervisor. What it can't load it tells, and serves nothing.
 */

import { realpathSync } from "node:fs";
import type { Server as HttpServer } from "node:http";
import inspector from "node:inspector";
import module, { createRequire } from "node:module";
import type { Socket } from "node:net";
import { fileURLToPath, pathToFileURL } from "node:url";
// For its own sake: what the project is going to import is loaded before there is a project.
import "#runtime/index";
import { explain, formatExplanation } from "#runtime/convention/explain/explain";
import { MAIN_FILE } from "#runtime/convention/layout";
import type { Project } from "#runtime/convention/project";
import type { Address } from "#runtime/core/node/listen";
import { closeServers, isClosedAsked, useTransport } from "#runtime/core/node/server";
import { type LoadedProject, setLaunch } from "#runtime/launch";
import { loadEnvironment } from "../environment.ts";
import { formatSlow, loadRoutes, SLOW_MS } from "../load/load.ts";
import { nothingServed, runMainFile } from "../load/main-file.ts";
import { registerModules } from "../load/modules.ts";
import { isToBeTold } from "../load/sources.ts";
import { warmFile } from "./cache.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { toReport } from "./report.ts";
import { createDevLog } from "./request-log.ts";

/** How long after its main file has run a project may take to call `app.listen()`, in milliseconds. */
const LISTEN_LIMIT_MS = 2_000;

/** What a handler has begun and not waited for, such as a write, has this long at the end of the process. */
const LAST_MOMENT_MS = 250;
/** A project that listens to SIGTERM, or has asked for `server.closed`, has this long to close what it has open. */
const CLOSING_MS = 2_000;
/** To SIGTERM, in this file. */
const OWN_LISTENERS = 1;

const [root = process.cwd(), colors, debuggable, cache = ""] = process.argv.slice(2);
const hasColors = colors === "color";
/** Modules are known by the URLs that are left when all links are followed. */
const ROOT_URL = `${pathToFileURL(realpathSync(root)).href}/`;

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
let isDraining = false;
/** By the system, so that the project has heard it. */
let wasSignalled = false;

process.on("message", (message: ToWorker, socket?: Socket) => {
  if (message.kind === "load") void load(message.project);
  else if (message.kind === "ping") tell({ kind: "pong" });
  else if (message.kind === "drain") obeyDrain();
  else take(message.id, socket);
});

// Without a supervisor there is nobody to get a connection from. What reaches the whole group, as Ctrl-C does, the supervisor decides.
process.on("disconnect", () => void drain());
for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => {});
process.on("SIGTERM", () => {
  wasSignalled = true;
});
// Nobody reads what is printed any more. To print that, too, would never end.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

/** What Node keeps from one process to the next: a file's types are taken out once. Came with Node 22.10, unknown to older types. */
const compileCache = module as { enableCompileCache?(folder: string): void; flushCompileCache?(): void };

const require = createRequire(import.meta.url);

setLaunch({ dev: true, log: createDevLog(hasColors) });
const ready = warmUp();

async function warmUp(): Promise<void> {
  await registerModules({ keepsColumns: true, imports: { root: ROOT_URL, onImport: tellImport } });
  // A first TypeScript file costs tens of milliseconds that have nothing to do with what is in it. Taken from the cache it would not.
  // That the system has cleared its temporary files is no reason not to serve.
  await import(pathToFileURL(warmFile(cache)).href).catch(() => {});
  compileCache.enableCompileCache?.(cache);
}

function tell(message: FromWorker): void {
  process.send?.(message);
}

function tellImport(url: string): void {
  try {
    const path = fileURLToPath(url);
    if (path !== warmFile(cache)) tell({ kind: "import", path });
  } catch {
    // It names no file of this system, and importing it fails as well.
  }
}

function take(id: number, socket: Socket | undefined): void {
  tell({ kind: "taken", id });
  // The client may have gone while its socket was on the way.
  if (socket) httpServer?.emit("connection", socket);
}

async function load(project: Project): Promise<void> {
  await ready;
  // Before anything of the project is run: that may be what is to be debugged.
  if (debuggable) openDebugger();
  try {
    tell({ kind: "served", address: await serveProject(project) });
    // Node would do it at the end of the process: the next worker may be loading by then.
    setImmediate(() => compileCache.flushCompileCache?.());
  } catch (error) {
    tell({ kind: "refused", report: toReport(error, hasColors) });
  }
}

async function serveProject(project: Project): Promise<Address> {
  loadEnvironment(root, "development");
  const table = project.routes;
  const explainMiss = (method: string, path: string) => formatExplanation(explain(table, method, path));
  setLaunch({ explainMiss });
  await runProject(project);
  // Before Node 22.15 the module hooks see what is imported, and not what is required.
  for (const path of Object.keys(require.cache)) {
    const { href } = pathToFileURL(path);
    if (isToBeTold(href, ROOT_URL)) tellImport(href);
  }
  const { server, address } = await Promise.race([listening, refuseSilence()]);
  // Each request comes on a connection of its own, and so by way of the supervisor: none is answered by source that is gone.
  server.maxRequestsPerSocket = 1;
  httpServer = server;
  return address;
}

/** The answer comes first: what has nothing in flight hangs up at once, and what was silent would be killed. */
function obeyDrain(): void {
  tell({ kind: "pong" });
  void drain();
}

/** The main file has the handlers loaded. What takes long is reported either way, with the name of the file. */
async function runProject(project: Project): Promise<void> {
  let slow = startTimer();
  const loadProject = async (): Promise<LoadedProject> => {
    clearTimeout(slow);
    const loaded = await loadRoutes(project, tellSlow);
    slow = startTimer();
    return loaded;
  };
  setLaunch({ loadProject });
  try {
    await runMainFile(root);
  } finally {
    clearTimeout(slow);
  }

  function startTimer(): NodeJS.Timeout {
    return setTimeout(() => tellSlow(formatSlow(MAIN_FILE)), SLOW_MS);
  }
}

function tellSlow(what: string): void {
  tell({ kind: "slow", what });
}

/** @throws after a while: a main file that does not listen would leave every request waiting. */
function refuseSilence(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(nothingServed()), LISTEN_LIMIT_MS).unref();
  });
}

/** Any port will do: the supervisor has the one that was asked for, and leads to this. */
function openDebugger(): void {
  inspector.open(0, "127.0.0.1");
  tell({ kind: "debuggable", port: Number(new URL(inspector.url() ?? "").port) });
}

/**
 * Finishes what is in flight, and then signals the project as production does, so that it closes its connections to databases
 * and the like. A process that has nothing left to do ends at once; no timer and no connection keeps another one for long.
 */
async function drain(): Promise<void> {
  if (isDraining) return;
  isDraining = true;
  await closeServers();
  const isHeard = wasSignalled || process.listenerCount("SIGTERM") > OWN_LISTENERS;
  if (!wasSignalled) process.emit("SIGTERM", "SIGTERM");
  if (process.connected) process.disconnect();
  setTimeout(() => process.exit(), isHeard || isClosedAsked() ? CLOSING_MS : LAST_MOMENT_MS).unref();
}
