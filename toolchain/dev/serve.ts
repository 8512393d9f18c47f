/**
 * Serves a project in a worker of `framework dev`. It starts warm, with everything loaded but the project, and then does what its
 * supervisor asks: it loads the project, takes connections, and ends.
 */

import { once } from "node:events";
import { existsSync, realpathSync, writeFileSync } from "node:fs";
import type { Server as HttpServer } from "node:http";
import inspector from "node:inspector";
import nodeModule, { createRequire } from "node:module";
import type { Socket } from "node:net";
import { join, sep } from "node:path";
import { duplexPair } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
// Only to have it loaded: the project will import it.
import "#runtime/index";
import type { Declared } from "#convention/contract/declared";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { explain } from "#convention/explain/explain";
import { formatExplanation } from "#convention/explain/prose";
import { DATABASE_FOLDER } from "#convention/layout";
import type { Project } from "#convention/project";
import { createCoreApp } from "#runtime/app";
import { setLaunch } from "#runtime/launch";
import type { Address } from "#runtime/node/listen";
import { useFront, useTransport } from "#runtime/node/server";
import { DEFAULT_SETTINGS } from "#runtime/settings";
import { createLiveDocs } from "../contract/docs/live.ts";
import { loadEnvironment } from "../environment.ts";
import { type BoundRoutes, bindRoutes, loadCors, loadFiles } from "../load/load.ts";
import { nothingServed, runMainFile } from "../load/main-file.ts";
import { registerModules } from "../load/modules.ts";
import { formatError, ProjectError } from "../load/project-error.ts";
import { isOfProgram } from "../load/sources.ts";
import { drain, followSupervisor, isDraining } from "./drain.ts";
import { createFront } from "./front.ts";
import { LazyRoutes } from "./lazy-routes.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { createDevLog } from "./request-log.ts";
import { watchResults } from "./results.ts";
import { watchUndeclared } from "./undeclared.ts";

/** Loading the rest would slow down the answers to clients that waited for the change. */
const IDLE_AFTER_MS = 50;

/** How long a project may take to call `app.listen()`, once its main file has run. */
const LISTEN_LIMIT_MS = 2_000;

const [root = process.cwd(), colors, debuggable, cache = ""] = process.argv.slice(2);
const hasColors = colors === "color";
/** Node knows modules by their paths without links, and the supervisor by those below its root. */
const REAL_ROOT = realpathSync(root) + sep;
const WARM_FILE = join(cache, "warm.mts");

let httpServer: HttpServer | undefined;

/** By the route, what waits for the supervisor to say what its handler returns. */
const asked = new Map<string, (declared: Declared | undefined) => void>();

process.on("message", (message: ToWorker, socket?: Socket) => {
  if (message.kind === "load") void load(message.project, message.first);
  else if (message.kind === "connection") take(message.id, socket);
  else if (message.kind === "declared") asked.get(message.route)?.(message.declared);
  else {
    send({ kind: "draining" });
    void drain();
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
/** Resolves when everything but the project is loaded. */
export const ready: Promise<void> = warmUp();

async function warmUp(): Promise<void> {
  await registerModules(noteImport);
  if (cache !== "") await warmEraser();
  await rehearse();
  // Kysely is hundreds of modules. They do nothing by being loaded, so it makes no difference that app.ts has not run yet.
  if (existsSync(join(root, DATABASE_FOLDER))) await import("#runtime/database").catch(() => {});
}

/** Node compiles its eraser of types piece by piece: what is in this text is ready when a project's file is loaded. */
const WARM_TEXT = `import type { Stats } from "node:fs";
export interface Item { readonly id: number }
export const get = async ({ id }: Item, size: number = 1): Promise<Item[]> => [{ id: id + size }] as Item[];
`;

/** The first TypeScript file costs tens of milliseconds more, but not if it came from the cache. */
async function warmEraser(): Promise<void> {
  try {
    writeFileSync(WARM_FILE, WARM_TEXT);
    await import(pathToFileURL(WARM_FILE).href);
  } catch {
    // The system may have cleared its temporary files, which is no reason to fail.
  }
  compileCache.enableCompileCache?.(cache);
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
    if (path === WARM_FILE) return;
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

async function load(project: Project, first: readonly string[]): Promise<void> {
  await ready;
  // Before the project runs: its loading may be what to debug.
  if (debuggable) openDebugger();
  const routes = new LazyRoutes(project, bind);
  try {
    send({ kind: "served", address: await serveProject(project, routes, first) });
    await new Promise((resolve) => setTimeout(resolve, IDLE_AFTER_MS));
    await routes.loadRest(isDraining);
    sendRequired();
    // Node itself would only do it when the process ends: the next worker may be loading by then.
    setImmediate(() => compileCache.flushCompileCache?.());
  } catch (error) {
    sendRequired();
    send({ kind: "refused", report: formatError(error, hasColors), failed: [...routes.failed] });
  }
}

async function bind(part: Project): Promise<BoundRoutes> {
  const advise = (line: string): void => log.info({ message: line });
  const { routes, unmatched } = await bindRoutes(
    part,
    (what) => send({ kind: "slow", what }),
    (inputs, route) => watchUndeclared(inputs, route, (line) => advise(`  ${line}`)),
  );
  return { routes: routes.map((bound) => watchResults(bound, { findDeclared, report, advise })), unmatched };
}

function findDeclared(route: string): Promise<Declared | undefined> {
  send({ kind: "asks", route });
  return new Promise((resolve) => asked.set(route, resolve));
}

function report(diagnostic: Diagnostic): void {
  console.error(formatError(new ProjectError(root, [diagnostic]), hasColors));
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
  await runMainFile(root);
  sendRequired();
  const { server, address } = await Promise.race([listening, refuseSilence()]);
  httpServer = server;
  // The server stops then. The channel to the supervisor must not keep the process, so that it is replaced.
  process.on("uncaughtException", () => void drain());
  return address;
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
