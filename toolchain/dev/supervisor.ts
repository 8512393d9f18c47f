/**
 * The process behind `framework dev`: it keeps the port, hands each connection to the worker that serves the newest source, and
 * replaces that worker when a file changes. Meanwhile connections wait; none is refused.
 */

import { join } from "node:path";
import { PACKAGE_FILE } from "#convention/layout";
import type { Project } from "#convention/project";
import { createFiles } from "#convention/source/files";
import type { Address } from "#runtime/node/listen";
import { type CorsSettings, DEFAULT_SETTINGS } from "#runtime/settings";
import { readAddress } from "../environment.ts";
import { Changes } from "./changes.ts";
import { createConnections } from "./connections.ts";
import { reportFailure, STUCK } from "./failures.ts";
import type { BrokenReading, DevEvents, Refusal, SoundReading } from "./messages.ts";
import { createPort } from "./port.ts";
import { createProjectReader } from "./project-reader.ts";
import type { Report } from "./report.ts";
import { watchProject } from "./watch.ts";
import type { Worker, WorkerEvent } from "./worker-process.ts";
import { createWorkers } from "./workers.ts";

/** While changes never end, a new source is loaded once in so many milliseconds. */
const REST_MS = 1_000;

/** A worker that ends sooner than this after it has served is replaced after as long, so that dev does not restart without end. */
const RESTART_MS = 1_000;

export interface SupervisorOptions {
  readonly root: string;
  readonly hasColors: boolean;
  readonly spawn: () => Worker;
  /** A worker that runs already. */
  readonly first: Worker;
  readonly events: DevEvents;
}

export interface Supervisor {
  /** The worker that serves, or will. */
  readonly worker: Worker | undefined;
  /** Loads the project again. */
  reload(): void;
  /** Finishes what is in flight, and ends all that was started. */
  close(): void;
  /** Ends all at once. */
  stop(): void;
}

/** What was read, with the number of the newest change before it. */
type Found = { readonly after: number } & (BrokenReading | Sound);

type Sound = SoundReading & { readonly project: Project };

/** A worker that loads what was read. */
interface Attempt {
  readonly worker: Worker;
  readonly found: Found & Sound;
}

export function superviseProject({ root, hasColors, spawn, first, events }: SupervisorOptions): Supervisor {
  const changes = new Changes();
  let serving: Worker | undefined;
  let loading: Attempt | undefined;
  /** The address in the newest reading. */
  let wantedAddress: Address = DEFAULT_SETTINGS;
  let cors: CorsSettings | undefined;
  /** In the newest reading that has them. */
  let hosts: readonly string[] = [];
  let servedAt = Number.NEGATIVE_INFINITY;
  let isReading = false;
  /** The newest reading. */
  let newest: Found | undefined;
  /** The files that no worker has loaded well yet; undefined for all. */
  let unproven: readonly string[] | undefined;
  /** A burst of changes has ended, and is not loaded yet. */
  let mustLoad = false;
  let isClosed = false;
  let restart: NodeJS.Timeout | undefined;
  let rest: NodeJS.Timeout | undefined;

  const connections = createConnections(() => port.address);
  // A file that was saved before the client connected is noticed by then.
  const port = createPort((socket) => void setImmediate(connections.accept, socket), events.onAddressRefused);
  const workers = createWorkers(spawn, first);
  const reader = createProjectReader(root, hasColors);
  const watcher = watchProject(root, { onNotice: notice, onChange: load, onBlind: events.onBlind });
  reload();
  openEarly().catch(() => {});
  return {
    get worker() {
      return serving ?? loading?.worker;
    },
    reload,
    close,
    stop,
  };

  /** Connections wait from now on, instead of being refused until the project is read and loaded. That will report what is wrong. */
  async function openEarly(): Promise<void> {
    const { readConfig } = await import("#convention/config/config");
    const { settings } = readConfig(createFiles(root));
    if (newest === undefined) port.openEarly(readAddress(root, settings));
  }

  /** Makes connections wait, so that no answer comes from source that is gone; but not if the changes never end. */
  function notice(): void {
    changes.notice();
    if (changes.isRestless) return;
    connections.hold();
    serving?.outdate();
    // At the start, the first worker and the reader need the whole processor.
    if (newest !== undefined) workers.prepare();
    clearTimeout(restart);
    abandon();
    // While the burst may go on: mostly it does not.
    void read();
  }

  function abandon(): void {
    loading?.worker.stop();
    loading = undefined;
  }

  function reload(): void {
    notice();
    load([]);
  }

  function load(files: readonly string[]): void {
    const restless = changes.add(files);
    if (restless.length > 0) events.onRestless(restless);
    // The spares and the reader have loaded the framework, and packages that it needs, as they were before.
    if (files.some((file) => file.startsWith("vendor/") || file === PACKAGE_FILE)) {
      workers.discard();
      reader.discard();
      // What was read ahead is read again.
      changes.notice();
    }
    mustLoad = true;
    begin();
  }

  function begin(): void {
    const isBusy = isReading || loading !== undefined;
    const pause = changes.isRestless ? servedAt + REST_MS - performance.now() : 0;
    if (changes.isRestless && (isBusy || pause > 0)) {
      rest ??= setTimeout(endRest, Math.max(pause, REST_MS / 10));
      return;
    }
    abandon();
    void read();
  }

  function endRest(): void {
    rest = undefined;
    if (mustLoad) begin();
  }

  async function read(): Promise<void> {
    if (isReading) return;
    isReading = true;
    while (!isClosed && newest?.after !== changes.newest) {
      const after = changes.newest;
      const reading = await reader.read(unproven);
      for (const file of reading.outside) watcher.follow(join(root, file));
      // Also if it is never loaded, because something else has changed meanwhile.
      if (reading.kind === "sound") unproven = reading.needed?.unproven;
      newest =
        reading.kind === "sound"
          ? { ...reading, after, project: workers.learn(reading.change) }
          : { ...reading, after };
      if (changes.isRestless) break;
    }
    isReading = false;
    if (mustLoad && newest !== undefined && !isClosed) loadFound(newest);
  }

  function loadFound(found: Found): void {
    mustLoad = false;
    wantedAddress = found.address;
    cors = found.cors;
    hosts = found.hosts ?? hosts;
    if (found.kind === "broken") void fail(found.report);
    else start({ worker: workers.take(), found });
  }

  function start(attempt: Attempt): void {
    loading = attempt;
    attempt.worker.load(attempt.found.needed?.first, (event) => receive(event, attempt));
  }

  function receive(event: WorkerEvent, attempt: Attempt): void {
    const { worker } = attempt;
    if (event.kind === "import") watcher.follow(event.path);
    else if (event.kind === "asks") void declare(worker, event.route);
    else if (event.kind === "ended") {
      if (!isClosed) replace(event.how, attempt);
      for (const socket of event.left) connections.accept(socket);
    } else if (attempt === loading) receiveWhileLoading(event, attempt);
    else if (worker === serving) receiveWhileServing(event, worker);
  }

  /** Only what serves the newest reading gets an answer: the reader knows no other. */
  async function declare(worker: Worker, route: string): Promise<void> {
    const isNewest = (): boolean =>
      worker === serving && loading === undefined && changes.isSettled && !isClosed;
    if (!isNewest()) return;
    const declared = await reader.declaredOf(route);
    if (isNewest()) worker.declare(route, declared);
  }

  function receiveWhileLoading(event: WorkerEvent, attempt: Attempt): void {
    if (event.kind === "served") void take(attempt, event.address);
    else if (event.kind === "slow") failAs(event.what);
    else if (event.kind === "silent" && event.isSilent) failAs(STUCK);
    else if (event.kind === "refused") {
      abandon();
      refuse(event);
    }
  }

  function receiveWhileServing(event: WorkerEvent, worker: Worker): void {
    if (event.kind === "silent") pause(worker, event.isSilent);
    // It loads most of the project behind its answers. What it finds in files that have changed meanwhile says nothing.
    else if (!(changes.isSettled || changes.isRestless)) return;
    else if (event.kind === "slow") failAs(event.what);
    else if (event.kind === "refused") refuse(event);
  }

  /** The next worker loads before it answers what this one could not: the report is not gone for a moment. */
  function refuse({ report, failed }: Refusal): void {
    unproven = unproven && [...unproven, ...failed];
    void fail(report);
  }

  async function take(attempt: Attempt, address: Address): Promise<void> {
    await port.moveTo(address);
    if (attempt !== loading || port.address === undefined) return;
    const { worker, found } = attempt;
    serving?.drain();
    serving = worker;
    loading = undefined;
    unproven = [];
    connections.giveTo(worker.give);
    workers.refill();
    servedAt = performance.now();
    if (found.after === changes.newest) changes.settle();
    events.onServed({
      address: port.address,
      project: found.project,
      report: found.report,
      changed: changes.files,
      milliseconds: changes.age(),
    });
    changes.clear();
  }

  /** Answers every request with the report, until a change has been loaded. */
  async function fail(report: Report): Promise<void> {
    changes.settle();
    serving?.drain();
    serving = undefined;
    workers.refill();
    const { host } = port.address ?? wantedAddress;
    connections.answerError({ text: report.text, cors, hosts: [...hosts, host] });
    // The address may be one of the mistakes: what is listened on already stays.
    if (port.address === undefined) await port.moveTo(wantedAddress);
    if (port.address !== undefined) events.onFailed(report, port.address);
  }

  /** For a failure that the supervisor finds, not the worker. */
  function failAs(what: string): void {
    void fail(reportFailure(what, changes.files, hasColors));
  }

  function replace(how: string, attempt: Attempt): void {
    if (attempt === loading) {
      loading = undefined;
      failAs(`${how} while it was being loaded. Save a file to try again.`);
    } else if (attempt.worker === serving) restartProject(how);
  }

  function restartProject(how: string): void {
    serving = undefined;
    connections.hold();
    if (performance.now() - servedAt > RESTART_MS) {
      events.onRestarted(`${how}. It is being restarted.`);
      reload();
    } else {
      failAs(`${how} as soon as it was served. It is being restarted.`);
      restart = setTimeout(reload, RESTART_MS);
    }
  }

  /** A silent worker takes no connections. */
  function pause(worker: Worker, isSilent: boolean): void {
    if (isSilent) connections.hold();
    else if (changes.isSettled || changes.isRestless) connections.giveTo(worker.give);
    events.onSilent(isSilent);
  }

  function close(): void {
    isClosed = true;
    clearTimeout(restart);
    clearTimeout(rest);
    watcher.close();
    reader.discard();
    port.close();
    connections.close();
    workers.discard();
    loading?.worker.stop();
    serving?.drain();
  }

  function stop(): void {
    close();
    workers.stop();
  }
}
