/** A file of SQLite as another process sees it: read, or locked. By a Node that has `node:sqlite`, which may not be the one that runs the tests. */

import { existsSync } from "node:fs";
import { runWell, start } from "./command.ts";
import { isolatedEnvironment } from "./environment.ts";
import { NODES, nodePath, whyNoNodes } from "./nodes.ts";

/** Of the promised versions, those that a project with a database runs on. This one, where no others can be had. */
export async function databaseNodes(): Promise<readonly { readonly name: string; readonly path: string }[]> {
  const why = await whyNoNodes();
  if (why !== undefined) return [{ name: "this Node", path: process.execPath }];
  return NODES.filter((name) => name !== "node20" && existsSync(nodePath(name))).map((name) => ({
    name,
    path: nodePath(name),
  }));
}

const READ = `
const { DatabaseSync } = require("node:sqlite");
const [file, statement] = process.argv.slice(1);
const rows = new DatabaseSync(file).prepare(statement).all();
for (const row of rows) console.log(Object.values(row).map((value) => value ?? "").join("|").replaceAll("\\n", " "));
`;

/** @returns the rows, with `|` between the columns. */
export async function readSqlite(file: string, statement: string): Promise<string[]> {
  const { stdout } = await runWell([await aNode(), "--no-warnings", "-e", READ, file, statement], {
    cwd: "/",
    env: isolatedEnvironment(),
  });
  return stdout.split("\n").filter(Boolean);
}

const LOCK = `
const { DatabaseSync } = require("node:sqlite");
const db = new DatabaseSync(process.argv[1]);
db.exec("begin immediate");
console.log("locked");
process.stdin.on("end", () => {
  db.exec("rollback");
  console.log("released");
}).resume();
`;

/** Another process keeps the right to write. @returns what gives it back. */
export async function lockSqlite(file: string): Promise<() => Promise<void>> {
  const holder = start([await aNode(), "--no-warnings", "-e", LOCK, file], {
    cwd: "/",
    env: isolatedEnvironment(),
  });
  await holder.waitFor(/locked/);
  return async () => {
    holder.endInput();
    await holder.ended;
  };
}

async function aNode(): Promise<string> {
  const [first] = await databaseNodes();
  return first?.path ?? process.execPath;
}
