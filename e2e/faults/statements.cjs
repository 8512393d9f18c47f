/**
 * Preloaded into a command (`node --require`): counts the statements that it has its database carry out, and strikes at the one that
 * STRIKE_AT names.
 *
 * STRIKE   what happens there
 * count    nothing; at the end it tells how many there are
 * before   the process is killed before the statement is sent
 * after    the process is killed once the statement is carried out
 * error    the statement fails
 */

const { createRequire } = require("node:module");
const { join } = require("node:path");
const { DatabaseSync, StatementSync } = require("node:sqlite");

const { STRIKE = "count", STRIKE_AT } = process.env;
let statements = 0;

/** @returns what befalls this statement; undefined for most. */
function count() {
  statements++;
  if (STRIKE === "count" || statements !== Number(STRIKE_AT)) return undefined;
  if (STRIKE === "before") process.kill(process.pid, "SIGKILL");
  return STRIKE;
}

for (const [owner, names] of [
  [DatabaseSync.prototype, ["exec"]],
  [StatementSync.prototype, ["run", "all", "get", "iterate"]],
]) {
  for (const name of names) {
    const original = owner[name];
    owner[name] = function (...words) {
      const strike = count();
      if (strike === "error")
        throw Object.assign(new Error("disk I/O error"), { code: "ERR_SQLITE_ERROR", errcode: 10 });
      const result = original.apply(this, words);
      if (strike === "after") process.kill(process.pid, "SIGKILL");
      return result;
    };
  }
}

// The project's own, which is the one that it loads.
const { Client } = createRequire(join(process.cwd(), "package.json"))("pg");
const { query } = Client.prototype;
Client.prototype.query = function (...words) {
  const strike = count();
  // It aborts the transaction, as an error in the statement itself does.
  if (strike === "error") return query.call(this, "select 1/0");
  const result = query.apply(this, words);
  if (strike === "after") result.then(() => process.kill(process.pid, "SIGKILL"));
  return result;
};

if (STRIKE === "count") process.on("exit", () => console.log(`${statements} statements`));
