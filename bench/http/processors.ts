/** Which processor does what, and how much time each of the programs took of them: read from Linux's /proc. */

import { readFileSync } from "node:fs";

const PROCESSOR = { load: 0, server: 1 } as const;

/** Of /proc: USER_HZ, which is 100 on every machine that Node runs on. */
const MILLISECONDS_A_TICK = 10;

export function onProcessor(role: keyof typeof PROCESSOR, words: readonly string[]): string[] {
  return ["taskset", "-c", String(PROCESSOR[role]), ...words];
}

/** Milliseconds of processor time, counted from a start that differs: only differences mean something. */
export interface Clock {
  /** All processors, idle or not. */
  readonly total: number;
  /** All that was done on the machine, and what other machines took of its processors. */
  readonly busy: number;
  readonly server: number;
  /** This process, those that it started and that have ended (wrk), and what the server started: the reader of its log. */
  readonly own: number;
}

export function readClock(server: number): Clock {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const [user, nice, system, idle, waiting, interrupt, softInterrupt, stolen] = numbers(line);
  const busy = sum(user, nice, system, interrupt, softInterrupt, stolen);
  const [ownUser, ownSystem, endedUser, endedSystem] = processTimes("self");
  const [serverUser, serverSystem] = processTimes(server);
  const readers = readFileSync(`/proc/${server}/task/${server}/children`, "utf8").match(/\d+/g) ?? [];
  const ofReaders = readers.flatMap((reader) => processTimes(Number(reader)).slice(0, 2));
  return {
    total: busy + sum(idle, waiting),
    busy,
    server: sum(serverUser, serverSystem),
    own: sum(ownUser, ownSystem, endedUser, endedSystem, ...ofReaders),
  };
}

/** The share of the machine, 0 to 1, that neither the server nor its load took. */
export function foreignShare(before: Clock, after: Clock): number {
  const passed = (of: keyof Clock): number => after[of] - before[of];
  return Math.max(0, passed("busy") - passed("server") - passed("own")) / passed("total");
}

export interface Memory {
  /** Megabytes. */
  readonly now: number;
  readonly peak: number;
}

export function readMemory(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024;
  return { now: megabytes("VmRSS"), peak: megabytes("VmHWM") };
}

/** utime, stime, cutime and cstime; the name of the program, which may hold spaces, stands in brackets before them. */
function processTimes(pid: number | "self"): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return numbers(stat.slice(stat.lastIndexOf(")"))).slice(11, 15);
}

/** The numbers of a line after its first word, in milliseconds. */
function numbers(line: string): number[] {
  return line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map((ticks) => Number(ticks) * MILLISECONDS_A_TICK);
}

function sum(...values: readonly (number | undefined)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? Number.NaN), 0);
}
