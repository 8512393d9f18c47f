/**
 * Serves a project in a worker of `framework dev`. It starts warm, with everything loaded but the project, and then does what its
 * supervisor asks: it loads the project, takes connections, and ends.
 */

import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import type { Server as HttpServer } from "node:http";
import inspector from "node:inspector";
import nodeModule, { createRequire } from "node:module";
import type { Socket } from "node:net";
import { join, sep } from "node:path";
import { duplexPair } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
// Only to have it loaded: the project will import it.
import "#runtime/index";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { explain } from "#convention/explain/explain";
import { formatExplanation } from "#convention/explain/prose";
import { DATABASE_FOLDER, MAIN_FILE } from "#convention/layout";
import type { Project } from "#convention/project";
import { createCoreApp } from "#runtime/app";
import { setLaunch } from "#runtime/launch";
import type { Address } from "#runtime/node/listen";
import { useFront, useTransport } from "#runtime/node/server";
import { DEFAULT_SETTINGS } from "#runtime/settings";
import { createLiveDocs } from "../contract/docs/live.ts";
import { loadEnvironment } from "../environment.ts";
import { type BoundRoutes, bindRoutes, formatSlow, loadCors, loadFiles, SLOW_MS } from "../load/load.ts";
import { nothingServed, runMainFile } from "../load/main-file.ts";
import { registerModules } from "../load/modules.ts";
import { ProjectError } from "../load/project-error.ts";
import { isOfProgram } from "../load/sources.ts";
import { adviseOnPairs } from "./advice.ts";
import { warmFile } from "./cache.ts";
import { drain, followSupervisor, isDraining } from "./drain.ts";
import { createFront } from "./front.ts";
import { LazyRoutes } from "./lazy-routes.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { toReport } from "./report.ts";
import { createDevLog } from "./request-log.ts";
import { createResults } from "./results.ts";
import { watchUndeclared } from "./undeclared.ts";

/** Loading the rest would slow down the answers to clients that waited for the change. */
const IDLE_AFTER_MS = 50;

/** How long a project may take to call `app.listen()`, once its main file has run. */
const LISTEN_LIMIT_MS = 2_000;

const [root = process.cwd(), colors, debuggable, cache = ""] = process.argv.slice(2);
const hasColors = colors === "color";
/** Node knows modules by their paths without links, and the supervisor by those below its root. */
const REAL_ROOT = realpathSync(root) + sep;

let httpServer: HttpServer | undefined;

process.on("message", (message: ToWorker, socket?: Socket) => {
  if (message.kind === "load") void load(message.project, message.first);
  else if (message.kind === "connection") take(message.id, socket);
  else if (message.kind === "declared") results.learn(message.route, message.declared);
  else {
    // The answer to `drain` comes before its end, too: the supervisor kills a worker that is silent.
    send({ kind: "pong" });
    if (message.kind === "drain") void drain();
  }
});
followSupervisor();
// If nobody reads the output any more, printing an error about it would fail again, without end.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

/** Node's cache of compiled modules, with the types erased. It came with Node 22.10, so older types do not have it. */
const compileCache = nodeModule as { enableCompileCache?(folder: string): void; flushCompileCache?(): void };

const commonjs = createRequire(import.meta.url);

const log = createDevLog(hasColors);
setLaunch({ dev: true, log });
const results = createResults((route) => send({ kind: "asks", route }), report);
/** Resolves when everything but the project is loaded. */
export const ready: Promise<void> = warmUp();

async function warmUp(): Promise<void> {
  await registerModules({ keepsColumns: true, onImport: noteImport });
  // The first TypeScript file costs tens of milliseconds more, but not if it came from the cache.
  // The system may have cleared its temporary files, which is no reason to fail.
  await import(pathToFileURL(warmFile(cache)).href).catch(() => {});
  compileCache.enableCompileCache?.(cache);
  await rehearse();
  // Kysely is hundreds of modules. They do nothing by being loaded, so it makes no difference that app.ts has not run yet.
  if (existsSync(join(root, DATABASE_FOLDER))) await import("#runtime/database").catch(() => {});
}

/** @returns the next server that listens in this process. Its connections come from the supervisor. */
function nextServer(): Promise<{ server: HttpServer; address: Address }> {
  return new Promise((resolve) => {
    useTransport(async (server, address) => {
      resolve({ server, address });
      return address;
    });
  });
}

/**
 * Answers a request, so that the first one of the project does not wait until Node has compiled what each request runs.
 * That takes 10 of the 70 ms from an edit to its answer.
 */
async function rehearse(): Promise<void> {
  const next = nextServer();
  useFront((app, host) => createFront(app, [host]));
  const silent = { info: () => {}, error: () => {} };
  const app = createCoreApp([], { settings: DEFAULT_SETTINGS, dev: true, log: silent });
  const [opened, { server }] = await Promise.all([app.listen(), next]);
  const [client, socket] = duplexPair();
  server.emit("connection", socket);
  client.resume().end("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  // With a connection that is open, the server would take 50 ms to close.
  await once(socket, "close");
  await opened.close();
}

function send(message: FromWorker): void {
  process.send?.(message);
}

/** Files that are imported, and not sent yet: hundreds of messages would cost more than the modules. */
let imported: string[] = [];

function noteImport(url: string): void {
  try {
    const path = fileURLToPath(url);
    if (path.startsWith(join(cache, sep))) return;
    const shown = path.startsWith(REAL_ROOT) ? join(root, path.slice(REAL_ROOT.length)) : path;
    if (imported.push(shown) === 1) setImmediate(sendImports);
  } catch {
    // The URL does not name a file of this system: importing it fails as well.
  }
}

function sendImports(): void {
  if (imported.length > 0) send({ kind: "imports", paths: imported });
  imported = [];
}

function take(id: number, socket: Socket | undefined): void {
  send({ kind: "taken", id });
  // The client may have left while its socket was on the way.
  if (socket) httpServer?.emit("connection", socket);
}

function report(diagnostic: Diagnostic): void {
  console.error(toReport(new ProjectError(root, [diagnostic]), hasColors).terminal);
}

async function load(project: Project, first: readonly string[]): Promise<void> {
  await ready;
  // From now on the supervisor expects answers.
  send({ kind: "pong" });
  // Before the project runs: its loading may be what to debug.
  if (debuggable) openDebugger();
  const routes = new LazyRoutes(project, bind);
  try {
    const address = await serveProject(project, routes, first);
    isSlow = false;
    send({ kind: "served", address });
    await new Promise((resolve) => setTimeout(resolve, IDLE_AFTER_MS));
    await routes.loadRest(isDraining);
    if (isSlow) send({ kind: "served", address });
    sendRequired();
    // Node itself would only do it when the process ends: the next worker may be loading by then.
    setImmediate(() => compileCache.flushCompileCache?.());
  } catch (error) {
    sendRequired();
    send({ kind: "refused", report: toReport(error, hasColors), failed: [...routes.failed] });
  }
}

async function bind(part: Project): Promise<BoundRoutes> {
  const { routes, unmatched } = await bindRoutes(part, sendSlow, (inputs, route) =>
    watchUndeclared(inputs, route, (line) => log.info({ message: `  ${line}` })),
  );
  return { routes: routes.map((bound) => results.hold(adviseOnPairs(bound, log))), unmatched };
}

async function serveProject(
  project: Project,
  routes: LazyRoutes,
  first: readonly string[],
): Promise<Address> {
  loadEnvironment(root, "development");
  const { settings } = project;
  setLaunch({
    explainMiss: (method, path) => formatExplanation(explain(project, method, path)),
    async loadProject(isWhole) {
      const loaded = await routes.load((file) => isWhole || first.includes(file));
      const docs = createLiveDocs(project, { dev: true });
      const [cors, files] = [await loadCors(project), await loadFiles(project, true)];
      return { ...loaded, settings, cors, docs, files };
    },
  });
  useFront((app, host) => createFront(app, [...(project.dev?.hosts ?? []), host]));
  const listening = nextServer();
  const slow = setTimeout(() => sendSlow(formatSlow(routes.current ?? MAIN_FILE)), SLOW_MS);
  await runMainFile(root).finally(() => clearTimeout(slow));
  sendRequired();
  const { server, address } = await Promise.race([listening, refuseSilence()]);
  httpServer = server;
  // The server stops then. The channel to the supervisor must not keep the process, so that it is replaced.
  process.on("uncaughtException", () => void drain());
  return address;
}

/** The supervisor answers requests by itself, until it hears that all is loaded. */
let isSlow = false;

function sendSlow(what: string): void {
  if (!isSlow) send({ kind: "slow", what });
  isSlow = true;
}

/** Before Node 22.15 the module hooks see what is imported, but not what is required. */
function sendRequired(): void {
  for (const path of Object.keys(commonjs.cache)) {
    const { href } = pathToFileURL(path);
    if (isOfProgram(href)) noteImport(href);
  }
  sendImports();
}

/** @throws after a while: if the main file does not listen, every request would wait for ever. */
function refuseSilence(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(nothingServed()), LISTEN_LIMIT_MS).unref();
  });
}

/** Takes any free port: the supervisor listens on the one that the user wants, and connects it to this one. */
function openDebugger(): void {
  inspector.open(0, "127.0.0.1");
  send({ kind: "debuggable", port: Number(new URL(inspector.url() ?? "").port) });
}
