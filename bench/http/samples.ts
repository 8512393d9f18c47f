/** Takes the samples: every server in turn, in each round, for each case. */

import type { Case } from "./cases.ts";
import { createLoad, type Load } from "./load.ts";
import { foreignShare, type Memory, readClock, readMemory } from "./processors.ts";
import type { Started } from "./servers.ts";

export interface Sample {
  /** Requests answered. */
  readonly perSecond: number;
  /** Microseconds of the server's processor time for each of them. */
  readonly cpu: number;
  /** Microseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Something else used the machine: all of it but the processor time is worth nothing. */
  readonly isDisturbed: boolean;
}

export interface Series {
  readonly server: string;
  readonly asked: Case;
  /** One for each round. */
  readonly samples: Sample[];
}

export interface MemoryUse {
  readonly server: string;
  /** Megabytes: before the first request, after every case was warmed up, and the most until the end. */
  readonly before: number;
  readonly warm: number;
  readonly peak: number;
}

export interface Measurement {
  readonly series: readonly Series[];
  readonly memory: readonly MemoryUse[];
  /** Samples that were thrown away and taken again. */
  readonly repeated: number;
}

export interface Amount {
  readonly rounds: number;
  /** Of each sample. */
  readonly seconds: number;
}

const WARM_UP_SECONDS = 1;
/** Of the machine. */
const FOREIGN_LIMIT = 0.05;
const TRIES = 3;

/** Sends a case to a server for so many seconds. */
type Send = (seconds: number) => Promise<Load>;

export async function measure(
  servers: readonly Started[],
  cases: readonly Case[],
  { rounds, seconds }: Amount,
): Promise<Measurement> {
  const load = createLoad(cases);
  const subjects = cases.flatMap((asked) =>
    servers.map(({ name, pid, url }) => {
      const send: Send = (duration) => load(url, asked, duration);
      return { pid, send, series: { server: name, asked, samples: [] as Sample[] } };
    }),
  );
  const before = servers.map(({ pid }) => readMemory(pid));
  for (const { send } of subjects) await send(WARM_UP_SECONDS);
  const warm = servers.map(({ pid }) => readMemory(pid));
  // On a machine that never comes to rest a run takes at most twice as long.
  const repeatable = subjects.length * rounds;
  let repeated = 0;
  for (let round = 0; round < rounds; round++) {
    process.stderr.write(`round ${round + 1} of ${rounds}\n`);
    for (const { pid, send, series } of subjects) {
      const tries = await takeUndisturbed(series.samples, Math.min(TRIES, 1 + repeatable - repeated), () =>
        take(pid, send, seconds),
      );
      repeated += tries - 1;
    }
  }
  const memory = servers.map((server, at) => toMemoryUse(server, before[at], warm[at]));
  return { series: subjects.map(({ series }) => series), memory, repeated };
}

/** Adds the first sample that nothing disturbed, or the last that may be taken. @returns how many were taken. */
async function takeUndisturbed(
  samples: Sample[],
  limit: number,
  takeOne: () => Promise<Sample>,
): Promise<number> {
  for (let tries = 1; ; tries++) {
    const sample = await takeOne();
    if (sample.isDisturbed && tries < limit) continue;
    samples.push(sample);
    return tries;
  }
}

async function take(pid: number, send: Send, seconds: number): Promise<Sample> {
  const before = readClock(pid);
  const { requests, microseconds, p50, p99 } = await send(seconds);
  const after = readClock(pid);
  return {
    perSecond: (requests / microseconds) * 1_000_000,
    cpu: ((after.server - before.server) * 1000) / requests,
    p50,
    p99,
    isDisturbed: foreignShare(before, after) > FOREIGN_LIMIT,
  };
}

function toMemoryUse({ name, pid }: Started, before?: Memory, warm?: Memory): MemoryUse {
  const { peak } = readMemory(pid);
  return { server: name, before: before?.now ?? Number.NaN, warm: warm?.now ?? Number.NaN, peak };
}
