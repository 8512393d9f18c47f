/** Memory and processor time of server-sent events to a thousand clients, by our built server and by node:http by hand. */

import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { limitRun } from "../e2e/harness/workspace.ts";
import { TICK_MS } from "./http/ours.ts";
import { readClock, readMemory } from "./http/processors.ts";
import { type Candidate, OURS, prepareServers, RAW, RAW_AGAIN, startServers } from "./http/servers.ts";
import { formatTable, withQuartiles } from "./measure.ts";
import { chooseNodes } from "./nodes.ts";
import { parseOptions, toCount } from "./options.ts";

const CLIENTS = 1000;
const ROUNDS = 3;
const SECONDS = 4;
/** They warm up the code, and leave again. */
const FIRST_CLIENTS = 200;
const SETTLE_MS = 1500;

/** The path of each server's events; ours has a second one, whose generator listens to `request.signal` as in the docs. */
const SIGNAL = "/ticks/signal";

interface Subject {
  readonly name: string;
  readonly candidate: Candidate;
  readonly path: string;
  /** Microseconds of the server's processor time for an event, and kilobytes resident for a client. */
  readonly samples: { readonly cpu: number; readonly memory: number }[];
}

export async function benchEvents(words: readonly string[]): Promise<string> {
  const options = parseOptions(words, ["node", "rounds", "seconds", "framework"]);
  const rounds = toCount(options, "rounds", ROUNDS);
  const seconds = toCount(options, "seconds", SECONDS);
  limitRun(60);
  const candidates = await prepareServers([RAW, OURS, RAW_AGAIN], options.framework ?? [], false);
  const parts: string[] = [];
  for (const { path, version } of await chooseNodes(options.node ?? [])) {
    const subjects = candidates.flatMap(toSubjects);
    for (let round = 0; round < rounds; round++)
      for (const subject of subjects) subject.samples.push(await measure(path, subject, seconds));
    parts.push(`### Node ${version}`, formatSubjects(subjects));
  }
  return parts.join("\n\n");
}

function toSubjects(candidate: Candidate): Subject[] {
  const { name } = candidate;
  const subject = { name, candidate, path: "/ticks", samples: [] };
  const withSignal = { ...subject, name: `${name}, signal`, path: SIGNAL, samples: [] };
  return name.startsWith(OURS) ? [subject, withSignal] : [subject];
}

/** A process of its own for each sample, because memory that was used once stays resident. */
async function measure(node: string, { candidate, path }: Subject, seconds: number) {
  const [server] = await startServers(node, [candidate]);
  if (server === undefined) throw new Error(`${candidate.name} was not started.`);
  const first = await open(server.url, path, FIRST_CLIENTS);
  await sleep(SETTLE_MS);
  first.close();
  await sleep(SETTLE_MS);
  const before = readMemory(server.pid).now;
  const clients = await open(server.url, path, CLIENTS);
  await sleep(SETTLE_MS);
  const [began, heard] = [readClock(server.pid).server, clients.heard()];
  await sleep(seconds * 1000);
  const [ended, count] = [readClock(server.pid).server, clients.heard() - heard];
  const memory = readMemory(server.pid).now - before;
  clients.close();
  await server.stop();
  const expected = (CLIENTS * seconds * 1000) / TICK_MS;
  if (count < expected / 2) throw new Error(`${candidate.name} sent ${count} of ${expected} events.`);
  return { cpu: ((ended - began) * 1000) / count, memory: (memory * 1024) / CLIENTS };
}

/** Connects clients that count events: each ends with an empty line. */
async function open(url: string, path: string, count: number) {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  let heard = 0;
  for (let index = 0; index < count; index++) {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    await new Promise((resolve, reject) =>
      socket.once("error", reject).once("data", resolve).write(`GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`),
    );
    socket.on("data", (chunk) => {
      for (let at = chunk.indexOf("data:"); at !== -1; at = chunk.indexOf("data:", at + 1)) heard++;
    });
  }
  return { heard: () => heard, close: () => sockets.forEach((socket) => void socket.destroy()) };
}

function formatSubjects(subjects: readonly Subject[]): string {
  const [raw] = subjects;
  const cell = (samples: Subject["samples"], of: "cpu" | "memory"): string[] => [
    withQuartiles(
      samples.map((sample) => sample[of]),
      (value) => value.toFixed(0),
    ),
    withQuartiles(
      samples.map((sample, at) => sample[of] / (raw?.samples[at]?.[of] ?? Number.NaN)),
      (value) => value.toFixed(2),
    ),
  ];
  return formatTable(
    ["", "µs an event", "ratio", "kB a client", "ratio"],
    subjects.map(({ name, samples }) => [name, ...cell(samples, "cpu"), ...cell(samples, "memory")]),
  );
}
