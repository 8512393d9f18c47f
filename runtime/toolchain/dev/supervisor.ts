/**
 * The process behind `framework dev`: it keeps the port, hands each connection to the worker that serves the newest
 * source, and replaces that worker when a file changes. Connections that come meanwhile wait; none is refused.
 */

import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import type { Address } from "#runtime/core/node/listen";
import { Problem } from "#runtime/core/problem";
import { DEFAULT_SETTINGS } from "#runtime/core/settings";
import { createChanges } from "./changes.ts";
import { createErrorAnswer } from "./error-answer.ts";
import type { DevEvents } from "./events.ts";
import { STUCK, tellChange } from "./failures.ts";
import { createGate } from "./gate.ts";
import type { Reading, Report, SoundReading } from "./messages.ts";
import { createPort } from "./port.ts";
import { createProjectReader } from "./project-reader.ts";
import { toReport } from "./report.ts";
import { createSpares } from "./spares.ts";
import { tunnel } from "./tunnel.ts";
import { watchProject } from "./watch.ts";
import type { Worker } from "./worker-process.ts";

/** Where changes never end, something is loaded this often, in milliseconds, and what was loaded last is served meanwhile. */
const REST_MS = 1_000;

/** A worker that ends by itself within so many milliseconds is replaced after as many: one that always does is no busy loop. */
const RESTART_MS = 1_000;

export interface SupervisorOptions {
  readonly root: string;
  readonly hasColors: boolean;
  readonly spawn: () => Worker;
  /** A worker to begin with. */
  readonly first: Worker;
  readonly events: DevEvents;
}

export interface Supervisor {
  /** The worker that serves, or else the one that is to. */
  readonly worker: Worker | undefined;
  /** Loads the project anew. */
  reload(): void;
  /** Finishes what is in flight, and ends all that was started. */
  close(): void;
  /** Ends it at once. */
  stop(): void;
}

export function superviseProject({ root, hasColors, spawn, first, events }: SupervisorOptions): Supervisor {
  const changes = createChanges();
  /** All that were given the project and have not ended. */
  const busy = new Set<Worker>();
  let serving: Worker | undefined;
  let loading: Worker | undefined;
  /** Counts the changes: what was begun for an earlier one is void. */
  let newest = 0;
  let servedAt = Number.NEGATIVE_INFINITY;
  let isReading = false;
  let mustRead = false;
  let isClosed = false;
  let restart: NodeJS.Timeout | undefined;
  let rest: NodeJS.Timeout | undefined;

  const gate = createGate();
  const errorAnswer = createErrorAnswer(lead);
  const port = createPort({ onConnection: gate.accept, onRefused: events.onAddressRefused });
  const spares = createSpares(spawn, first);
  const reader = createProjectReader(root, hasColors);
  const watcher = watchProject(root, {
    onNotice: notice,
    onChange: load,
    onBlind: events.onBlind,
  });
  reload();
  return {
    get worker() {
      return serving ?? loading;
    },
    reload,
    close,
    stop,
  };

  /** From here on connections wait, so that nobody is answered by source that is no longer there; not where that would never end. */
  function notice(): void {
    newest += 1;
    changes.notice();
    if (changes.isRestless) return;
    gate.shut();
    errorAnswer.text = undefined;
    spares.prepare();
    clearTimeout(restart);
    abandon();
  }

  function abandon(): void {
    loading?.stop();
    loading = undefined;
  }

  function reload(): void {
    notice();
    load([]);
  }

  function load(files: readonly string[]): void {
    const restless = changes.add(files);
    if (restless.length > 0) events.onRestless(restless);
    // What is warm has the framework loaded: once that is edited, it is out of date.
    if (files.some((file) => file.startsWith("vendor/"))) {
      spares.discard();
      reader.renew();
    }
    mustRead = true;
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
    if (!isReading) void readAndServe();
  }

  function endRest(): void {
    rest = undefined;
    if (mustRead) begin();
  }

  async function readAndServe(): Promise<void> {
    isReading = true;
    while (mustRead && !isClosed && loading === undefined) {
      mustRead = false;
      const wanted = newest;
      const reading = await reader.read().catch((error) => toBrokenReading(root, error));
      if (isClosed || (wanted !== newest && !changes.isRestless)) continue;
      if (reading.kind === "broken") await fail(reading.report, reading.address);
      else serve(reading, wanted);
    }
    isReading = false;
  }

  /** @param change the newest one that it was read after. */
  function serve(reading: SoundReading, change: number): void {
    const worker = spares.take();
    const ifCurrent =
      <Words extends readonly unknown[]>(react: (...words: Words) => void) =>
      (...words: Words): void => {
        if (worker === loading) react(...words);
      };
    loading = worker;
    busy.add(worker);
    worker.load(reading.project, {
      onServed: (address) => void take(worker, address, reading, change),
      onRefused: ifCurrent((report) => {
        worker.stop();
        loading = undefined;
        void fail(report, reading.address);
      }),
      onSlow: ifCurrent((what) => failAs(what, reading.address)),
      onSilent(isSilent) {
        if (worker === serving) pause(worker, isSilent);
        else if (worker === loading && isSilent) failAs(STUCK, reading.address);
      },
      onImport: (path) => watcher.follow(path),
      onEnded(how, left) {
        replace(worker, how, reading.address);
        for (const socket of left) gate.accept(socket);
      },
    });
  }

  async function take(
    worker: Worker,
    address: Address,
    { report, project }: SoundReading,
    change: number,
  ): Promise<void> {
    if (worker === loading) await port.moveTo(address);
    if (worker !== loading || port.address === undefined) return;
    serving?.drain();
    serving = worker;
    loading = undefined;
    gate.open(worker.give);
    spares.refill();
    servedAt = performance.now();
    if (change === newest) changes.settle();
    const { files } = changes;
    events.onServed({
      address: port.address,
      project,
      report,
      changed: files,
      milliseconds: changes.age(),
    });
    changes.clear();
  }

  /** From here on every request is told what is wrong, until a change has been loaded. */
  async function fail(report: Report, address: Address): Promise<void> {
    changes.settle();
    serving?.drain();
    serving = undefined;
    errorAnswer.text = report.text;
    gate.open(errorAnswer.give);
    // Where the project has errors, its address may be one of them: the one that there is stays.
    if (port.address === undefined) await port.moveTo(address);
    if (port.address !== undefined) events.onFailed(report, port.address);
  }

  /** For what is found out here, and not by a worker. */
  function failAs(what: string, address: Address): void {
    void fail(tellChange(what, changes.files, hasColors), address);
  }

  function replace(worker: Worker, end: string, address: Address): void {
    busy.delete(worker);
    if (isClosed || (worker !== loading && worker !== serving)) return;
    if (worker === loading) {
      loading = undefined;
      failAs(`${end} while it was being loaded. Save a file to try again.`, address);
      return;
    }
    serving = undefined;
    gate.shut();
    if (performance.now() - servedAt > RESTART_MS) {
      events.onRestarted(`${end}. It is started again.`);
      reload();
      return;
    }
    failAs(`${end}, as soon as it was started. It is started again.`, address);
    restart = setTimeout(reload, RESTART_MS);
  }

  /** To this very port again, because what has been read of it can't be handed over. */
  function lead(client: Socket): void {
    const { localAddress = "" } = client;
    if (port.address === undefined) client.destroy();
    else tunnel(client, connect(port.address.port, localAddress));
  }

  /** A worker that takes no message takes no connection either. */
  function pause(worker: Worker, isSilent: boolean): void {
    if (isSilent) gate.shut();
    else if (changes.isSettled || changes.isRestless) gate.open(worker.give);
    events.onSilent(isSilent);
  }

  function close(): void {
    isClosed = true;
    clearTimeout(restart);
    clearTimeout(rest);
    watcher.close();
    reader.close();
    port.close();
    gate.close();
    spares.discard();
    loading?.stop();
    serving?.drain();
  }

  function stop(): void {
    close();
    for (const worker of busy) worker.stop();
  }
}

/** What ended the reader is a mistake of the framework's, or of an edit in it; unless there is nothing left to read. */
function toBrokenReading(root: string, error: unknown): Reading {
  const isGone = !existsSync(root);
  const gone = new Problem(`The project's folder is gone: ${root}`, "Put it back, and save a file.");
  return { kind: "broken", report: toReport(isGone ? gone : error, false), address: DEFAULT_SETTINGS };
}
