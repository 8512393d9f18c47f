/**
 * The process that serves a project under `framework dev`. It starts warm, with everything loaded but the project, and then does what
 * its supervisor asks: it loads the project, takes connections, and ends.
 */

import { existsSync, realpathSync } from "node:fs";
import type { Server as HttpServer } from "node:http";
import inspector from "node:inspector";
import nodeModule, { createRequire } from "node:module";
import type { Socket } from "node:net";
import { join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
// Only to have it loaded: the project will import it.
import "#runtime/index";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { explain } from "#convention/explain/explain";
import { formatExplanation } from "#convention/explain/prose";
import { DATABASE_FOLDER, MAIN_FILE } from "#convention/layout";
import type { Project } from "#convention/project";
import { type LoadedProject, setLaunch } from "#runtime/launch";
import type { Address } from "#runtime/node/listen";
import { useFront, useTransport } from "#runtime/node/server";
import { createLiveDocs } from "../contract/docs/live.ts";
import { loadEnvironment } from "../environment.ts";
import { bindRoutes, formatSlow, loadCors, runModule, SLOW_MS } from "../load/load.ts";
import { nothingServed, runMainFile } from "../load/main-file.ts";
import { registerModules } from "../load/modules.ts";
import { ProjectError } from "../load/project-error.ts";
import { mustBeReported } from "../load/sources.ts";
import { adviseOnPairs } from "./advice.ts";
import { warmFile } from "./cache.ts";
import { drain, followSupervisor, isDraining } from "./drain.ts";
import { createFront } from "./front.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { Parts } from "./parts.ts";
import { applyChange } from "./project-change.ts";
import { rehearse } from "./rehearsal.ts";
import { toReport } from "./report.ts";
import { createDevLog } from "./request-log.ts";
import { createResults } from "./results.ts";
import { watchUndeclared } from "./undeclared.ts";

/** Loading the rest would slow down the answers to those who waited for the change. */
const BEHIND_MS = 50;

/** A worker that has waited for so long rehearses. */
const REHEARSAL_MS = 400;

/** How long a project may take to call `app.listen()`, once its main file has run. */
const LISTEN_LIMIT_MS = 2_000;

const [root = process.cwd(), colors, debuggable, cache = ""] = process.argv.slice(2);
const hasColors = colors === "color";
/** Node knows modules by their URLs without links. */
const ROOT_URL = `${pathToFileURL(realpathSync(root)).href}/`;

const listening = new Promise<{ server: HttpServer; address: Address }>((resolve) => {
  useTransport(async (server, address) => {
    resolve({ server, address });
    return address;
  });
});

/** As the supervisor has read it. */
let project: Project | undefined;
let httpServer: HttpServer | undefined;
let isOutdated = false;

process.on("message", (message: ToWorker, socket?: Socket) => {
  if (message.kind === "project") project = applyChange(project, message.change);
  else if (message.kind === "load") void load(message.first);
  else if (message.kind === "outdated") isOutdated = true;
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
const ready = warmUp();
let rehearsal: Promise<void> | undefined;
/** In a burst of saves no worker waits for so long: there the processor has more to do than to rehearse. */
const idle = setTimeout(() => {
  // It only saves time, whatever may go wrong with it.
  rehearsal = ready.then(() => rehearse(cache, (small) => bindRoutes(small), project)).catch(() => {});
}, REHEARSAL_MS).unref();

async function warmUp(): Promise<void> {
  await registerModules({ keepsColumns: true, imports: { root: ROOT_URL, onImport: sendImport } });
  // The first TypeScript file costs tens of milliseconds more, but not if it came from the cache.
  // The system may have cleared its temporary files, which is no reason to fail.
  await import(pathToFileURL(warmFile(cache)).href).catch(() => {});
  compileCache.enableCompileCache?.(cache);
  // Kysely is hundreds of modules. They do nothing by being loaded, so it makes no difference that app.ts has not run yet.
  if (existsSync(join(root, DATABASE_FOLDER))) await import("#runtime/database").catch(() => {});
}

function send(message: FromWorker): void {
  process.send?.(message);
}

function sendImport(url: string): void {
  try {
    const path = fileURLToPath(url);
    if (!path.startsWith(join(cache, sep))) send({ kind: "import", path });
  } catch {
    // The URL does not name a file of this system: importing it fails as well.
  }
}

function take(id: number, socket: Socket | undefined): void {
  send({ kind: "taken", id });
  // The client may have left while its socket was on the way.
  if (socket) httpServer?.emit("connection", socket);
}

function report(diagnostic: Diagnostic): void {
  console.error(toReport(new ProjectError(root, [diagnostic]), hasColors).terminal);
}

async function load(first: readonly string[] | undefined): Promise<void> {
  clearTimeout(idle);
  await ready;
  await rehearsal;
  // Before the project runs: its loading may be what to debug.
  if (debuggable) openDebugger();
  if (project === undefined) throw new Error("The worker was not given a project to load.");
  const parts = createParts(project);
  try {
    send({ kind: "served", address: await serveProject(project, parts, first) });
    await new Promise((resolve) => setTimeout(resolve, BEHIND_MS));
    await parts.loadRest(() => isOutdated || isDraining());
    sendRequired();
    // Node itself would only do it when the process ends: the next worker may be loading by then.
    setImmediate(() => compileCache.flushCompileCache?.());
  } catch (error) {
    send({ kind: "refused", report: toReport(error, hasColors), failed: parts.failed });
  }
}

function createParts(project: Project): Parts {
  return new Parts(project, {
    async bind(part) {
      const { routes, unmatched } = await bindRoutes(part, sendSlow, (inputs, route) =>
        watchUndeclared(inputs, route, (line) => log.info({ message: `  ${line}` })),
      );
      return { routes: routes.map((bound) => results.hold(adviseOnPairs(bound, log))), unmatched };
    },
    run: (file) => runModule(root, file, sendSlow),
  });
}

async function serveProject(
  project: Project,
  parts: Parts,
  first: readonly string[] | undefined,
): Promise<Address> {
  loadEnvironment(root, "development");
  const table = project.routes;
  const explainMiss = (method: string, path: string) => formatExplanation(explain(table, method, path));
  setLaunch({ explainMiss });
  useFront((app, host) => createFront(app, [...(project.dev?.hosts ?? []), host]));
  await runProject(project, parts, first);
  sendRequired();
  const { server, address } = await Promise.race([listening, refuseSilence()]);
  httpServer = server;
  // The server stops then. The channel to the supervisor must not keep the process, so that it is replaced.
  process.on("uncaughtException", () => void drain());
  return address;
}

/** The main file has the handlers loaded. It is reported if it takes long. */
async function runProject(
  project: Project,
  parts: Parts,
  first: readonly string[] | undefined,
): Promise<void> {
  let slow = startTimer();
  const loadProject = async (isWhole: boolean): Promise<LoadedProject> => {
    clearTimeout(slow);
    const loaded = await parts.load(isWhole ? undefined : first);
    slow = startTimer();
    const { settings } = project;
    return {
      ...loaded,
      settings,
      cors: await loadCors(project),
      docs: createLiveDocs(project, { dev: true }),
    };
  };
  setLaunch({ loadProject });
  try {
    await runMainFile(root);
  } finally {
    clearTimeout(slow);
  }

  function startTimer(): NodeJS.Timeout {
    return setTimeout(() => sendSlow(formatSlow(MAIN_FILE)), SLOW_MS);
  }
}

function sendSlow(what: string): void {
  send({ kind: "slow", what });
}

/** Before Node 22.15 the module hooks see what is imported, but not what is required. */
function sendRequired(): void {
  for (const path of Object.keys(commonjs.cache)) {
    const { href } = pathToFileURL(path);
    if (mustBeReported(href, ROOT_URL)) sendImport(href);
  }
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
