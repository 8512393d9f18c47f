/** A Postgres of a test's own, on a socket and a free port. It ends with the process that asked for it, however that ends. */

import { spawn } from "node:child_process";
import { join } from "node:path";
import pg from "pg";
import { isolatedEnvironment } from "./environment.ts";
import { collectOutput } from "./output.ts";
import { freePort } from "./port.ts";
import { type Cluster, createCluster } from "./postgres-cluster.ts";
import { processesIn } from "./processes.ts";

export interface Postgres {
  /** Of the database `postgres`, by the port, with a user and a password. */
  readonly url: string;
  readonly port: number;
  /** @param template whose tables and rows it gets. @returns its URL, by the port. */
  createDatabase(name: string, template?: string): Promise<string>;
  /** As the user `postgres`. @returns the rows, with `|` between the columns. */
  sql(database: string, statement: string): Promise<string[]>;
  /** As a service manager does: what is open is rolled back, and each client told. */
  stop(): Promise<void>;
  /** At once, as in a crash: each connection breaks, and nothing more is written. */
  kill(): Promise<void>;
  /** Starts it again at the same place, after one of the two. */
  restart(): Promise<void>;
  /** All its processes stand still: it neither answers nor refuses. @returns what lets them go on. */
  freeze(): () => void;
}

const PASSWORD = "postgres";

/**
 * Starts and stops the server as its input says. At the end of the input, which is the end of whoever started it, the cluster goes
 * too: `kill -9` can't keep it from that.
 */
const KEEPER = `
while read -r word; do
  if [ "$word" = start ]; then
    "$1" -D "$2/data" </dev/null &
    server=$!
  else
    kill -s "$word" $server
    wait $server
    echo "The server has ended."
  fi
done
kill -s QUIT $server 2>/dev/null
kill -s CONT $server 2>/dev/null
wait $server
rm -rf "$2"
`;

/** @returns undefined where no Postgres can be had. It prints why. */
export async function startPostgres(): Promise<Postgres | undefined> {
  const port = await freePort();
  const cluster = createCluster(port, PASSWORD);
  if (typeof cluster === "string") {
    console.log(`Skipped, Postgres: ${cluster}.`);
    return undefined;
  }
  const keeper = startKeeper(cluster);
  await keeper.start();
  const toUrl = (database: string): string =>
    `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
  const sql = (database: string, statement: string): Promise<string[]> =>
    runSql(cluster.folder, port, database, statement);
  return {
    url: toUrl("postgres"),
    port,
    async createDatabase(name, template = "template1") {
      const [version] = await sql("postgres", "show server_version_num");
      // What newer ones do by themselves takes three times as long.
      const strategy = Number(version) >= 150_000 ? "strategy file_copy" : "";
      await sql("postgres", `create database "${name}" template "${template}" ${strategy}`);
      return toUrl(name);
    },
    sql,
    stop: () => keeper.end("INT"),
    kill: () => keeper.end("QUIT"),
    restart: keeper.start,
    freeze() {
      const pids = processesOf(cluster);
      for (const pid of pids) process.kill(pid, "SIGSTOP");
      return () => {
        for (const pid of pids) process.kill(pid, "SIGCONT");
      };
    },
  };
}

interface Keeper {
  start(): Promise<void>;
  end(signal: "INT" | "QUIT"): Promise<void>;
}

/** Not by `start` of command.ts: that kills what it started, and this has to clear up first. */
function startKeeper({ programs, folder, owner }: Cluster): Keeper {
  const child = spawn("sh", ["-c", KEEPER, "keeper", join(programs, "postgres"), folder], {
    ...owner,
    cwd: "/",
    env: isolatedEnvironment(),
    detached: true,
  });
  const output = collectOutput(child);
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    // They are sockets, which the types don't tell.
    (stream as unknown as { unref(): void }).unref();
  }
  const say = async (word: string, answer: RegExp): Promise<void> => {
    child.stdin.write(`${word}\n`);
    await output.waitFor(answer);
  };
  return {
    start: () => say("start", /database system is ready to accept connections/),
    end: (signal) => say(signal, /The server has ended/),
  };
}

/** The server, and those that it has started: all work in its folder. */
function processesOf({ folder }: Cluster): number[] {
  return processesIn(join(folder, "data"));
}

/** By a connection for it alone: whoever copies the database needs it without any. */
async function runSql(host: string, port: number, database: string, statement: string): Promise<string[]> {
  const types = { getTypeParser: () => String };
  const client = new pg.Client({ host, port, user: "postgres", database, types });
  await client.connect();
  try {
    const results = await client.query<(string | null)[]>({ text: statement, rowMode: "array" });
    return [results]
      .flat()
      .flatMap(({ rows }) => rows.map((row) => row.map((value) => value ?? "").join("|")));
  } finally {
    await client.end();
  }
}
