/**
 * One router in a process of its own: `node --expose-gc lookups.mjs ROUTER SIZE FILE`, FILE being our own router, built.
 * Prints, as JSON, how long a table takes to build, what it holds, and what a look-up takes by the kind of path.
 */

import { deepStrictEqual } from "node:assert";

const LOOKUPS = 50_000;
const REPETITIONS = 9;
/** Until then the code is still being compiled. */
const WARM_UP = 3;

const [name, size, file] = process.argv.slice(2);
const METHOD = "GET";

/** A table as an API has it: resources in groups, five routes each. A param is an object. */
function createTable(length) {
  const [first, second, third] = [
    { name: "id", type: "int" },
    { name: "part", type: "str" },
    { name: "note", type: "str" },
  ];
  const routes = [];
  for (let at = 0; routes.length < length; at++) {
    const base = baseOf(at).split("/").slice(1);
    routes.push(
      { method: "GET", segments: base },
      { method: "POST", segments: base },
      { method: "GET", segments: [...base, first] },
      { method: "GET", segments: [...base, "search"] },
      { method: "GET", segments: [...base, first, "parts", second, "notes", third] },
    );
  }
  return routes.slice(0, length);
}

function baseOf(at) {
  return `/api/group${at % 50}/resource${at}`;
}

function toPattern(segments) {
  return `/${segments.map((segment) => (typeof segment === "string" ? segment : `:${segment.name}`)).join("/")}`;
}

/** Each builds the table and gives what finds the values of a path's params in it; undefined is a miss. */
const ROUTERS = {
  async ours(table) {
    const { createRouter } = await import(file);
    const items = table.map((route) => ({ route }));
    return () => {
      const router = createRouter(items);
      return (path) => {
        const found = router.find(METHOD, path);
        return found.kind === "match" ? found.values : undefined;
      };
    };
  },
  async "find-my-way"(table) {
    const { default: createRouter } = await import("find-my-way");
    const routes = table.map(({ method, segments }) => [method, toPattern(segments), () => {}]);
    return () => {
      const router = createRouter();
      for (const route of routes) router.on(...route);
      return (path) => router.find(METHOD, path)?.params;
    };
  },
  async memoirist(table) {
    const { Memoirist } = await import("memoirist");
    const routes = table.map(({ method, segments }) => [method, toPattern(segments), {}]);
    return () => {
      const router = new Memoirist();
      for (const route of routes) router.add(...route);
      return (path) => router.find(METHOD, path)?.params;
    };
  },
};

/** A path of each kind, and the values in it. */
const KINDS = {
  static: (base) => [`${base}/search`, []],
  one: (base, number) => [`${base}/${number}`, [number]],
  three: (base, number) => [`${base}/${number}/parts/p${number}/notes/n7`, [number, `p${number}`, "n7"]],
  miss: (base) => [base.replace("resource", "missing"), undefined],
};

/** Numbers that look like chance and are the same in each run. */
function createNumbers() {
  let seed = 12_345;
  return (below) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
}

function createPaths(toPath) {
  const next = createNumbers();
  const resources = Number(size) / 5;
  return Array.from({ length: LOOKUPS }, () => toPath(baseOf(next(resources)), 1 + next(100_000)));
}

/** As they come from a socket: flat strings that were never hashed. */
function asReceived(paths) {
  const bytes = Buffer.from(paths.join(""), "latin1");
  let end = 0;
  return paths.map((path) => {
    const start = end;
    end += path.length;
    return bytes.latin1Slice(start, end);
  });
}

/** @returns nanoseconds a look-up, of processor time: what else the machine does is not in it. */
function time(find, paths) {
  const received = asReceived(paths);
  let found = 0;
  const started = process.cpuUsage();
  for (const path of received) if (find(path) !== undefined) found++;
  const { user, system } = process.cpuUsage(started);
  if (found % LOOKUPS !== 0) throw new Error(`${found} of ${LOOKUPS} were found.`);
  return ((user + system) * 1000) / LOOKUPS;
}

function requireSameWork(find) {
  for (const [kind, toPath] of Object.entries(KINDS)) {
    const [path, values] = toPath(baseOf(0), 42);
    const found = find(path);
    // One of them gives the last param first.
    const texts = found && Object.values(found).map(String);
    deepStrictEqual(texts?.sort(), values?.map(String).sort(), `${name}: ${kind}`);
  }
}

function held() {
  // The second time takes what finalizers of the first let go.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

const build = await ROUTERS[name](createTable(Number(size)));
const before = held();
// By the wall clock, because it is what a start waits for.
const started = performance.now();
const find = build();
const milliseconds = performance.now() - started;
const megabytes = (held() - before) / 2 ** 20;
requireSameWork(find);

const paths = Object.entries(KINDS).map(([kind, toPath]) => [kind, createPaths((...of) => toPath(...of)[0])]);
const times = Object.fromEntries(paths.map(([kind]) => [kind, []]));
for (let repetition = 0; repetition < WARM_UP + REPETITIONS; repetition++) {
  for (const [kind, list] of paths) times[kind].push(time(find, list));
}
const lookups = Object.entries(times).map(([kind, all]) => [kind, median(all.slice(WARM_UP))]);
console.log(JSON.stringify({ ...Object.fromEntries(lookups), build: milliseconds, megabytes }));
