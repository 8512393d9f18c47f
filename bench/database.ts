/** A row by its id, and a row more: our built server on SQLite beside node:http and node:sqlite by hand. */

import { join } from "node:path";
import { runWell } from "../e2e/harness/command.ts";
import { isolatedEnvironment } from "../e2e/harness/environment.ts";
import { freePort } from "../e2e/harness/port.ts";
import { serve } from "../e2e/harness/server.ts";
import { createFolder, limitRun, REPOSITORY } from "../e2e/harness/workspace.ts";
import { buildServer, currentFramework } from "./built-server.ts";
import { DATABASE_FILES, SCHEMA } from "./database/ours.ts";
import { requireSameAnswers } from "./http/agreement.ts";
import type { Case } from "./http/cases.ts";
import { requireLoadTools } from "./http/load.ts";
import { onProcessor } from "./http/processors.ts";
import { EXPLANATION, formatReport } from "./http/report.ts";
import { measure } from "./http/samples.ts";
import { OURS, RAW, RAW_AGAIN, type Started } from "./http/servers.ts";
import { chooseNodes } from "./nodes.ts";
import { parseOptions, toCount } from "./options.ts";

const ROUNDS = 7;
const SECONDS = 2;
const ROWS = 1_000;
const LIMIT_MINUTES = 60;

const CONNECTIONS = 64;
const CASES: readonly Case[] = [
  {
    name: "row by id",
    method: "GET",
    path: "/books/by/id/500",
    headers: {},
    body: undefined,
    status: 200,
    connections: CONNECTIONS,
  },
  {
    name: "one more row",
    method: "POST",
    path: "/books/",
    headers: { "Content-Type": "application/json" },
    body: '{"title":"Notes by the translator","pages":66,"is_read":true}',
    status: 201,
    connections: CONNECTIONS,
  },
];

export async function benchDatabase(words: readonly string[]): Promise<string> {
  const options = parseOptions(words, ["node", "rounds", "seconds", "framework"]);
  const amount = {
    rounds: toCount(options, "rounds", ROUNDS),
    seconds: toCount(options, "seconds", SECONDS),
  };
  requireLoadTools();
  limitRun(LIMIT_MINUTES);
  const nodes = await chooseNodes(options.node ?? []);
  const ours = await buildServer(options.framework?.at(-1) ?? (await currentFramework()), DATABASE_FILES, [
    "kysely",
    "pg",
  ]);
  const raw = join(REPOSITORY, "bench/database/raw.mjs");
  const parts = [EXPLANATION];
  for (const { path, version } of nodes) {
    const servers = [
      await startOn(path, RAW, raw),
      await startOn(path, OURS, ours),
      await startOn(path, RAW_AGAIN, raw),
    ];
    await requireSameAnswers(servers, CASES);
    parts.push(`### Node ${version}`, formatReport(await measure(servers, CASES, amount)));
    await Promise.all(servers.map((server) => server.stop()));
  }
  return parts.join("\n\n");
}

/** On a database of its own, so that all of them have the same rows. */
async function startOn(node: string, name: string, file: string): Promise<Started> {
  const folder = createFolder("bench");
  const database = join(folder, "app.db");
  await runWell([node, "--no-warnings", "-e", FILL, database, SCHEMA, String(ROWS)], {
    cwd: folder,
    env: isolatedEnvironment(),
  });
  const server = await serve(folder, onProcessor("server", [node, "--no-warnings", file]), {
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: String(await freePort()),
    DATABASE_URL: `sqlite:${database}`,
  });
  if (server.pid === undefined) throw new Error(`${name} was not started.`);
  return { name, pid: server.pid, url: server.url, stop: server.stop };
}

const FILL = `
const { DatabaseSync } = require("node:sqlite");
const [file, schema, rows] = process.argv.slice(1);
const db = new DatabaseSync(file);
db.exec("pragma journal_mode = wal; " + schema + "; begin");
const insert = db.prepare("insert into books (title, pages, is_read) values (?, ?, ?)");
for (let row = 1; row <= Number(rows); row++) insert.run("Book " + row, row, row % 2);
db.exec("commit");
`;
