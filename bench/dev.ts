/** `framework dev`: from its start to the first answer, and from the save of a file to the first answer by what was saved, under load. */

import { rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { addDatabase } from "../e2e/harness/database-project.ts";
import { linkPackages } from "../e2e/harness/modules.ts";
import { copyProject } from "../e2e/harness/project.ts";
import { DEV, type RunningServer, serve } from "../e2e/harness/server.ts";
import { formatTable, quantile } from "./measure.ts";
import { type Size, writeSources } from "./sized-project.ts";

interface Subject extends Size {
  readonly hasDatabase?: boolean;
}

const SIZES: readonly Subject[] = [
  { handlers: 10, apps: 1 },
  // It is left out on a Node without SQLite.
  ...("getBuiltinModule" in process && process.getBuiltinModule("node:sqlite")
    ? [{ handlers: 10, apps: 1, hasDatabase: true }]
    : []),
  { handlers: 1_000, apps: 50 },
  { handlers: 10_000, apps: 500 },
];

const EDITS = 25;
/** What a person takes at least between two saves. */
const PAUSE_MS = 1_500;
const LIMIT_MS = 20_000;
const MARK = "/api/v1/app0/mark";

export async function benchDev(): Promise<string> {
  const rows: string[][] = [];
  for (const size of SIZES) rows.push(...(await measure(size)));
  const note =
    "Milliseconds from the start, and from the save, to the first answer that has it. Single edits have a pause before them; in a burst each follows as soon as the one\n" +
    "before is served. All the while another client asks without a pause: how many answers it got, and how many were not a 200.";
  return `${note}\n\n${formatTable(HEADER, rows)}`;
}

const HEADER = ["handlers", "edits", "median ms", "quartiles", "slowest", "other requests", "failed"];

async function measure(size: Subject): Promise<string[][]> {
  const project = await copyProject();
  const { folder } = project;
  if (size.hasDatabase) {
    await addDatabase(project, "sqlite");
    linkPackages(project, "kysely", "pg");
  }
  for (const sample of ["apps", "routes"]) rmSync(join(folder, sample), { recursive: true });
  writeSources(folder, size);
  const edit = (mark: number): void =>
    writeFileSync(join(folder, "apps/app0/mark.ts"), `export const mark: number = ${mark};\n`);
  edit(0);
  writeFileSync(
    join(folder, "apps/app0/views.ts"),
    'import { mark } from "./mark.ts";\nexport const get_mark = () => ({ mark });\n',
  );
  const began = performance.now();
  const server = await serve(folder, DEV);
  while ((await get(`${server.url}${MARK}`)).status !== 200);
  const first = (performance.now() - began).toFixed(0);
  const rows = [
    [nameOf(size), "none: the start", first, "", "", "", ""],
    await measureEdits("single", PAUSE_MS, size, server, edit),
    await measureEdits("in a burst", 0, size, server, edit),
  ];
  await server.stop();
  return rows;
}

async function measureEdits(
  name: string,
  pauseBefore: number,
  size: Subject,
  server: RunningServer,
  edit: (mark: number) => void,
): Promise<string[]> {
  const url = `${server.url}${MARK}`;
  const load = startLoad(url);
  const times: number[] = [];
  for (let at = 0; at < EDITS; at++) {
    await pause(pauseBefore);
    const mark = performance.now();
    edit(mark);
    while ((await get(url)).text !== JSON.stringify({ mark })) {
      if (performance.now() - mark > LIMIT_MS) throw new Error(`An edit is not served:\n${server.output()}`);
    }
    times.push(performance.now() - mark);
  }
  const { answers, failures } = await load.stop();
  const show = (part: number): string => quantile(times, part).toFixed(0);
  const quartiles = `${show(0.25)} … ${show(0.75)}`;
  const [asked, failed] = [answers, failures].map((number) => number.toLocaleString("en"));
  return [nameOf(size), name, show(0.5), quartiles, show(1), asked ?? "", failed ?? ""];
}

function nameOf({ handlers, hasDatabase = false }: Subject): string {
  return `${handlers.toLocaleString("en")}${hasDatabase ? " and a database" : ""}`;
}

interface Load {
  stop(): Promise<{ answers: number; failures: number }>;
}

/** One client that keeps its connections as long as it may, one request after the other. */
function startLoad(url: string): Load {
  const agent = new Agent({ keepAlive: true });
  const counts = { answers: 0, failures: 0 };
  let isStopped = false;
  const ended = (async () => {
    while (!isStopped) {
      const isWell = await get(url, agent).then(
        ({ status }) => status === 200,
        () => false,
      );
      counts[isWell ? "answers" : "failures"] += 1;
      // As busy as a page that polls: the machine is to have something left to measure with.
      await pause(5);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await ended;
      agent.destroy();
      return counts;
    },
  };
}

function get(url: string, agent: Agent | false = false): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.on("error", reject);
    });
    asked.on("error", reject).end();
  });
}
