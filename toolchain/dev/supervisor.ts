/**
 * The process behind `framework dev`: it keeps the port, hands each connection to the worker that serves the newest source, and
 * replaces that worker when a file changes. Meanwhile connections wait; none is refused.
 *
 *     a file changes → reading → loading → serving
 *                         └─────────┴─────────┴──→ broken
 */

import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { hasErrors } from "#convention/diagnostics/diagnostic";
import { PACKAGE_FILE } from "#convention/layout";
import type { readSources, Sources } from "#convention/project";
import { createFiles } from "#convention/source/files";
import { escapeControl } from "#runtime/escape";
import type { Address } from "#runtime/node/listen";
import { Problem } from "#runtime/problem";
import { type CorsSettings, DEFAULT_SETTINGS } from "#runtime/settings";
import { readAddress } from "../environment.ts";
import { formatError, ProjectError } from "../load/project-error.ts";
import { Connections } from "./connections.ts";
import type { DevEvents } from "./messages.ts";
import { Pace } from "./pace.ts";
import { ProjectWatcher } from "./watch.ts";
import type { Worker, WorkerEvent } from "./worker-process.ts";
import type { Workers } from "./workers.ts";

/** While changes never end, a new source is loaded once in so many milliseconds. */
const REST_MS = 1_000;

/** A worker that ends sooner than this after it has served is replaced after as long, so that dev does not restart without end. */
const RESTART_MS = 1_000;

/** A mistake is believed if no change follows it for so long: an editor may have written half of a file, or one of two. */
const DOUBT_MS = 25;

/** Later than a worker that is not in a loop says which module it loads. */
const STUCK_MS = 6_000;
const STUCK =
  "The project does not finish loading. Is there a loop or an `await` at the top level of a module that never ends?";

const TOOLS = "vendor/framework/tools/";
const OWN_FILES = "Files of framework dev itself have changed. End it and start it again to use them.";

export interface SupervisorOptions {
  readonly root: string;
  readonly hasColors: boolean;
  /** The file system sends no events. */
  readonly polls: boolean;
  readonly workers: Workers;
  readonly events: DevEvents;
}

type State =
  /** Files have changed, and are read when the burst of changes has ended. `old` served until now. */
  | { readonly name: "reading"; readonly old: Worker | undefined }
  | {
      readonly name: "loading";
      readonly worker: Worker;
      readonly sources: Sources;
      readonly old: Worker | undefined;
    }
  | { readonly name: "serving"; readonly worker: Worker; readonly sources: Sources }
  /** Every request is answered with what is wrong. */
  | { readonly name: "broken" };

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #connections: Connections;
  readonly #workers: Workers;
  readonly #watcher: ProjectWatcher;
  readonly #pace = new Pace();
  #state: State = { name: "reading", old: undefined };
  /** It loads a parser, so the first worker is started before. */
  #read: typeof readSources | undefined;
  #cors: CorsSettings | undefined;
  /** As in the newest `framework.toml` that could be read. */
  #hosts: readonly string[] = [];
  /** Where the newest reading wants it to be served. */
  #address: Address = DEFAULT_SETTINGS;
  /** The source has changed since it was read. */
  #isStale = true;
  /** The files that have changed since a worker served. */
  readonly #changed = new Set<string>();
  /** The files that the last worker could not load. */
  #failed: readonly string[] = [];
  /** When the project was served, or its mistakes reported. */
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** The one thing that is to happen unless something else happens before. */
  #later: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: SupervisorOptions) {
    const { root, polls, workers, events } = options;
    this.#options = options;
    this.#workers = workers;
    this.#watcher = new ProjectWatcher(root, {
      polls,
      onNotice: () => this.#notice(),
      onChange: (files) => this.#change(files),
      onBlind: (folder, { code, message }) =>
        events.onWarning(
          `The folder ${folder} can't be watched for changes: ${message}`,
          code === "ENOSPC" || code === "EMFILE" ? TOO_MANY_WATCHED : undefined,
        ),
    });
    // A file that was saved before the client connected is noticed before the client is served.
    this.#connections = new Connections(() => this.#watcher.check());
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
      this.#address = readAddress(root, readConfig(createFiles(root)).settings);
      await this.#connections.moveTo(this.#address);
    } catch {}
    this.#read = (await import("#convention/project")).readSources;
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
    this.#connections.close();
    this.#workers.discard();
    this.#abandon()?.drain();
  }

  /** Ends all at once. */
  stop(): void {
    this.close();
    this.#workers.stop();
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
    this.#pace.add();
    // The spare has loaded the framework, and what it needs of packages, as they were before.
    if (files.some((file) => file.startsWith("vendor/") || file === PACKAGE_FILE)) this.#workers.discard();
    if (files.some((file) => file.startsWith(TOOLS))) this.#options.events.onWarning(OWN_FILES);
    for (const file of files) this.#changed.add(file);
    this.#next();
  }

  /** Loads what has changed; in a storm of changes only what has been loaded is served, and after a rest. */
  #next(): void {
    if (!this.#isStale || this.#isClosed || this.#read === undefined) return;
    const rest = this.#pace.isStorm ? this.#answeredAt + REST_MS - performance.now() : 0;
    if (this.#pace.isStorm && this.#state.name === "loading") return;
    if (rest > 0) this.#schedule(() => this.#next(), rest);
    else this.#load(this.#read);
  }

  #schedule(run: () => void, milliseconds: number): void {
    clearTimeout(this.#later);
    this.#later = setTimeout(run, milliseconds);
  }

  #load(read: typeof readSources): void {
    const { root } = this.#options;
    this.#isStale = false;
    try {
      const sources = read(root);
      const { project } = sources;
      this.#cors = project.cors;
      this.#watcher.follow(project.files.map((file) => join(root, file)));
      if (project.dev) {
        const client = project.contract?.client;
        this.#watcher.configure(project.dev.watch, client && join(root, client));
        this.#hosts = project.dev.hosts;
      }
      if (hasErrors(project.diagnostics)) throw new ProjectError(root, project.diagnostics);
      this.#address = readAddress(root, project.settings);
      const worker = this.#workers.take();
      this.#state = { name: "loading", worker, sources, old: this.#abandon() };
      this.#schedule(() => this.#wait(this.#toReport(STUCK)), STUCK_MS);
      worker.load(project, [...this.#changed, ...this.#failed], (event) => this.#receive(event, worker));
    } catch (error) {
      const gone = new Problem(`The project's folder is gone: ${root}`, "Put it back.");
      this.#failSoon(formatError(existsSync(root) ? error : gone, this.#options.hasColors));
    }
  }

  #receive(event: WorkerEvent, worker: Worker): void {
    const state = this.#state;
    if (event.kind === "imports") this.#watcher.follow(event.paths);
    else if (event.kind === "ended") this.#replace(worker, event.how, event.left);
    else if (!("worker" in state) || state.worker !== worker || this.#isClosed) return;
    else if (event.kind === "served") void this.#serve(worker, event.address);
    else if (event.kind === "asks") void answerAsked(worker, event.route, state.sources);
    else if (event.kind === "refused") {
      this.#failed = event.failed;
      this.#failSoon(event.report);
    } else if (state.name === "serving") this.#options.events.onWarning(event.what);
    else this.#wait(this.#toReport(event.what));
  }

  async #serve(worker: Worker, wanted: Address): Promise<void> {
    clearTimeout(this.#later);
    await this.#moveTo(wanted);
    const [state, { address }] = [this.#state, this.#connections];
    if (state.name !== "loading" || state.worker !== worker || address === undefined || this.#isClosed)
      return;
    const { sources, old } = state;
    this.#state = { name: "serving", worker, sources };
    old?.drain();
    this.#connections.giveTo((socket) => worker.give(socket));
    const { root, hasColors, events } = this.#options;
    const { project } = sources;
    const warnings =
      project.diagnostics.length === 0
        ? undefined
        : formatError(new ProjectError(root, project.diagnostics), hasColors);
    const changed = [...this.#changed];
    events.onServed({ address, project, changed, milliseconds: this.#pace.age }, warnings);
    this.#changed.clear();
    this.#failed = [];
    this.#settle();
  }

  async #moveTo(wanted: Address): Promise<void> {
    try {
      await this.#connections.moveTo(wanted);
    } catch (error) {
      this.#options.events.onAddressRefused(error, this.#connections.address);
    }
  }

  /** Requests wait meanwhile, as while it was read and loaded. */
  #failSoon(report: string): void {
    this.#schedule(() => void this.#fail(report), this.#pace.isStorm ? 0 : DOUBT_MS);
  }

  /** Answers every request with the report, until a change has been loaded. */
  async #fail(report: string): Promise<void> {
    this.#abandon()?.drain();
    this.#state = { name: "broken" };
    const answered = this.#answer(report);
    this.#settle();
    await answered;
  }

  async #answer(report: string): Promise<void> {
    const { host } = this.#connections.address ?? this.#address;
    const text = stripVTControlCharacters(report);
    this.#connections.fail({ text, cors: this.#cors, hosts: [...this.#hosts, host] });
    // The address may be one of the mistakes: what is listened on already stays.
    if (this.#connections.address === undefined) await this.#moveTo(this.#address);
    const { address } = this.#connections;
    if (address !== undefined) this.#options.events.onFailed(report, address);
  }

  /** Something is answered again. */
  #settle(): void {
    this.#answeredAt = performance.now();
    this.#workers.refill();
    if (this.#isStale) this.#next();
    else this.#pace.settle();
  }

  /** Loading takes long, but what is loaded in the end is served; in a storm of changes it is not waited for. */
  #wait(report: string): void {
    clearTimeout(this.#later);
    void (this.#isStale ? this.#fail(report) : this.#answer(report));
  }

  /** For a failure without a place: one of the files that were changed last is probably the reason. */
  #toReport(what: string): string {
    const changed = [...this.#changed];
    const hint = changed.length === 0 ? undefined : `Changed last: ${formatFiles(changed)}`;
    return formatError(new Problem(what, hint), this.#options.hasColors);
  }

  /** A worker has ended by itself, or was drained. The connections that it has not taken go on waiting. */
  #replace(worker: Worker, how: string, left: readonly Socket[]): void {
    const state = this.#state;
    if (servingIn(state) === worker) this.#connections.hold();
    if (this.#isClosed) this.#connections.close();
    else if (state.name === "serving" && state.worker === worker) {
      const what = `${how}. It is being restarted.`;
      const rest = this.#answeredAt + RESTART_MS - performance.now();
      if (rest > 0) void this.#fail(this.#toReport(what));
      else this.#options.events.onWarning(what);
      this.#schedule(() => this.reload(), Math.max(0, rest));
    } else if (state.name === "loading" && state.worker === worker) {
      // A project that ends its own process would do so again.
      void this.#fail(this.#toReport(`${how} while it was being loaded. Save a file to try again.`));
    } else if ("old" in state && state.old === worker) this.#state = { ...state, old: undefined };
    for (const socket of left) this.#connections.accept(socket);
  }
}

const TOO_MANY_WATCHED =
  "The system does not allow more watched folders. Raise fs.inotify.max_user_watches and max_user_instances, or use --poll.";

/** @returns the worker that serves, or has until its files changed. */
function servingIn(state: State): Worker | undefined {
  if (state.name === "serving") return state.worker;
  return state.name === "broken" ? undefined : state.old;
}

/** Answers a worker's question about a route. */
async function answerAsked(worker: Worker, name: string, sources: Sources): Promise<void> {
  // Only here, because the contract's code is not needed to serve.
  const { readDeclared } = await import("#convention/contract/declared");
  const route = sources.project.routes.find(({ method, pattern }) => `${method} ${pattern}` === name);
  worker.declare(name, route && readDeclared(sources, route));
}

const MOST_NAMED = 5;

export function formatFiles(files: readonly string[]): string {
  const named = files.slice(0, MOST_NAMED).map(escapeControl).join(", ");
  return files.length > MOST_NAMED ? `${named} and ${files.length - MOST_NAMED} more` : named;
}
