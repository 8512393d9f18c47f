/** The blocks of docs/search-and-tenants.md for Postgres, on a real one. `docs.test.ts` runs those for SQLite. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readBlocks } from "./docs/blocks.ts";
import { run, runWell } from "./harness/command.ts";
import { engines, postgresOnce } from "./harness/database.ts";
import { node, sendTo } from "./harness/database-project.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { copySqlite } from "./harness/library.ts";
import type { Project } from "./harness/project.ts";
import { type RunningServer, serve } from "./harness/server.ts";
import { REPOSITORY } from "./harness/workspace.ts";

const postgres = (await engines()).includes("postgres") ? await postgresOnce() : undefined;
const testOnPostgres = postgres ? test : test.skip;
const blocks = readBlocks(readFileSync(join(REPOSITORY, "docs/search-and-tenants.md"), "utf8"));

/** @param file as its block names it. @param isForPostgres else the block that runs on SQLite. */
function textOf(file: string, isForPostgres: boolean): string {
  const found = blocks.find(
    ({ lines, notRun }) => lines[0] === `// ${file}` && (notRun !== undefined) === isForPostgres,
  );
  if (found === undefined) throw new Error(`The page has no ${file}.`);
  return found.lines.join("\n");
}

async function writeMigration(project: Project, name: string): Promise<void> {
  const { stdout } = await project.framework(["generate", "migration", name, "--json"]);
  const [, file = ""] = /"(database\/migrations\/\d+_[^"]+)"/.exec(stdout) ?? [];
  project.write(file, textOf(`database/migrations/…_${name}.ts`, true));
}

/** Row level security does not hold for superusers, so the app has a user that is none. */
async function startOnPostgres(project: Project, database: string): Promise<RunningServer> {
  await postgres?.sql("postgres", `create role ${database} login password 'test'`);
  await postgres?.sql("postgres", `create database ${database} owner ${database}`);
  const settings = { DATABASE_URL: `postgres://${database}:test@127.0.0.1:${postgres?.port}/${database}` };
  const env = { ...isolatedEnvironment(), ...settings };
  await runWell([node, "vendor/framework", "run", "database/migrate.ts"], { cwd: project.folder, env });
  return serve(project.folder, [node, "vendor/framework", "start"], settings);
}

testOnPostgres("a search finds words, and takes whatever people type", async () => {
  const project = await copySqlite();
  await writeMigration(project, "search_products");
  project.write("routes/search.ts", textOf("routes/search.ts", true));
  const { url } = await startOnPostgres(project, "search");
  await sendTo(url, "POST /categories/", { name: "Stationery" });
  for (const name of ["Red pencil", "Red pen for the pencil case", "Blue ruler"])
    await sendTo(url, "POST /products/", { sku: name, name, price: 1, category_id: 1 });
  const find = async (words: string): Promise<unknown> => {
    const { status, json } = await sendTo(url, `GET /search?q=${encodeURIComponent(words)}`);
    assert.is(status, 200, words);
    return (json as { id: number }[]).map(({ id }) => id);
  };
  assert.equal(await find("PENS"), [2]);
  assert.equal(await find("pencils -case"), [1]);
  assert.equal(await find('"red pencil" or ruler'), [1, 3]);
  for (const odd of ['"', "(", "a & | !", "'", " ", "%", "\\"]) assert.equal(await find(odd), []);
});

testOnPostgres("a query without the organisation finds no row of another one", async () => {
  const project = await copySqlite();
  project.write("auth.ts", textOf("auth.ts", false));
  for (const words of [
    "organisations name:string --guard operator",
    "projects name:string organisation:references --under organisations --guard member",
  ])
    assert.is((await project.framework(["generate", "resource", ...words.split(" ")])).status, 0, words);
  await writeMigration(project, "protect_projects");
  project.write("apps/projects/_hooks.ts", textOf("apps/projects/_hooks.ts", true));
  const complaints = await run([node, "node_modules/typescript/bin/tsc", "--noEmit"], {
    cwd: project.folder,
    env: isolatedEnvironment(),
  });
  assert.is(complaints.stdout, "");
  const views = project.read("apps/projects/views.ts");
  project.write(
    "apps/projects/views.ts",
    views.replaceAll('.where("organisation_id", "=", organisation_id)\n', "\n"),
  );
  const { url } = await startOnPostgres(project, "tenants");
  const send = async (user: string, line: string, body?: unknown): Promise<readonly unknown[]> => {
    const [method, path = ""] = line.split(" ");
    const headers = { authorization: `Bearer ${user}-token`, "content-type": "application/json" };
    const sent = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(url + path, { method, headers, body: sent } as RequestInit);
    return [response.status, await response.json()];
  };
  for (const name of ["One", "Two"])
    assert.equal((await send("ada", "POST /organisations/", { name }))[0], 201);
  const loom = { id: 1, name: "Loom", organisation_id: 1 };
  assert.equal(await send("ada", "POST /organisations/1/projects", { name: "Loom" }), [201, loom]);
  assert.equal((await send("bob", "GET /organisations/1/projects/1"))[0], 404);
  assert.equal(await send("bob", "GET /organisations/2/projects"), [200, { projects: [], next: null }]);
  assert.equal((await send("bob", "GET /organisations/2/projects/1"))[0], 404);
  assert.equal(await send("ada", "GET /organisations/1/projects"), [200, { projects: [loom], next: null }]);
});

test.run();
