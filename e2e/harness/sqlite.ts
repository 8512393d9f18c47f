/** Files of SQLite as another process sees them: read, or locked. By a Node that has `node:sqlite`, which may not be the one that runs the tests. */

import { start } from "./command.ts";
import { isolatedEnvironment } from "./environment.ts";
import { findNode, triedWithSqlite } from "./nodes.ts";
import { once } from "./once.ts";

/** Of the promised versions, the tried ones that a project with a database runs on. This one, where no others can be had. */
export const databaseNodes: () => Promise<readonly string[]> = once("Nodes with SQLite", async () => {
  const found = await Promise.all(triedWithSqlite.map(findNode));
  const programs = found.filter((program) => program !== undefined);
  return programs.length > 0 ? programs : [process.execPath];
});

/** Answers each line, a file and a statement, with one of rows. A file whose transaction begins stays open until that ends. */
const READER = `
const { DatabaseSync } = require("node:sqlite");
const locked = new Map();
const toLine = (row) => Object.values(row).map((value) => value ?? "").join("|").replaceAll("\\n", " ");
function answer({ file, statement }) {
  const db = locked.get(file) ?? new DatabaseSync(file);
  try {
    const rows = db.prepare(statement).all();
    if (statement.startsWith("begin")) locked.set(file, db);
    else if (statement === "rollback") locked.delete(file);
    return { rows: rows.map(toLine) };
  } catch (error) {
    return { error: error.message };
  } finally {
    if (!locked.has(file)) db.close();
  }
}
require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => console.log(JSON.stringify(answer(JSON.parse(line)))));
`;

/** One process for all tests of a file. */
const readerOnce = once("reader of SQLite", async () => {
  const [first = ""] = await databaseNodes();
  const words = [first, "--no-warnings", "-e", READER];
  const reader = start(words, { cwd: "/", env: isolatedEnvironment() });
  reader.letGo();
  return reader;
});

/** @returns the rows, with `|` between the columns. */
export async function readSqlite(file: string, statement: string): Promise<string[]> {
  const reader = await readerOnce();
  reader.write(`${JSON.stringify({ file, statement })}\n`);
  const [line] = await reader.waitFor(/^.+$(?=\n)/m);
  const { rows, error } = JSON.parse(line) as { rows?: string[]; error?: string };
  if (rows === undefined) throw new Error(`${statement}: ${error}`);
  return rows;
}

/** Another process keeps the right to write. @returns what gives it back. */
export async function lockSqlite(file: string): Promise<() => Promise<void>> {
  await readSqlite(file, "begin immediate");
  return async () => void (await readSqlite(file, "rollback"));
}
