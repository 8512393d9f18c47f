/**
 * The worker processes: two are warm before they are needed, so that a change never waits for a process to start. They know the project
 * as it was read last, so that little has to be sent to them.
 */

import type { Project } from "#convention/project";
import { applyChange, describeChange, type ProjectChange } from "./project-change.ts";
import type { Worker } from "./worker-process.ts";

/** With only one, two saves in a row would wait. */
const SPARES = 2;

/** Starting processes would slow down the answers to those who waited for the change. */
const REFILL_MS = 30;

export interface Workers {
  /** Has the spares know what has become of the project. @returns the project. */
  learn(change: ProjectChange): Project;
  /** Starts the spares that are missing, because one will soon be taken, and in a burst of saves the next one as well. */
  prepare(): void;
  /** @returns a worker to load the project: a warm one if there is one. */
  take(): Worker;
  /** Replaces the spares that were taken, a little later. */
  refill(): void;
  /** Ends the spares. */
  discard(): void;
  /** Ends all workers at once, those that were taken too. */
  stop(): void;
}

/** @param first a worker that runs already. */
export function createWorkers(spawn: () => Worker, first: Worker): Workers {
  let spares: Worker[] = [first];
  let taken: Worker[] = [];
  let timer: NodeJS.Timeout | undefined;
  let project: Project | undefined;
  return { learn, prepare: () => fill(SPARES), take, refill, discard, stop };

  function learn(change: ProjectChange): Project {
    project = applyChange(project, change);
    for (const spare of spares) spare.learn(change);
    return project;
  }

  function start(): Worker {
    const worker = spawn();
    if (project) worker.learn(describeChange(undefined, project));
    return worker;
  }

  function fill(wanted: number): void {
    spares = spares.filter(isAlive);
    while (spares.length < wanted) spares.push(start());
  }

  function take(): Worker {
    spares = spares.filter(isAlive);
    const worker = spares.shift() ?? start();
    taken = [...taken.filter(isAlive), worker];
    return worker;
  }

  function refill(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      fill(SPARES);
    }, REFILL_MS);
  }

  function discard(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const worker of spares.splice(0)) worker.stop();
  }

  function stop(): void {
    discard();
    for (const worker of taken) worker.stop();
  }
}

function isAlive({ hasEnded }: Worker): boolean {
  return !hasEnded;
}
