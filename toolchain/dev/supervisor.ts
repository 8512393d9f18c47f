/**
 * The process behind `framework dev`: it keeps the port, hands each connection to the worker that serves the newest source, and
 * replaces that worker when a file changes. Meanwhile connections wait; none is refused.
 *
 *     a file changes → reading → loading → serving
 *                         └─────────┴─────────┴──→ broken
 */

import type { Socket } from "node:net";
import { join } from "node:path";
import { PACKAGE_FILE } from "#convention/layout";
import type { Project } from "#convention/project";
import { createFiles } from "#convention/source/files";
import type { Address } from "#runtime/node/listen";
import { Problem } from "#runtime/problem";
import { DEFAULT_SETTINGS } from "#runtime/settings";
import { readAddress } from "../environment.ts";
import { type Connections, createConnections } from "./connections.ts";
import type { DevEvents } from "./messages.ts";
import { Pace } from "./pace.ts";
import { createPort, type Port } from "./port.ts";
import type { readForDev, SoundReading } from "./reading.ts";
import { formatFiles, type Report, toReport } from "./report.ts";
import { ProjectWatcher } from "./watch.ts";
import type { Ended, Worker, WorkerEvent } from "./worker-process.ts";
import { Workers } from "./workers.ts";

/** While changes never end, a new source is loaded once in so many milliseconds. */
const REST_MS = 1_000;

/** A worker that ends sooner than this after it has served is replaced after as long, so that dev does not restart without end. */
const RESTART_MS = 1_000;

/** A mistake is believed if no change follows it for so long: an editor may have written half of a file, or one of two. */
const DOUBT_MS = 25;

const TOOLS = "vendor/framework/tools/";
const OWN_FILES = "Files of framework dev itself have changed. End it and start it again to use them.";

const STUCK =
  "The project does not finish loading, and its process does not answer. Is there a loop that never ends?";

export interface SupervisorOptions {
  readonly root: string;
  readonly hasColors: boolean;
  /** The file system sends no events. */
  readonly polls: boolean;
  readonly spawn: () => Worker;
  /** A worker that runs already. */
  readonly first: Worker;
  readonly events: DevEvents;
}

type State =
  /** Files have changed, and are read when the burst of changes has ended. `old` served until now. */
  | { readonly name: "reading"; readonly old: Worker | undefined }
  | {
      readonly name: "loading";
      readonly worker: Worker;
      readonly reading: SoundReading;
      readonly old: Worker | undefined;
    }
  | { readonly name: "serving"; readonly worker: Worker; readonly reading: SoundReading }
  /** Every request is answered with what is wrong. */
  | { readonly name: "broken" };

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #port: Port;
  readonly #connections: Connections;
  readonly #workers: Workers;
  readonly #watcher: ProjectWatcher;
  readonly #pace = new Pace();
  #state: State = { name: "reading", old: undefined };
  /** It loads a parser, so the first worker is started before. */
  #read: typeof readForDev | undefined;
  /** As far as it was read last. */
  #project: Project | undefined;
  /** Where the newest reading wants it to be served. */
  #address: Address = DEFAULT_SETTINGS;
  /** As in the newest `framework.toml` that could be read. */
  #hosts: readonly string[] = [];
  /** The source has changed since it was read. */
  #isStale = true;
  /** The files that have changed since a worker served. */
  readonly #changed = new Set<string>();
  /** The files that the last worker could not load. */
  #failed: readonly string[] = [];
  /** When the project was served, or its mistakes reported. */
  #answeredAt = Number.NEGATIVE_INFINITY;
  #later: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: SupervisorOptions) {
    const { root, polls, spawn, first, events } = options;
    this.#options = options;
    this.#connections = createConnections(() => this.#port.address);
    this.#port = createPort((socket) => setImmediate(() => this.#accept(socket)), events.onAddressRefused);
    this.#workers = new Workers(spawn, first);
    this.#watcher = new ProjectWatcher(root, {
      polls,
      onNotice: () => this.#notice(),
      onChange: (files) => this.#change(files),
      onBlind: events.onBlind,
    });
  }

  /** The worker that debuggers attach to. */
  get worker(): Worker | undefined {
    return servingIn(this.#state) ?? (this.#state.name === "loading" ? this.#state.worker : undefined);
  }

  /** @throws when the code that reads projects can't be loaded. */
  async start(): Promise<void> {
    const { root } = this.#options;
    // Connections wait from now on, instead of being refused until the project is read. Reading reports what is wrong with the address.
    const { readConfig } = await import("#convention/config/config");
    try {
      await this.#port.openEarly(readAddress(root, readConfig(createFiles(root)).settings));
    } catch {}
    this.#read = (await import("./reading.ts")).readForDev;
    this.reload();
  }

  /** Loads the project again. */
  reload(): void {
    this.#notice();
    this.#next();
  }

  /** Finishes what is in flight, and ends all that was started. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#later);
    this.#watcher.close();
    this.#port.close();
    this.#connections.close();
    this.#workers.discard();
    this.#abandon()?.drain();
  }

  /** Ends all at once. */
  stop(): void {
    this.close();
    this.#workers.stop();
  }

  /** A file that was saved before the client connected is noticed before the client is served. */
  #accept(socket: Socket): void {
    this.#watcher.check();
    this.#connections.accept(socket);
  }

  /** Makes connections wait, so that no answer comes from source that is gone; but not if the changes never end. */
  #notice(): void {
    this.#isStale = true;
    this.#pace.notice();
    if (this.#pace.isStorm) return;
    this.#state = { name: "reading", old: this.#abandon() };
    this.#connections.hold();
    clearTimeout(this.#later);
  }

  /** Ends the worker that loads, if one does. @returns the one that serves meanwhile. */
  #abandon(): Worker | undefined {
    if (this.#state.name === "loading") this.#state.worker.stop();
    return servingIn(this.#state);
  }

  #change(files: readonly string[]): void {
    const restless = this.#pace.add(files);
    if (restless.length > 0) this.#options.events.onRestless(restless);
    // The spare has loaded the framework, and what it needs of packages, as they were before.
    if (files.some((file) => file.startsWith("vendor/") || file === PACKAGE_FILE)) this.#workers.discard();
    if (files.some((file) => file.startsWith(TOOLS))) this.#options.events.onWarning(OWN_FILES);
    for (const file of files) this.#changed.add(file);
    this.#next();
  }

  /** Loads what has changed; in a storm of changes only what has been loaded is served, and after a rest. */
  #next(): void {
    if (!this.#isStale || this.#isClosed) return;
    const rest = this.#pace.isStorm ? this.#answeredAt + REST_MS - performance.now() : 0;
    if (this.#pace.isStorm && this.#state.name === "loading") return;
    if (rest > 0) this.#schedule(() => this.#next(), rest);
    else this.#load();
  }

  #schedule(run: () => void, milliseconds: number): void {
    clearTimeout(this.#later);
    this.#later = setTimeout(run, milliseconds);
  }

  #load(): void {
    const { root, hasColors } = this.#options;
    const reading = this.#read?.(root);
    if (reading === undefined) return;
    this.#isStale = false;
    const { address, project } = reading;
    this.#address = address;
    this.#project = project ?? this.#project;
    this.#watcher.follow((project?.files ?? []).map((file) => join(root, file)));
    if (project?.dev) {
      const { client } = project.contract ?? {};
      this.#watcher.configure(project.dev.watch, client === undefined ? undefined : join(root, client));
      this.#hosts = project.dev.hosts;
    }
    if (!reading.isSound) {
      this.#failSoon(toReport(reading.error, hasColors));
      return;
    }
    const worker = this.#workers.take();
    this.#state = { name: "loading", worker, reading, old: this.#abandon() };
    worker.load(reading.project, [...this.#changed, ...this.#failed], (event) =>
      this.#receive(event, worker),
    );
  }

  #receive(event: WorkerEvent, worker: Worker): void {
    const state = this.#state;
    const isCurrent = "worker" in state && state.worker === worker;
    if (event.kind === "imports") this.#watcher.follow(event.paths);
    else if (event.kind === "ended") this.#replace(worker, event);
    else if (!isCurrent || this.#isClosed) return;
    else if (event.kind === "served" && state.name === "serving") this.#pause(worker, false);
    else if (event.kind === "served") void this.#serve(worker, event.address);
    else if (event.kind === "asks")
      void state.reading.declaredOf(event.route).then((declared) => worker.declare(event.route, declared));
    else if (event.kind === "slow") this.#wait(event.what);
    else if (event.kind === "refused") {
      this.#failed = event.failed;
      this.#failSoon(event.report);
    } else if (state.name === "serving") this.#pause(worker, event.isSilent);
    else if (event.isSilent) this.#wait(STUCK);
  }

  async #serve(worker: Worker, wanted: Address): Promise<void> {
    await this.#port.moveTo(wanted);
    const [state, { address }] = [this.#state, this.#port];
    if (state.name !== "loading" || state.worker !== worker || address === undefined || this.#isClosed)
      return;
    const { reading, old } = state;
    this.#state = { name: "serving", worker, reading };
    old?.drain();
    this.#connections.giveTo((socket) => worker.give(socket));
    const [changed, milliseconds] = [[...this.#changed], this.#pace.age];
    this.#changed.clear();
    this.#failed = [];
    const { warnings, project } = reading;
    const report = warnings && toReport(warnings, this.#options.hasColors);
    this.#options.events.onServed({ address, project, report, changed, milliseconds });
    this.#settle();
  }

  /** Requests wait meanwhile, as while it was read and loaded. */
  #failSoon(report: Report): void {
    this.#schedule(() => void this.#fail(report), this.#pace.isStorm ? 0 : DOUBT_MS);
  }

  /** Answers every request with the report, until a change has been loaded. */
  async #fail(report: Report): Promise<void> {
    this.#abandon()?.drain();
    this.#state = { name: "broken" };
    const answered = this.#answer(report);
    this.#settle();
    await answered;
  }

  async #answer(report: Report): Promise<void> {
    const { host } = this.#port.address ?? this.#address;
    this.#connections.answerError({
      text: report.text,
      cors: this.#project?.cors,
      hosts: [...this.#hosts, host],
    });
    // The address may be one of the mistakes: what is listened on already stays.
    if (this.#port.address === undefined) await this.#port.moveTo(this.#address);
    if (this.#port.address !== undefined) this.#options.events.onFailed(report, this.#port.address);
  }

  /** Something is answered again. */
  #settle(): void {
    this.#answeredAt = performance.now();
    this.#workers.refill();
    if (this.#isStale) this.#next();
    else this.#pace.settle();
  }

  /** For a failure that the supervisor finds, not the worker. */
  #failAs(what: string): void {
    void this.#fail(this.#toReport(what));
  }

  /** Loading takes long, but what is loaded in the end is served; in a storm of changes it is not waited for. */
  #wait(what: string): void {
    if (this.#isStale) this.#failAs(what);
    else void this.#answer(this.#toReport(what));
  }

  /** One of the files that were changed last is probably the reason. */
  #toReport(what: string): Report {
    const changed = [...this.#changed];
    const hint = changed.length === 0 ? undefined : `Changed last: ${formatFiles(changed)}`;
    return toReport(new Problem(what, hint), this.#options.hasColors);
  }

  /** A worker has ended by itself, or was drained. The connections that it has not taken go on waiting. */
  #replace(worker: Worker, { how, isKilled, left }: Ended): void {
    const state = this.#state;
    if (servingIn(state) === worker) this.#connections.hold();
    if (this.#isClosed) this.#connections.close();
    else if (state.name === "serving" && state.worker === worker) this.#restart(how);
    else if (state.name === "loading" && state.worker === worker) {
      // A project that ends its own process would do so again.
      if (isKilled) this.#retry(`${how} while it was being loaded`);
      else this.#failAs(`${how} while it was being loaded. Save a file to try again.`);
    } else if ("old" in state && state.old === worker) this.#state = { ...state, old: undefined };
    for (const socket of left) this.#connections.accept(socket);
  }

  #restart(how: string): void {
    if (performance.now() - this.#answeredAt > RESTART_MS) {
      this.#options.events.onWarning(`${how}. It is being restarted.`);
      this.reload();
    } else this.#retry(`${how} as soon as it was served`);
  }

  #retry(what: string): void {
    this.#failAs(`${what}. It is being restarted.`);
    this.#schedule(() => this.reload(), RESTART_MS);
  }

  /** A silent worker takes no connections. */
  #pause(worker: Worker, isSilent: boolean): void {
    if (isSilent) this.#connections.hold();
    else this.#connections.giveTo((socket) => worker.give(socket));
    this.#options.events.onSilent(isSilent);
  }
}

/** @returns the worker that serves, or has until its files changed. */
function servingIn(state: State): Worker | undefined {
  if (state.name === "serving") return state.worker;
  return state.name === "broken" ? undefined : state.old;
}
