
const DATABASE_FILES=new Map([[`vendor/framework/database.d.ts`,`/** The package \`framework/database\`: a database by Kysely, in a SQLite file or on a Postgres server, and what keeps its tables up to date. */
import type { Kysely, Transaction, IsolationLevel, Expression, SqlBool, Insertable } from "kysely";
import type { Migration } from "kysely/migration";
export {};

/** What queries throw where the database refuses them. The message has no values of the query in it. */
export declare class DatabaseError extends Error {
  readonly name: string;
  readonly kind: DatabaseErrorKind;
  /** As far as the engine says it. */
  readonly table: string | undefined;
  /** As far as the engine says them. */
  readonly columns: readonly string[];
  /** What a person can do, if it is known. */
  readonly hint: string | undefined;
  constructor(kind: DatabaseErrorKind, message: string, options?: DatabaseErrorOptions);
}

/**
 * - \`unique\`: another row has the same value.
 * - \`missing_reference\`: the row that a foreign key names does not exist.
 * - \`still_referenced\`: other rows refer to the row that was to be deleted or changed.
 * - \`not_null\`, \`check\`: a column refuses the value.
 * - \`bad_value\`: the value does not fit the type, as a NUL in a text or a number out of range.
 * - \`conflict\`: another transaction changed the same rows first. Run the transaction again.
 * - \`unavailable\`: the database can't be reached, is locked or too slow. Try again later.
 * - \`broken\`: the database can't write or read, as on a full disk or in a damaged file. A person has to repair it.
 */
export type DatabaseErrorKind =
  | "unique"
  | "missing_reference"
  | "still_referenced"
  | "not_null"
  | "check"
  | "bad_value"
  | "conflict"
  | "unavailable"
  | "broken";

export interface DatabaseErrorOptions {
  readonly table?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  /** What a person can do. */
  readonly hint?: string | undefined;
  /** What the engine said. */
  readonly cause?: unknown;
}

/**
 * @param db what \`openDatabase()\` returned.
 * @returns the same database, for the functions of one request. {@link joinTransaction} makes its queries part of a transaction.
 * @example yield forRequest(db);
 */
export declare function forRequest<Tables>(db: Kysely<Tables>): Kysely<Tables>;

/**
 * From now on, the queries of the database are part of the transaction, also those that were built before. After the end of the
 * transaction they fail, because they come too late for it. Another transaction can't begin.
 *
 * @param db what {@link forRequest} returned.
 * @throws {TypeError} for another one.
 * @example joinTransaction(db, await db.startTransaction().execute());
 */
export declare function joinTransaction(
  db: Pick<Kysely<unknown>, "getExecutor">,
  transaction: Pick<Transaction<unknown>, "getExecutor" | "isTransaction">,
): void;

export interface InTransactionOptions {
  /** SQLite has \`serializable\` only, whatever is asked for. */
  readonly isolation?: IsolationLevel;
  /** How often it is tried. 3. */
  readonly attempts?: number;
}

/**
 * Runs work in a transaction: commits it, or rolls it back if the work throws. Where another transaction changed the same rows first,
 * it runs the work again. So the work has to do nothing but queries of the transaction.
 *
 * @returns what the work returns.
 * @throws what the work throws, and a {@link DatabaseError} of the kind \`conflict\` after the last attempt.
 * @example await inTransaction(db, (transaction) => transfer(transaction, from, to), { isolation: "serializable" });
 */
export declare function inTransaction<Tables, T>(
  db: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<T>,
  { isolation, attempts }?: InTransactionOptions,
): Promise<T>;

/** Migrations by name. They are applied in the order of their names, so that a name begins with a time. */
export type Migrations = Readonly<Record<string, Migration>>;

export interface DatabaseOptions {
  /** \`sqlite:data/app.db\`, \`sqlite::memory:\` or \`postgres://…\`. A relative file is looked for from the project's root. */
  readonly url: string;
  /** The most connections that this process has at once to a Postgres server. 10. */
  readonly connections?: number;
  /** Seconds that a query waits for a connection or a lock before it fails as \`unavailable\`. 5. */
  readonly waitTimeout?: number;
  /** Seconds that a statement may take on a Postgres server before it fails as \`unavailable\`. 30. */
  readonly statementTimeout?: number;
}

/**
 * Opens a database. The first query connects to it, so that this neither waits nor fails for one that is away.
 *
 * @returns Kysely, with \`Tables\` as the types of the tables.
 * @throws {Problem} for a wrong URL.
 * @example export const db = openDatabase<Tables>({ url: process.env.DATABASE_URL ?? "sqlite:data/app.db" });
 */
export declare function openDatabase<Tables>(options: DatabaseOptions): Kysely<Tables>;

/**
 * Makes sure that the database has the tables that this code needs. In development it applies new migrations. In a test it does nothing.
 * Otherwise it only checks: a database that has more migrations is fine, because a deployment replaces servers one by one.
 *
 * @throws {Problem} where migrations are missing, and where the database can't be reached.
 * @example await prepareDatabase(db, migrations);
 */
export declare function prepareDatabase<Tables>(db: Kysely<Tables>, migrations: Migrations): Promise<void>;

/**
 * Asks the database whether it answers, which a load balancer may want to know every second. It writes nothing: whether the database can
 * write is known from the queries of the last 30 seconds.
 *
 * @throws {DatabaseError} \`unavailable\` where it does not answer; \`broken\` where a query has failed so in this time.
 * @example await checkDatabase(db);
 */
export declare function checkDatabase<Tables>(db: Kysely<Tables>): Promise<void>;

/**
 * True where a column contains the text, in upper or lower case. \`%\`, \`_\` and \`\\\` of the text are plain characters.
 *
 * @param column an expression, as \`ref("title")\`.
 * @example db.selectFrom("books").selectAll().where(({ ref }) => containsText(ref("title"), "war"))
 */
export declare function containsText(column: Expression<unknown>, text: string): Expression<SqlBool>;

/**
 * Runs what the words say: \`up\` applies what is pending, \`down\` reverts the last migration, \`status\` lists them. It prints what it does,
 * sets the exit status of the process, and closes the database.
 *
 * @param words what the process was started with. \`up\` without one.
 * @example await runMigrations(db, migrations);
 */
export declare function runMigrations<Tables>(
  db: Kysely<Tables>,
  migrations: Migrations,
  words?: readonly string[],
): Promise<void>;

/** Rows by table. A table comes after those that its rows refer to. */
export type SeedRows<Tables> = {
  readonly [Table in keyof Tables]?: readonly Insertable<Tables[Table]>[];
};

/**
 * Inserts the rows of each table that is empty, in the given order and in one transaction. It prints what it does, sets the exit status
 * of the process, and closes the database.
 *
 * @example await seedDatabase(db, { categories: [{ name: "Stationery" }] });
 */
export declare function seedDatabase<Tables>(
  db: Kysely<Tables>,
  rowsByTable: SeedRows<Tables>,
): Promise<void>;

/**
 * Opens an empty database with the project's tables: in memory for SQLite, and a schema of its own on a Postgres server, which goes when
 * the process ends. Tests need not close it.
 *
 * @throws {DatabaseError} where the server can't be reached.
 * @example const db = await openTestDatabase<Tables>({ url, migrations });
 */
export declare function openTestDatabase<Tables>({
  url,
  migrations,
}: TestDatabaseOptions): Promise<Kysely<Tables>>;

export interface TestDatabaseOptions {
  /** The URL of the project's database. Its tables are not touched. */
  readonly url: string;
  readonly migrations: Migrations;
}
`],[`vendor/framework/database.js`,`import { engineOf, DatabaseError, changeSchema } from "./database/engine.js";
import { Kysely, DefaultQueryExecutor, sql, expressionBuilder } from "kysely";
import { Problem, reportFailure } from "./runtime/log.js";
import { createPostgres, createTestSchema } from "./database/postgres.js";
import { createSqlite } from "./database/sqlite.js";
import { resolve, join, dirname } from "node:path";
import { existsSync, readdirSync } from "node:fs";
import { Migrator } from "kysely/migration";

/**
 * The database of one request: once the request has a transaction, all its queries are part of it. A query on another connection would
 * not see what the transaction has written, and requests that wait for a second connection while they hold one wait for each other.
 */

/**
 * @param db what \`openDatabase()\` returned.
 * @returns the same database, for the functions of one request. {@link joinTransaction} makes its queries part of a transaction.
 * @example yield forRequest(db);
 */
function forRequest(db) {
  const engine = engineOf(db);
  const { dialect, driver } = engine;
  const executor = new RequestExecutor(new RequestConnections(db.getExecutor()), engine);
  return new Kysely({ config: { dialect }, dialect, driver, executor });
}

/**
 * From now on, the queries of the database are part of the transaction, also those that were built before. After the end of the
 * transaction they fail, because they come too late for it. Another transaction can't begin.
 *
 * @param db what {@link forRequest} returned.
 * @throws {TypeError} for another one.
 * @example joinTransaction(db, await db.startTransaction().execute());
 */
function joinTransaction(db, transaction) {
  const executor = db.getExecutor();
  if (!(executor instanceof RequestExecutor))
    throw new TypeError(
      "joinTransaction() needs a database that forRequest() returned. A test replaces \`connection\`, not \`database\`.",
    );
  executor.connections.transaction = transaction.getExecutor();
}

/** Those of the database, and then that of the transaction. */
class RequestConnections {
  transaction;
  pool;

  constructor(pool) {
    this.pool = pool;
  }

  async provideConnection(consumer, options) {
    return (this.transaction ?? this.pool).provideConnection(consumer, options);
  }
}

class RequestExecutor extends DefaultQueryExecutor {
  connections;
  #engine;

  constructor(connections, engine) {
    const { pool } = connections;
    super(pool, pool.adapter, connections, [...pool.plugins]);
    this.connections = connections;
    this.#engine = engine;
  }

  /** To take a connection costs as much as to read a row of SQLite: \`npm run bench -- database\`. */
  executeQuery(query, options) {
    const isAlone = !this.connections.transaction && !options && this.plugins.length === 0;
    const result = isAlone ? this.#engine.run?.(query) : undefined;
    return result ?? super.executeQuery(query, options);
  }
}

/** A transaction that is tried again where another one came in its way. */

/** Milliseconds before the second attempt, at most; then twice as long each time. */
const FIRST_WAIT = 20;

/**
 * Runs work in a transaction: commits it, or rolls it back if the work throws. Where another transaction changed the same rows first,
 * it runs the work again. So the work has to do nothing but queries of the transaction.
 *
 * @returns what the work returns.
 * @throws what the work throws, and a {@link DatabaseError} of the kind \`conflict\` after the last attempt.
 * @example await inTransaction(db, (transaction) => transfer(transaction, from, to), { isolation: "serializable" });
 */
async function inTransaction(db, work, { isolation, attempts = 3 } = {}) {
  const builder = db.transaction();
  for (let attempt = 1; ; attempt++) {
    try {
      return await (isolation ? builder.setIsolationLevel(isolation) : builder).execute(work);
    } catch (error) {
      const isConflict = error instanceof DatabaseError && error.kind === "conflict";
      if (!isConflict || attempt >= attempts) throw error;
      await sleep(Math.random() * FIRST_WAIT * 2 ** (attempt - 1));
    }
  }
}

function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Where a project begins. */

const CONFIG_FILE = "framework.toml";

/** The nearest folder, from the given one upwards, that holds a \`framework.toml\`; an absolute path. */
function findProjectRoot(from) {
  return findAbove(from, CONFIG_FILE);
}

/** The nearest folder, from the given one upwards, that holds such an entry; an absolute path. */
function findAbove(from, entry) {
  let folder = resolve(from);
  while (!existsSync(join(folder, entry))) {
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  return folder;
}

/** What a database URL means. */

const EXAMPLES = "Use one like sqlite:data/app.db or postgres://user:password@host:5432/name.";

/**
 * @param from the folder that a relative file is looked for from: its project's root, if it is in a project.
 * @throws {Problem} for any other URL. It does not show a password.
 * @example parseDatabaseUrl("sqlite:data/app.db", "/srv/shop") // { engine: "sqlite", path: "/srv/shop/data/app.db" }
 */
function parseDatabaseUrl(url, from) {
  const [, scheme = "", rest = ""] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url.trim()) ?? [];
  switch (scheme.toLowerCase()) {
    case "sqlite":
      return { engine: "sqlite", path: toPath(rest, from) };
    case "postgres":
    case "postgresql":
      if (!rest.startsWith("//") || !URL.canParse(url.trim()))
        throw new Problem(
          "The database URL is not valid.",
          "It has the form postgres://user:password@host:5432/name. Write special characters of the password as %23 for #.",
        );
      return { engine: "postgres", url: url.trim() };
    case "":
      throw new Problem(
        url.trim() === "" ? "The database URL is empty." : "The database URL has no scheme.",
        EXAMPLES,
      );
    default:
      throw new Problem(\`The database URL begins with \${scheme}:, which is not a known engine.\`, EXAMPLES);
  }
}

/** With two slashes, too: other tools write them. */
function toPath(rest, from) {
  const path = rest.replace(/^\\/\\/(?=.)/, "");
  if (path === ":memory:") return undefined;
  if (path === "" || /[\\\\/]$/.test(path)) throw new Problem("The database URL names no file.", EXAMPLES);
  return resolve(findProjectRoot(from) ?? from, path);
}

/** Opens a database by its URL. */

/**
 * Opens a database. The first query connects to it, so that this neither waits nor fails for one that is away.
 *
 * @returns Kysely, with \`Tables\` as the types of the tables.
 * @throws {Problem} for a wrong URL.
 * @example export const db = openDatabase<Tables>({ url: process.env.DATABASE_URL ?? "sqlite:data/app.db" });
 */
function openDatabase(options) {
  return openUnguarded(options, { beforeOpening: forbidInTests });
}

function openUnguarded(options, details) {
  const { url, connections = 10, waitTimeout = 5, statementTimeout = 30 } = options;
  const target = parseDatabaseUrl(url, process.cwd());
  const shared = { ...details, waitMilliseconds: toMilliseconds(waitTimeout) };
  if (target.engine === "sqlite") return createSqlite({ ...shared, path: target.path });
  const statementMilliseconds = toMilliseconds(statementTimeout);
  return createPostgres({ ...shared, url: target.url, connections, statementMilliseconds });
}

/** A timer of more would end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

function toMilliseconds(seconds) {
  return Math.min(seconds * 1000, LONGEST_TIMER);
}

/** Keeps tests away from the database of development. @throws {Problem} in a test */
function forbidInTests() {
  if (process.env.NODE_ENV === "test")
    throw new Problem(
      "A test opens a database of its own: createTestApp() of tests/_database.ts.",
      "Pass its app or its db on, and import no db of database/connection.ts.",
    );
}

/** Applies and reverts migrations: all in one transaction, and each once, however many processes start with it at once. */

const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

/** @returns the names of those that were applied before, in order. None for a database without tables. */
async function readApplied(db) {
  try {
    const { rows } = await sql\`select name from kysely_migration\`.execute(db);
    return rows.map(({ name }) => name).sort(compare);
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}

/** What an engine says of a table that it does not have. */
function isMissingTable(error) {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "42P01") || /^no such table: /.test(error.message);
}

/** @returns the names of those that are still to be applied, in order. */
async function findPending(db, migrations) {
  const applied = new Set(await readApplied(db));
  return Object.keys(migrations)
    .filter((name) => !applied.has(name))
    .sort(compare);
}

/**
 * Applies those that are pending. If none is, a database with more migrations is fine: an old version may be started again after a
 * deployment of the next one.
 *
 * @returns their names. @throws {Problem} where one fails: then none is applied
 */
async function applyMigrations(db, migrations) {
  if ((await findPending(db, migrations)).length === 0) return [];
  return migrate(db, migrations, (migrator) => migrator.migrateToLatest());
}

/** Reverts the one that was applied last. @returns its name; none if nothing is applied. @throws {Problem} where it fails */
function revertMigration(db, migrations) {
  return migrate(db, migrations, (migrator) => migrator.migrateDown());
}

async function migrate(db, migrations, run) {
  return changeSchema(db, async (transaction) => {
    // Made here, because Kysely would look for them in all schemas, and would find those of others.
    await sql\`create table if not exists kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)\`.execute(
      transaction,
    );
    await sql\`create table if not exists kysely_migration_lock (id varchar(255) not null primary key, is_locked integer not null default 0)\`.execute(
      transaction,
    );
    const unknown = (await readApplied(transaction)).filter((name) => !Object.hasOwn(migrations, name));
    if (unknown.length > 0)
      throw new Problem(
        \`The database has migrations that this code lacks: \${unknown.join(", ")}.\`,
        "Restore their files in database/migrations/, and their lines in its index.ts.",
      );
    const migrator = new Migrator({
      db: transaction,
      provider: { getMigrations: async () => migrations },
      allowUnorderedMigrations: true,
      nameComparator: compare,
    });
    const { error, results = [] } = await run(migrator);
    if (error)
      throw toFailedMigration(error, results.find(({ status }) => status === "Error")?.migrationName);
    const stuck = results.find(({ status }) => status === "NotExecuted");
    if (stuck) throw new Problem(\`\${stuck.migrationName} can't be reverted: it has no function \\\`down\\\`.\`);
    return results.map(({ migrationName }) => migrationName);
  });
}

function toFailedMigration(error, name) {
  if (name === undefined) return error;
  const said = error instanceof DatabaseError && error.cause instanceof Error ? error.cause : error;
  const message = said instanceof Error ? said.message : String(said);
  return new Problem(\`\${name} has failed: \${message}\`, "The database is as it was before.", { cause: error });
}

/** What a server does with its database before it serves. */

/**
 * Makes sure that the database has the tables that this code needs. In development it applies new migrations. In a test it does nothing.
 * Otherwise it only checks: a database that has more migrations is fine, because a deployment replaces servers one by one.
 *
 * @throws {Problem} where migrations are missing, and where the database can't be reached.
 * @example await prepareDatabase(db, migrations);
 */
async function prepareDatabase(db, migrations) {
  if (process.env.NODE_ENV === "test") return;
  try {
    const pending = await findPending(db, migrations);
    if (pending.length === 0) return;
    if (process.env.NODE_ENV !== "development") throw lacks(pending);
    for (const name of await applyMigrations(db, migrations)) console.log(\`Applied \${name}.\`);
  } catch (error) {
    throw toProblem(error);
  }
}

function lacks(pending) {
  const count = pending.length === 1 ? "a migration" : \`\${pending.length} migrations\`;
  return new Problem(
    \`The database lacks \${count}: \${pending.join(", ")}.\`,
    "Run \`npm run migrate\`; where only the build is, \`node dist/migrate.js\`.",
  );
}

/** Shows what a person has to fix as a message, without a stack. @returns the error itself where the code is wrong. */
function toProblem(error) {
  if (error instanceof DatabaseError && (error.kind === "unavailable" || error.kind === "broken"))
    return new Problem(error.message, error.hint, { cause: error });
  if (!isDenied(error)) return error;
  const hint = "Let the user of DATABASE_URL do it, or name another one.";
  return new Problem(\`The database server does not allow it: \${error.message}.\`, hint, { cause: error });
}

/** As where a user may use the tables, and not make some. */
function isDenied(error) {
  return error instanceof Error && "code" in error && error.code === "42501";
}

/** Queries that every project needs, and that Kysely has not. */

/**
 * True where a column contains the text, in upper or lower case. \`%\`, \`_\` and \`\\\` of the text are plain characters.
 *
 * @param column an expression, as \`ref("title")\`.
 * @example db.selectFrom("books").selectAll().where(({ ref }) => containsText(ref("title"), "war"))
 */
function containsText(column, text) {
  const pattern = \`%\${text.replace(/[\\\\%_]/g, "\\\\$&")}%\`;
  return expressionBuilder()(column, "ilike", pattern);
}

/**
 * Asks the database whether it answers, which a load balancer may want to know every second. It writes nothing: whether the database can
 * write is known from the queries of the last 30 seconds.
 *
 * @throws {DatabaseError} \`unavailable\` where it does not answer; \`broken\` where a query has failed so in this time.
 * @example await checkDatabase(db);
 */
async function checkDatabase(db) {
  await sql\`select 1\`.execute(db);
  engineOf(db).health.require();
}

/** The command line of a project's \`database/migrate.ts\`. */

const COMMANDS = { up, down, status };

/**
 * Runs what the words say: \`up\` applies what is pending, \`down\` reverts the last migration, \`status\` lists them. It prints what it does,
 * sets the exit status of the process, and closes the database.
 *
 * @param words what the process was started with. \`up\` without one.
 * @example await runMigrations(db, migrations);
 */
async function runMigrations(db, migrations, words = process.argv.slice(2)) {
  try {
    await findCommand(words)(db, migrations);
  } catch (error) {
    reportFailure(toProblem(error));
  } finally {
    await db.destroy();
  }
}

function findCommand(words) {
  const [word = "up", extra] = words;
  const command = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
  if (command && extra === undefined) return command;
  throw new Problem(\`Unexpected argument \\\`\${command ? extra : word}\\\`.\`, "There are up, down and status.");
}

async function up(db, migrations) {
  warnOfUnlisted(migrations);
  const applied = await applyMigrations(db, migrations);
  for (const name of applied) console.log(\`Applied \${name}.\`);
  if (applied.length === 0) console.log(nothingToApply(Object.keys(migrations).length));
}

function nothingToApply(count) {
  if (count === 0) return "Nothing to apply: there are no migrations.";
  return \`Nothing to apply: \${count === 1 ? "1 migration is" : \`\${count} migrations are\`} in place.\`;
}

async function down(db, migrations) {
  const reverted = await revertMigration(db, migrations);
  for (const name of reverted) console.log(\`Reverted \${name}.\`);
  if (reverted.length === 0) console.log("Nothing to revert: no migration is in place.");
}

async function status(db, migrations) {
  warnOfUnlisted(migrations);
  const pending = await findPending(db, migrations);
  const applied = await readApplied(db);
  const names = [...new Set([...applied, ...pending])].sort();
  for (const name of names) {
    const note = Object.hasOwn(migrations, name) ? "" : " (its file is missing)";
    console.log(\`\${pending.includes(name) ? "pending" : "applied"}  \${name}\${note}\`);
  }
  if (names.length === 0) console.log("There are no migrations.");
}

/** A file that nobody listed would never be applied. */
function warnOfUnlisted(migrations) {
  const root = findProjectRoot(process.cwd());
  if (root === undefined) return;
  let files;
  try {
    files = readdirSync(join(root, "database/migrations"));
  } catch {
    return;
  }
  for (const file of files) {
    const [, name] = /^(?!index\\.)(.*)(?<!\\.d)\\.[cm]?ts$/.exec(file) ?? [];
    if (name !== undefined && !Object.hasOwn(migrations, name))
      console.error(\`warning database/migrations/\${file} is not listed in database/migrations/index.ts.\`);
  }
}

/** Fills empty tables with rows to begin with. */

/**
 * Inserts the rows of each table that is empty, in the given order and in one transaction. It prints what it does, sets the exit status
 * of the process, and closes the database.
 *
 * @example await seedDatabase(db, { categories: [{ name: "Stationery" }] });
 */
async function seedDatabase(db, rowsByTable) {
  try {
    const lines = await db.transaction().execute(async (transaction) => {
      const done = [];
      for (const [table, rows] of Object.entries(rowsByTable))
        done.push(await seed(transaction, table, rows));
      return done;
    });
    for (const line of lines) console.log(line);
  } catch (error) {
    reportFailure(toProblem(error));
  } finally {
    await db.destroy();
  }
}

async function seed(db, table, rows) {
  if (await hasRows(db, table)) return \`\${table} has rows already.\`;
  for (const row of rows) await db.insertInto(table).values(row).execute();
  return \`Inserted \${rows.length === 1 ? "1 row" : \`\${rows.length} rows\`} into \${table}.\`;
}

async function hasRows(db, table) {
  try {
    return (await sql\`select 1 from \${sql.table(table)} limit 1\`.execute(db)).rows.length > 0;
  } catch (error) {
    if (!isMissingTable(error)) throw error;
    throw new Problem(\`The database has no table \${table}.\`, "Run \`npm run migrate\` first.");
  }
}

/** A database of its own for a test. */

/** Few, because many test files run at once, and a server has 100. */
const CONNECTIONS = 4;

/**
 * Opens an empty database with the project's tables: in memory for SQLite, and a schema of its own on a Postgres server, which goes when
 * the process ends. Tests need not close it.
 *
 * @throws {DatabaseError} where the server can't be reached.
 * @example const db = await openTestDatabase<Tables>({ url, migrations });
 */
async function openTestDatabase({ url, migrations }) {
  const isPostgres = parseDatabaseUrl(url, process.cwd()).engine === "postgres";
  const details = isPostgres ? { schema: await createTestSchema(url) } : {};
  const options = { url: isPostgres ? url : "sqlite::memory:", connections: CONNECTIONS };
  const db = openUnguarded(options, details);
  await applyMigrations(db, migrations);
  return db;
}

/** The package \`framework/database\`: a database by Kysely, in a SQLite file or on a Postgres server, and what keeps its tables up to date. */

export {
  DatabaseError,
  checkDatabase,
  containsText,
  forRequest,
  inTransaction,
  joinTransaction,
  openDatabase,
  openTestDatabase,
  prepareDatabase,
  runMigrations,
  seedDatabase,
};
`],[`vendor/framework/database/engine.js`,`import {
  OperationNodeTransformer,
  TableNode,
  IdentifierNode,
  ValueListNode,
  BinaryOperationNode,
  ReferenceNode,
  ColumnNode,
  ColumnUpdateNode,
  InsertQueryNode,
} from "kysely";
import { Problem } from "../runtime/log.js";

/** What a database refuses, in words that are the same for every engine, and what a transaction does. */

/** What queries throw where the database refuses them. The message has no values of the query in it. */
class DatabaseError extends Error {
  name = "DatabaseError";
  kind;
  /** As far as the engine says it. */
  table;
  /** As far as the engine says them. */
  columns;
  /** What a person can do, if it is known. */
  hint;

  constructor(kind, message, options = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.kind = kind;
    this.table = options.table;
    this.columns = options.columns ?? [];
    this.hint = options.hint;
  }
}

const MESSAGES = {
  unique: (place) => \`Another row\${ofTable(place)} has the same \${columnsOf(place, "value")}.\`,
  missing_reference: (place) =>
    \`The row that \${columnsOf(place, "a column")}\${ofTable(place)} refers to does not exist.\`,
  still_referenced: () => "Other rows still refer to this row.",
  not_null: (place) => \`\${columnsOf(place, "A column")}\${ofTable(place)} needs a value.\`,
  check: (place) => \`A check\${ofTable(place)} refuses the row.\`,
  bad_value: () => "A value does not fit the type of its column.",
  conflict: () => "Another transaction changed the same rows first.",
};

/** @example createRefusal("unique", { table: "books", columns: ["isbn"] }) // "Another row of books has the same isbn." */
function createRefusal(kind, options) {
  return new DatabaseError(kind, MESSAGES[kind](options), options);
}

function ofTable({ table }) {
  return table === undefined ? "" : \` of \${table}\`;
}

function columnsOf({ columns = [] }, unknown) {
  return columns.length === 0 ? unknown : columns.join(" and ");
}

/** For a query that waited for its turn in a transaction, and would now run outside of it. */
function lateQuery() {
  return new Error("The transaction of this query has ended.");
}

/** For \`db.transaction()\` where \`db\` is that of a request with a transaction: another one would need another connection. */
function transactionInTransaction() {
  return new Error("The queries of this request are part of its transaction, so no other one can begin.");
}

/** Its reader decides how long it takes. On SQLite, nobody else could write meanwhile. */
function streamInTransaction() {
  return new Problem(
    "A stream can't run in a transaction, which would stay open until the last row is read.",
    "Stream from the database in a route without a transaction, or read pages of rows with limit().",
  );
}

/** Which values a database stores as they are, the one form of a time, and names in SQL. */

/**
 * A half of a surrogate pair has no UTF-8: it would be stored as U+FFFD, and two texts would become one.
 *
 * @throws {DatabaseError} for what one of the engines refuses or changes.
 */
function requireText(text) {
  if (text.includes("\\0")) throw refuse("A text has a NUL in it.");
  if (/\\p{Surrogate}/u.test(text)) throw refuse("A text has half of a surrogate pair in it.");
  return text;
}

/** @throws {DatabaseError} for NaN, which SQLite would store as null. */
function requireNumber(number) {
  if (Number.isNaN(number)) throw refuse("NaN is not a number that can be stored.");
  return number;
}

/**
 * In UTC, whatever the zone of this machine.
 *
 * @throws {DatabaseError} for a date that is not valid, and for years that ISO 8601 writes with a sign: Postgres does not read them.
 */
function toTimestamp(date) {
  if (Number.isNaN(date.getTime())) throw refuse("A Date is not valid.");
  const text = date.toISOString();
  if (!/^(?!0000)\\d{4}-/.test(text)) throw refuse("A Date is not in the years 1 to 9999.");
  return text;
}

const TIME =
  /^(\\d{4}-\\d\\d-\\d\\d)[T ](\\d\\d:\\d\\d)(:\\d\\d)?(?:\\.(\\d+))? ?(?:(Z)|([+-]\\d\\d)(?::?(\\d\\d))?(?::?(\\d\\d))?)?$/i;

/**
 * @param text a time as an engine writes it; without a zone, in UTC.
 * @returns ISO 8601 in UTC, with all digits that the engine has; the text itself where it is not a time.
 * @example readTime("2026-11-23 12:00:00.5+01") // "2026-11-23T11:00:00.500Z"
 */
function readTime(text) {
  const parts = TIME.exec(text);
  return (parts && format(parts, parts[4])) ?? text;
}

/**
 * @param value of a query, for a column of times. A Date has its form already.
 * @param digits of a second that the engine keeps.
 * @throws {DatabaseError} for a text that is not a time, or has no zone: each engine would take another one.
 */
function toTime(value, digits) {
  if (typeof value !== "string") return value;
  const parts = TIME.exec(value);
  const found = (parts?.[5] ?? parts?.[6]) && format(parts, parts[4]?.slice(0, digits).replace(/0+$/, ""));
  if (!found) throw refuse("A time needs its zone, as in 2026-11-23T12:00:00Z.");
  return found;
}

/** @returns undefined for a time that does not exist, as on February 30. */
function format(parts, fraction = "") {
  const [, date = "", time, seconds = ":00", , , hours = "+00", minutes = 0, ofMinute = 0] = parts;
  const local = Date.parse(\`\${date}T\${time}\${seconds}Z\`);
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(date)) return undefined;
  const away = Math.abs(Number(hours)) * 3600 + Number(minutes) * 60 + Number(ofMinute);
  const utc = toTimestamp(new Date(local + (hours.startsWith("-") ? away : -away) * 1000));
  return \`\${utc.slice(0, -5)}.\${fraction.padEnd(3, "0")}Z\`;
}

function refuse(reason) {
  return createRefusal("bad_value", { cause: new RangeError(reason) });
}

/** @example quoteName('a "b"') // '"a ""b"""' */
function quoteName(name) {
  return \`"\${name.replaceAll('"', '""')}"\`;
}

/** Which columns the values of a query belong to, and what that means for times. */

/**
 * Postgres compares times, and SQLite the texts that it stores for them. So a time in a query gets its one form before.
 *
 * @returns undefined where none of its values belongs to a column of times, as for each query with the same SQL.
 * @throws {DatabaseError} for a text that is not a time with its zone.
 */
function withTimes(query, times) {
  let hasTimes = false;
  const changed = mapValues(query, (value, { name, tables }) => {
    if (!tables.some((table) => times.isTime(table, name))) return value;
    hasTimes = true;
    return toTime(value, times.digits);
  });
  return hasTimes ? times.compiler.compileQuery(changed, query.queryId) : undefined;
}

function isText(value) {
  return typeof value === "string";
}

/** @returns the query with what \`map\` returns for each value that belongs to a column. */
function mapValues({ query, queryId }, map) {
  return new ValueMapper(map).transformNode(query, queryId);
}

/** What may be between a value and the operation that it is a part of. */
const LISTS = ["AndNode", "ValueListNode", "ValuesNode", "ParensNode"];

class ValueMapper extends OperationNodeTransformer {
  #map;
  /** By the names that the query has for them. */
  #tables = new Map();

  constructor(map) {
    super();
    this.#map = map;
  }

  transformTable(node, queryId) {
    const { name } = node.table.identifier;
    if (!this.#tables.has(name)) this.#tables.set(name, name);
    return super.transformTable(node, queryId);
  }

  transformAlias(node, queryId) {
    if (TableNode.is(node.node) && IdentifierNode.is(node.alias))
      this.#tables.set(node.alias.name, node.node.table.identifier.name);
    return super.transformAlias(node, queryId);
  }

  transformValue(node, queryId) {
    const list = this.nodeStack.at(-2);
    const index = list && ValueListNode.is(list) ? list.values.indexOf(node) : 0;
    return super.transformValue({ ...node, value: this.#mapAt(index, node.value) }, queryId);
  }

  transformPrimitiveValueList(node, queryId) {
    const values = node.values.map((value, index) => this.#mapAt(index, value));
    return super.transformPrimitiveValueList({ ...node, values }, queryId);
  }

  /** @param index in its row, where rows are inserted. */
  #mapAt(index, value) {
    const outside = this.nodeStack.slice(0, -1).reverse();
    const operation = outside.find(({ kind }) => !LISTS.includes(kind));
    if (!operation) return value;
    const isWritten = !BinaryOperationNode.is(operation);
    for (const node of columnsIn(operation, index)) {
      const [column, table] = ReferenceNode.is(node) ? [node.column, node.table] : [node, undefined];
      const named = table && this.#tables.get(table.table.identifier.name);
      const tables = named === undefined ? [...this.#tables.values()] : [named];
      if (ColumnNode.is(column)) return this.#map(value, { name: column.column.name, tables, isWritten });
    }
    return value;
  }
}

/** Where the columns are that a value of the operation may belong to. */
function columnsIn(operation, index) {
  if (BinaryOperationNode.is(operation)) return [operation.leftOperand, operation.rightOperand];
  if (ColumnUpdateNode.is(operation)) return [operation.column];
  return InsertQueryNode.is(operation) ? (operation.columns ?? []).slice(index, index + 1) : [];
}

/** What is known of a database beyond what Kysely lets see of it. */

/** By the adapter: what \`withPlugin()\` and \`withSchema()\` return has the same one. */
const engines = new WeakMap();

/** @returns the database. */
function register(db, engine) {
  engines.set(db.getExecutor().adapter, engine);
  return db;
}

/** @throws {TypeError} for a database that was opened by something else. */
function engineOf(db) {
  const found = engines.get(db.getExecutor().adapter);
  if (found) return found;
  throw new TypeError("This database was not opened by openDatabase().");
}

/** Runs work that changes tables in one transaction, while no other process does. */
function changeSchema(db, work) {
  const { forSchema, lockSchema, checkSchema } = engineOf(db);
  return forSchema()
    .transaction()
    .execute(async (transaction) => {
      await lockSchema?.(transaction);
      const result = await work(transaction);
      await checkSchema?.(transaction);
      return result;
    });
}

/**
 * Milliseconds for which a failure counts. A write that succeeds does not end them: a small one may still fit on a full disk. And where
 * no requests come because of the failure, no write would ever come to end it.
 */
const MEMORY = 30_000;

/** Whether a database has failed lately in a way that waiting does not repair, such as on a full disk. */
class Health {
  #failure;
  #failedAt = 0;

  /** @returns the error. */
  note(error) {
    if (error instanceof DatabaseError && error.kind === "broken") {
      this.#failure = error;
      this.#failedAt = performance.now();
    }
    return error;
  }

  /** @throws {DatabaseError} what failed, as long as it counts. */
  require() {
    if (this.#failure && performance.now() - this.#failedAt < MEMORY) throw this.#failure;
  }
}

export {
  DatabaseError,
  Health,
  changeSchema,
  createRefusal,
  engineOf,
  isText,
  lateQuery,
  mapValues,
  quoteName,
  readTime,
  register,
  requireNumber,
  requireText,
  streamInTransaction,
  toTime,
  toTimestamp,
  transactionInTransaction,
  withTimes,
};
`],[`vendor/framework/database/postgres.js`,`import {
  DatabaseError,
  createRefusal,
  readTime,
  requireText,
  requireNumber,
  toTimestamp,
  streamInTransaction,
  transactionInTransaction,
  lateQuery,
  isText,
  withTimes,
  quoteName,
  Health,
  register,
} from "./engine.js";
import { isProblem, Problem } from "../runtime/log.js";
import {
  PostgresQueryCompiler,
  CompiledQuery,
  PostgresDriver,
  PostgresIntrospector,
  HandleEmptyInListsPlugin,
  replaceWithNoncontingentExpression,
  Kysely,
  sql,
  PostgresAdapter,
} from "kysely";
import { basename } from "node:path";
import { randomInt } from "node:crypto";

/** What an error of a Postgres server, or of the way to it, means. */

const CHECK_URL = "Check what DATABASE_URL says.";
const RUNS = "Check that it runs, and that DATABASE_URL names it.";
const SERVER_FAILS = "Check its disk, its memory and its log.";

/** What waiting or a person repairs, by the code; \`$\` is what the server says. The first that fits. */
const FAILURES = [
  [/^53100/, "broken", "The disk of the database server is full.", "Make room on it."],
  [
    /^25006/,
    "broken",
    "The transaction or the server only reads.",
    "Write in another transaction, or on the primary server.",
  ],
  [/^(?:53200|58|XX00[12])/, "broken", "The database server fails: $.", SERVER_FAILS],
  [
    /^57014/,
    "unavailable",
    "A statement took too long, and was cancelled.",
    "Make it faster, or raise statementTimeout.",
  ],
  [
    /^55P03/,
    "unavailable",
    "A table was locked for too long.",
    "Try again when no other transaction uses it.",
  ],
  [
    /^53300/,
    "unavailable",
    "The database server has no connection left.",
    "Let each process have fewer, or put PgBouncer before it.",
  ],
  [
    /^(?:08P01|28|3D000|53|57P03)/,
    "unavailable",
    "The database server refuses the connection: $.",
    CHECK_URL,
  ],
  [/^(?:08|57P0)/, "unavailable", "The connection to the database server was lost.", RUNS],
];

/** What the values of a query do. */
const REFUSALS = [
  [/^23505/, "unique"],
  [/^23001/, "still_referenced"],
  [/^23502/, "not_null"],
  [/^23514/, "check"],
  [/^40(?:001|P01)/, "conflict"],
  [/^22(?:00[13789]|021|P0[235])/, "bad_value"],
];

const NETWORK =
  /^E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|NOENT|ACCES|HOSTDOWN)$/;
/** What \`pg\` says without a code. */
const GONE =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout expired)/;
const NO_TURN = /^timeout exceeded when trying to connect/;

/** @returns the error itself where it is a mistake in the query. */
function toDatabaseError(error) {
  if (!(error instanceof Error) || error instanceof DatabaseError) return error;
  const [kind, message, hint] = findFailure(error) ?? [];
  if (kind)
    return new DatabaseError(kind, message?.replace("$", () => error.message) ?? "", { hint, cause: error });
  return isServerError(error) ? (toRefusal(error) ?? error) : error;
}

function findFailure(error) {
  if (NO_TURN.test(error.message)) {
    const hint = "Let it have more connections, or make transactions shorter.";
    return ["unavailable", "No connection to the database became free in time.", hint];
  }
  if (isNetworkError(error)) return ["unavailable", "The connection to the database server was lost.", RUNS];
  const [, ...found] = FAILURES.find(([code]) => code.test(codeOf(error))) ?? [];
  return found[0] && found;
}

/**
 * For what fails before there is a connection.
 *
 * @param server where it should be, as \`localhost:5432\`.
 */
function toConnectError(error, server) {
  if (!(error instanceof Error) || isProblem(error) || error instanceof DatabaseError) return error;
  const known = toDatabaseError(error);
  const isAway = isNetworkError(error);
  if (!isAway && known instanceof DatabaseError) return known;
  // What is not known is as where a password is missing, or TLS.
  const [message, hint] = isAway
    ? [\`The database server at \${server} can't be reached (\${codeOf(error) || error.message}).\`, RUNS]
    : [\`The database server at \${server} can't be used: \${error.message}.\`, CHECK_URL];
  return new DatabaseError("unavailable", message, { hint, cause: error });
}

/** Whether a connection is of no more use: it has ended, or the server is about to end it. */
function isConnectionLost(error) {
  return !(error instanceof Error && isServerError(error)) || /^(?:57P|08)/.test(error.code);
}

function codeOf(error) {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

function isNetworkError(error) {
  // A certificate of the URL may be missing, too.
  const isFile = "syscall" in error && error.syscall === "open";
  return GONE.test(error.message) || (NETWORK.test(codeOf(error)) && !isFile);
}

function isServerError(error) {
  return codeOf(error) !== "" && "severity" in error;
}

function toRefusal(error) {
  const { code, table, detail = "", message } = error;
  const place = { table, columns: columnsOf(error), cause: error };
  // The server says which of the two it is in its language only; in most, the table comes last in one and not in the other.
  const isStill = /still referenced/.test(detail) || /^update or delete on table/.test(message);
  if (code === "23503") return createRefusal(isStill ? "still_referenced" : "missing_reference", place);
  const [, kind] = REFUSALS.find(([codes]) => codes.test(code)) ?? [];
  return kind && createRefusal(kind, place);
}

/** @example columnsOf({ detail: "Key (shop, isbn)=(1, 2) already exists." }) // ["shop", "isbn"] */
function columnsOf({ column, detail }) {
  if (column !== undefined) return [column];
  const [, list] = /^[^(]*\\(([^()]*)\\)=\\(/.exec(detail ?? "") ?? [];
  return list?.split(", ").map((name) => name.replace(/^"(.*)"$/, "$1")) ?? [];
}

/** How values go to a Postgres server, and come back: as those of SQLite do. */

const INT8 = 20;
const DATE = 1082;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;
const NUMERIC = 1700;

const PARSERS = new Map([
  [INT8, toInteger],
  [DATE, (text) => text],
  [TIMESTAMP, readTime],
  [TIMESTAMPTZ, readTime],
]);

/** @returns what reads the text of a type; undefined for one that is read as \`pg\` does. */
function parserOf(type) {
  return PARSERS.get(type);
}

function toInteger(text) {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** The sum of a \`bigint\` column is a \`numeric\` on the server: where it is whole, it becomes an integer, as it is on SQLite. */
function readSums(rows, fields) {
  const computed = fields.filter(({ dataTypeID, tableID }) => dataTypeID === NUMERIC && tableID === 0);
  for (const { name } of computed)
    for (const row of rows) {
      const value = row[name];
      if (typeof value === "string" && /^-?\\d+$/.test(value)) row[name] = toInteger(value);
    }
}

/** @throws {DatabaseError} for what SQLite refuses, too. */
function toParameter(value) {
  if (typeof value === "string") return requireText(value);
  if (typeof value === "number") return requireNumber(value);
  return value instanceof Date ? toTimestamp(value) : value;
}

/** A connection to a Postgres server while Kysely has it: one statement at a time, each in limited time, and none after its transaction. */

/** Milliseconds in which a server cancels a statement. */
const CANCEL_GRACE = 2_000;

class Client {
  #client;
  #options;
  #isBroken = false;
  #isReleased = false;
  #transaction;
  /** Until whoever held the connection for a transaction has given it back, or goes on with it. */
  #ending;
  #last = Promise.resolve();

  constructor(client, options) {
    this.#client = client;
    this.#options = options;
  }

  get processID() {
    return this.#client.processID;
  }

  query(what, parameters = []) {
    if (typeof what === "string") return this.#take(what, parameters);
    if (this.#transaction) throw streamInTransaction();
    if (what instanceof Cursor) what.client = this;
    return what;
  }

  #take(sql, parameters) {
    const isEnd = sql === "commit" || sql === "rollback";
    if (/^(?:begin|start transaction)\\b/.test(sql)) {
      if (this.#transaction) throw transactionInTransaction();
      this.#transaction = { isReadOnly: sql.endsWith("read only") };
      this.#ending = undefined;
    }
    const transaction = this.#transaction;
    if (isEnd) this.#transaction = undefined;
    const sent = this.#last.then(async () => {
      if (!isEnd) await this.#refuseLate(transaction);
      return this.#send(sql, parameters, transaction?.isReadOnly === true);
    });
    this.#last = sent.catch(() => {});
    if (isEnd) this.#ending = this.#last.then(() => new Promise(setImmediate));
    return sql === "rollback" ? sent.catch(() => this.#giveUp()) : sent;
  }

  /** Kysely ends a transaction without waiting for its queries, as where one of several at once has failed. */
  async #refuseLate(transaction) {
    if (!transaction && this.#ending) await this.#ending;
    if (this.#isReleased || transaction !== this.#transaction) throw lateQuery();
  }

  /** A connection that can't roll back is closed: then the server does. */
  #giveUp() {
    this.#isBroken = true;
    return { command: "ROLLBACK", rowCount: 0, rows: [] };
  }

  async #send(sql, parameters, isReadOnly) {
    const { limit, health } = this.#options;
    const timers = [];
    const later = (milliseconds, work) => timers.push(setTimeout(work, milliseconds));
    // First it is asked for. A server that has gone without a word does not answer.
    if (Number.isFinite(limit))
      later(limit, () => {
        this.#cancel();
        later(CANCEL_GRACE, () => this.breakOff());
      });
    try {
      const result = await this.#client.query(sql, parameters.map(toParameter));
      readSums(result.rows ?? [], result.fields ?? []);
      return result;
    } catch (error) {
      if (isConnectionLost(error)) this.#isBroken = true;
      const found = toDatabaseError(error);
      // A write in a transaction that only reads is a mistake of the code.
      throw isReadOnly ? found : health.note(found);
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  }

  /** The other side closes that connection: PgBouncer drops the request of a client that left before, and its version 1.18 crashes. */
  #cancel() {
    // It may arrive late, and would then cancel the next statement.
    this.#isBroken = true;
    const { host, port, processID, secretKey, ssl } = this.#client;
    const other = this.#options.createCanceller({ ssl });
    const cancel = () => other.cancel(processID, secretKey);
    other.on("error", () => {}).on("sslconnect", cancel);
    other.on("connect", () => (ssl ? other.requestSsl() : cancel()));
    if (host.startsWith("/")) other.connect(\`\${host}/.s.PGSQL.\${port}\`);
    else other.connect(port, host);
    setTimeout(() => other.stream.destroy(), CANCEL_GRACE);
  }

  /** The statement that runs fails. */
  breakOff() {
    this.#isBroken = true;
    this.#client.end();
  }

  release(isDiscarded) {
    this.#isReleased = true;
    this.#options.onRelease(this);
    this.#client.release(isDiscarded || this.#isBroken || this.#transaction !== undefined);
  }
}

/** The rows of a query in parts, as they are asked for. The server keeps the rest, for which it needs a transaction. */
class Cursor {
  client;
  #sql;
  #parameters;
  #isOpen = false;
  #isRead = false;

  constructor(sql, parameters) {
    this.#sql = sql;
    this.#parameters = parameters;
  }

  async read(count) {
    const isFirst = !this.#isRead;
    this.#isRead = true;
    if (!onlyReads(this.#sql)) return isFirst ? this.#run(this.#sql, this.#parameters) : [];
    if (isFirst) {
      await this.#run("begin read only");
      this.#isOpen = true;
      await this.#run(\`declare framework_stream no scroll cursor for \${this.#sql}\`, this.#parameters);
    }
    return this.#run(\`fetch \${Math.max(1, count)} from framework_stream\`);
  }

  async #run(sql, parameters = []) {
    return (await this.client?.query(sql, parameters))?.rows ?? [];
  }

  async close() {
    if (this.#isOpen) await this.#run("rollback");
    this.#isOpen = false;
  }
}

/** A cursor is of a query that only reads. */
function onlyReads(sql) {
  return /^\\s*(?:select|values|with)\\b/i.test(sql) && !/\\b(?:insert|update|delete|merge)\\b/i.test(sql);
}

/** Kysely's driver for a Postgres server, which checks the times in queries before. */

/** Milliseconds are what a Date has, and the server keeps three digits more. */
const DIGITS = 6;

const COLUMNS = \`select relname || '.' || attname as name from pg_attribute
join pg_class on pg_class.oid = attrelid and relnamespace <> 'pg_catalog'::regnamespace where atttypid = 'timestamptz'::regtype and attnum > 0 and pg_table_is_visible(attrelid)\`;

/** The columns of times that a database has. */
class TimeColumns {
  #names;
  #compiler = new PostgresQueryCompiler();

  /** @returns the query with its times in one form. */
  async check(query, connection) {
    if (/^\\s*(?:create|alter|drop)\\b/i.test(query.sql)) this.#names = undefined;
    if (!query.parameters.some(isText)) return query;
    this.#names ??= await readNames(connection);
    const names = this.#names;
    if (names.size === 0) return query;
    const isTime = (table, column) => names.has(\`\${table}.\${column}\`);
    return withTimes(query, { compiler: this.#compiler, digits: DIGITS, isTime }) ?? query;
  }
}

async function readNames(connection) {
  const { rows } = await connection.executeQuery(CompiledQuery.raw(COLUMNS));
  return new Set(rows.map(({ name }) => name));
}

class CheckedDriver extends PostgresDriver {
  #times;

  constructor(config, times) {
    super(config);
    this.#times = times;
  }

  async acquireConnection(options) {
    const connection = await super.acquireConnection(options);
    const plain = {
      executeQuery: connection.executeQuery.bind(connection),
      streamQuery: connection.streamQuery.bind(connection),
    };
    const times = this.#times;
    connection.executeQuery = async (query) => plain.executeQuery(await times.check(query, plain));
    connection.streamQuery = async function* (query, size) {
      yield* plain.streamQuery(await times.check(query, plain), size);
    };
    return connection;
  }
}

/** The connections of this process to a Postgres server. */

const IDLE_MILLISECONDS = 30_000;

/** @throws {Problem} where \`pg\` is not installed. */
async function loadPg() {
  try {
    return (await import("pg")).default;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")
      throw new Problem("The package pg is not installed.", "Run \`npm install\`.", { cause: error });
    throw error;
  }
}

/** Connects to nothing yet. @throws for a URL that \`pg\` does not understand */
function createPool({ Pool, types }, settings) {
  const pool = new Pool({
    connectionString: settings.url,
    // PgBouncer refuses most other settings.
    fallback_application_name: basename(process.cwd()),
    ...(settings.schema === undefined ? {} : { options: \`-c search_path=\${quoteName(settings.schema)}\` }),
    max: settings.connections,
    connectionTimeoutMillis: settings.waitMilliseconds,
    idleTimeoutMillis: settings.idleMilliseconds ?? IDLE_MILLISECONDS,
    // A program that forgets to close the database ends all the same.
    allowExitOnIdle: true,
    keepAlive: true,
    types: {
      getTypeParser: (type, format) =>
        (format !== "binary" && parserOf(type)) || types.getTypeParser(type, format),
    },
  });
  // Whoever uses a connection that breaks gets the error, and the pool drops it. Without a listener, the process would end.
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));
  return pool;
}

/** The connections of a database. */
class Connections {
  health = new Health();
  #settings;
  #pool;
  #busy = new Set();

  constructor(settings) {
    this.#settings = settings;
  }

  /** Before the first query. @param limit milliseconds that a statement may take. @returns the pool for Kysely. */
  async open(limit) {
    this.#settings.beforeOpening?.();
    const pg = await loadPg();
    this.#pool ??= createPool(pg, this.#settings);
    const pool = this.#pool;
    return {
      // Kysely cancels a query by a connection of its own.
      Client: pg.Client,
      options: pool.options,
      connect: () => this.#connect(pool, pg, limit),
      end: () => this.#end(pool),
    };
  }

  async #connect(pool, { Connection }, limit) {
    try {
      const client = new Client(await pool.connect(), {
        limit,
        health: this.health,
        createCanceller: (settings) => new Connection(settings),
        onRelease: (released) => void this.#busy.delete(released),
      });
      this.#busy.add(client);
      return client;
    } catch (error) {
      throw this.health.note(toConnectError(error, findServer(this.#settings.url)));
    }
  }

  /** Waits for what runs, but not longer than a query waits for a connection. */
  async #end(pool) {
    let timer;
    const isOver = new Promise((resolve) => {
      timer = setTimeout(resolve, this.#settings.waitMilliseconds);
    });
    await Promise.race([pool.end(), isOver]);
    clearTimeout(timer);
    for (const client of this.#busy) client.breakOff();
  }
}

/** @returns where the connections go, as \`localhost:5432\`, with what the environment adds to the URL. */
function findServer(url) {
  const { hostname, port, searchParams } = new URL(url);
  const host =
    searchParams.get("host") || hostname.replaceAll(/%2f/gi, "/") || process.env.PGHOST || "localhost";
  if (host.startsWith("/")) return host;
  return \`\${host}:\${searchParams.get("port") || port || process.env.PGPORT || 5432}\`;
}

/** Kysely for a Postgres server. */

/** Any number that nobody else takes for something else. */
const SCHEMA_LOCK = 721_517_003;

/** Connects to nothing yet. */
function createPostgres(options) {
  const connections = new Connections(options);
  const times = new TimeColumns();
  const open = (limit) => {
    const driver = new CheckedDriver({ pool: () => connections.open(limit), cursor: Cursor }, times);
    const dialect = {
      createAdapter: () => new LockedAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    };
    const emptyLists = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });
    return register(new Kysely({ dialect, plugins: [emptyLists] }), {
      dialect,
      driver,
      health: connections.health,
      forSchema: () => open(Number.POSITIVE_INFINITY),
      lockSchema,
    });
  };
  return open(options.statementMilliseconds);
}

/**
 * Until the end of the transaction, and not of the session, which others use behind a pooler. A lock of its own for each schema. Then a
 * table that others keep in use makes a migration fail, because whoever comes after it has to wait as well.
 */
async function lockSchema(transaction) {
  await sql\`set local lock_timeout = '10min'\`.execute(transaction);
  await sql\`select pg_advisory_xact_lock(\${sql.lit(SCHEMA_LOCK)}, hashtext(current_schema()))\`.execute(
    transaction,
  );
  await sql\`set local lock_timeout = '10s'\`.execute(transaction);
}

/** Whoever changes tables has taken a lock, which the end of the transaction gives back. */
class LockedAdapter extends PostgresAdapter {
  async acquireMigrationLock() {}
  async releaseMigrationLock() {}
}

/** Schemas for tests on a Postgres server: each test database is one, and goes with the process that made it. */

/** Before the number of the owner, and the schema's number among those of the owner. */
const PREFIX = "framework_test_";
/** A process holds a lock of these, with its number, for as long as it lives. So others know that its schemas are in use. */
const OWNER_LOCKS = 721_517_004;
/** By URL. */
const owners = new Map();

/** @returns the name of a new, empty schema. */
async function createTestSchema(url) {
  const found = owners.get(url) ?? createOwner(url);
  owners.set(url, found);
  const owner = await found;
  const schema = \`\${PREFIX}\${owner.number}_\${++owner.schemas}\`;
  await sql\`create schema \${sql.id(schema)}\`.execute(owner.db);
  return schema;
}

async function createOwner(url) {
  // One connection, which has the lock and is never given up.
  const waits = { waitMilliseconds: 10_000, idleMilliseconds: 0, statementMilliseconds: 60_000 };
  const db = createPostgres({ url, connections: 1, ...waits });
  const number = randomInt(2 ** 31);
  await sql\`select pg_advisory_lock(\${OWNER_LOCKS}, \${number})\`.execute(db);
  await dropAbandoned(db);
  process.once("beforeExit", () => void dropOwn(db, number));
  return { db, number, schemas: 0 };
}

/** Those of processes that were killed. */
async function dropAbandoned(db) {
  const numbers = sql\`select distinct split_part(nspname, '_', 3)::int as number
    from pg_namespace where starts_with(nspname, \${PREFIX})\`;
  for (const { number } of (await numbers.execute(db)).rows) {
    const lock = sql\`select pg_try_advisory_lock(\${OWNER_LOCKS}, \${number}) as "isFree"\`;
    const [row] = (await lock.execute(db)).rows;
    if (!row?.isFree) continue;
    await dropSchemas(db, number);
    await sql\`select pg_advisory_unlock(\${OWNER_LOCKS}, \${number})\`.execute(db);
  }
}

async function dropOwn(db, number) {
  try {
    // A transaction that a test has left open keeps its tables. A later run drops them.
    await sql\`set lock_timeout = '1s'\`.execute(db);
    await dropSchemas(db, number);
  } catch {
  } finally {
    await db.destroy();
  }
}

async function dropSchemas(db, number) {
  const names = sql\`select nspname as name
    from pg_namespace where starts_with(nspname, \${\`\${PREFIX}\${number}_\`})\`;
  for (const { name } of (await names.execute(db)).rows)
    await sql\`drop schema if exists \${sql.id(name)} cascade\`.execute(db);
}

export {
  CheckedDriver,
  Client,
  Connections,
  Cursor,
  TimeColumns,
  createPostgres,
  createTestSchema,
  findServer,
  isConnectionLost,
  parserOf,
  readSums,
  toConnectError,
  toDatabaseError,
  toParameter,
};
`],[`vendor/framework/database/sqlite.js`,`import {
  SqliteQueryCompiler,
  OperatorNode,
  ValueNode,
  InsertQueryNode,
  UpdateQueryNode,
  TableNode,
  DeleteQueryNode,
  SqliteIntrospector,
  Kysely,
  sql,
  SqliteAdapter,
} from "kysely";
import { Problem } from "../runtime/log.js";
import {
  quoteName,
  mapValues,
  createRefusal,
  DatabaseError,
  requireNumber,
  requireText,
  toTimestamp,
  readTime,
  isText,
  withTimes,
  Health,
  lateQuery,
  streamInTransaction,
  transactionInTransaction,
  register,
} from "./engine.js";
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** The operator \`ilike\` of Postgres, for patterns that SQLite's \`like\` does not know: it ignores the case of A to Z only. */

/** @returns a function of SQL: the pattern, in which \\ makes a plain character of the next one, and a text. */
function createIlike() {
  let last;
  return (pattern, text) => {
    if (typeof pattern !== "string" || text === null) return null;
    if (last?.pattern !== pattern) last = { pattern, matches: createMatcher(pattern) };
    return last.matches(fold(String(text))) ? 1 : 0;
  };
}

/** Whether SQLite's own \`like\` finds the same. */
function isPlain(pattern) {
  return typeof pattern === "string" && pattern.length < 1000 && /^[\\x20-\\x7e\\s]*$/.test(pattern);
}

const [MANY, ONE] = [Symbol("%"), Symbol("_")];

/** Not by a regular expression: its length has a limit, and users choose what they search for. */
function createMatcher(pattern) {
  const parts = [];
  for (const [, escaped, wildcard, plain] of pattern.matchAll(/\\\\(.)|([%_])|(.)/gsu))
    if (wildcard) parts.push(wildcard === "%" ? MANY : ONE);
    else parts.push(...fold(escaped ?? plain ?? ""));
  const inner = parts.slice(1, -1);
  const isContained = parts.length > 1 && parts[0] === MANY && parts.at(-1) === MANY;
  if (isContained && inner.every((part) => typeof part === "string")) {
    const text = inner.join("");
    return (searched) => searched.includes(text);
  }
  return (text) => matches(Array.from(text), parts);
}

function fold(text) {
  return text.toLowerCase();
}

/** Where a part does not fit, the last \`%\` takes one character more. */
function matches(text, parts) {
  let [at, part, afterMany, from] = [0, 0, 0, 0];
  while (at < text.length) {
    if (parts[part] === MANY) {
      afterMany = ++part;
      from = at;
    } else if (part < parts.length && (parts[part] === ONE || parts[part] === text[at])) {
      at++;
      part++;
    } else if (afterMany > 0) {
      part = afterMany;
      at = ++from;
    } else return false;
  }
  while (parts[part] === MANY) part++;
  return part === parts.length;
}

/** Kysely's SQL for SQLite. What migrations and queries say for Postgres means the same there. */

/** As a Date is stored. SQLite's own \`current_timestamp\` has another form, and is not before or after in a text. */
const NOW = "(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))";
const LIKES = ["like", "not like", "ilike", "not ilike"];

class PortableCompiler extends SqliteQueryCompiler {
  /** \`generated by default as identity\` is an integer key that SQLite counts up. */
  visitColumnDefinition(node) {
    if (!node.generated?.identity) super.visitColumnDefinition(node);
    else {
      this.visitNode(node.column);
      this.append(" integer primary key autoincrement");
    }
  }

  visitRaw(node) {
    const [only = "", ...others] = node.sqlFragments;
    if (others.length === 0 && /^\\s*(?:now\\(\\)|current_timestamp)\\s*$/i.test(only)) this.append(NOW);
    else super.visitRaw(node);
  }

  /** A transaction that writes is the only one, so that it needs no locks of rows. */
  visitSelectModifier(node) {
    if (node.rawModifier || node.modifier === "Distinct") super.visitSelectModifier(node);
  }

  /** \\ makes a plain character of the next one, and \`ilike\` ignores the case of all letters. */
  visitBinaryOperation(node) {
    const { leftOperand, operator, rightOperand } = node;
    const name = OperatorNode.is(operator) ? operator.operator : undefined;
    if (name === undefined || !LIKES.includes(name)) super.visitBinaryOperation(node);
    else if (name.endsWith("ilike") && ValueNode.is(rightOperand) && !isPlain(rightOperand.value)) {
      this.append(\`\${name}(\`);
      this.visitNode(rightOperand);
      this.append(", ");
      this.visitNode(leftOperand);
      this.append(")");
    } else {
      this.visitNode(leftOperand);
      this.append(\` \${name.replace("ilike", "like")} \`);
      this.visitNode(rightOperand);
      this.append(" escape '\\\\'");
    }
  }
}

/** Finds which foreign key has failed. SQLite says only that one has. */

/** @returns the table that a query of Kysely writes to. */
function tableOf({ query }) {
  const node = InsertQueryNode.is(query) ? query.into : UpdateQueryNode.is(query) ? query.table : undefined;
  return node && TableNode.is(node) ? node.table.identifier.name : undefined;
}

/**
 * @returns the columns whose value names a row that does not exist, but not those of keys with several columns; undefined for an update
 *   that writes no foreign key, so others must refer to what it changes.
 */
function findMissingReferences(session, query) {
  const table = tableOf(query);
  if (table === undefined) return [];
  const written = valuesIn(query);
  const keys = session.all(\`pragma foreign_key_list(\${quoteName(table)})\`);
  if (UpdateQueryNode.is(query.query) && !keys.some(({ from }) => written.has(String(from))))
    return undefined;
  return keys
    .filter(({ id }) => keys.filter((key) => key.id === id).length === 1)
    .filter(({ from, table: parent, to }) => {
      const key = to === null ? primaryKeyOf(session, String(parent)) : String(to);
      const values = (written.get(String(from)) ?? []).filter(
        (value) => value !== null && value !== undefined,
      );
      return key !== undefined && values.some((value) => !exists(session, String(parent), key, value));
    })
    .map(({ from }) => String(from));
}

/** By column. Not those that the database computes. */
function valuesIn(query) {
  const found = new Map();
  mapValues(query, (value, { name, isWritten }) => {
    const values = found.get(name);
    if (isWritten && values) values.push(value);
    else if (isWritten) found.set(name, [value]);
    return value;
  });
  return found;
}

function exists(session, table, key, value) {
  const query = \`select 1 from \${quoteName(table)} where \${quoteName(key)} = ? limit 1\`;
  return session.all(query, value).length > 0;
}

function primaryKeyOf(session, table) {
  const found = session.all(\`pragma table_info(\${quoteName(table)})\`).find(({ pk }) => pk === 1);
  return found && String(found.name);
}

/** What an error of SQLite means. */

const [BUSY, LOCKED, TOO_BIG, MISMATCH] = [5, 6, 18, 20];

/** By the last eight bits of a code: what is wrong with the file, and what to do. */
const FAILURES = {
  [BUSY]: ["is locked by another process", "Try again later. Other processes keep it locked for too long."],
  [LOCKED]: ["is locked by another process", "Try again later. Other processes keep it locked for too long."],
  8: [
    "can't be written",
    "Make the file and its folder writable for this process. A transaction that only reads can't write.",
  ],
  10: ["can't be read or written", "Check the disk."],
  11: ["is damaged", "Restore a backup."],
  13: ["can't grow, because the disk is full", "Make room on the disk."],
  14: ["can't be opened", "Check that it is not a folder, and that this process may write there."],
  26: ["is not a SQLite database", "Correct the URL, or move the file away."],
};

/** By the whole code. */
const REFUSALS = {
  275: "check",
  1299: "not_null",
  1555: "unique",
  2067: "unique",
  2579: "unique",
};

const FOREIGN_KEY = 787;

function isSqliteError(error) {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}

/** Another connection is writing. */
function isBusy(error) {
  return isSqliteError(error) && [BUSY, LOCKED].includes(error.errcode & 255);
}

/**
 * @param path of the file; undefined in memory.
 * @returns the error itself where the query is wrong.
 */
function toDatabaseError(error, path, failed) {
  if (isSqliteError(error)) return toRefusal(error, failed) ?? toFailure(error, path) ?? error;
  if (!(error instanceof Error && "code" in error)) return error;
  if (error.code === "ERR_INVALID_ARG_VALUE") return createRefusal("bad_value", { cause: error });
  if (error.code === "ERR_INVALID_STATE")
    return new DatabaseError("unavailable", "The database has been closed.", { cause: error });
  return "syscall" in error ? toFolderError(error, error.code, path) : error;
}

function toRefusal(error, failed) {
  const place = () => ({
    table: failed && tableOf(failed.query),
    ...placeOf(error.message),
    cause: error,
  });
  const kind = REFUSALS[error.errcode];
  if (kind) return createRefusal(kind, place());
  if (error.errcode === FOREIGN_KEY) {
    const columns = failed && missingReferences(failed);
    if (columns === undefined) return createRefusal("still_referenced", place());
    return createRefusal("missing_reference", { ...place(), columns });
  }
  return [TOO_BIG, MISMATCH].includes(error.errcode & 255) ? createRefusal("bad_value", place()) : undefined;
}

/** @example placeOf("UNIQUE constraint failed: books.shop, books.isbn") // { table: "books", columns: ["shop", "isbn"] } */
function placeOf(message) {
  const [, list] = /^(?:UNIQUE|NOT NULL) constraint failed: (?!index )(.*)$/s.exec(message) ?? [];
  if (list === undefined) return {};
  const columns = list.split(", ").map((name) => name.slice(name.indexOf(".") + 1));
  return { table: list.slice(0, list.indexOf(".")), columns };
}

/** @returns undefined where other rows refer to what was deleted or changed. */
function missingReferences({ session, query }) {
  const isDelete = DeleteQueryNode.is(query.query) || /^\\s*delete\\b/i.test(query.sql);
  return isDelete ? undefined : findMissingReferences(session, query);
}

function toFailure(error, path) {
  const [what, hint] = FAILURES[error.errcode & 255] ?? [];
  if (what === undefined) return undefined;
  const subject = path === undefined ? "The database in memory" : \`The database file \${path}\`;
  const message = \`\${subject} \${what}\${(error.errcode & 255) === 10 ? \` (\${error.message})\` : ""}.\`;
  return new DatabaseError(isBusy(error) ? "unavailable" : "broken", message, { hint, cause: error });
}

/** What Node says where the file's folder can't be made. */
function toFolderError(cause, code, path) {
  const hint = "Correct the URL, or make the folder yourself, writable for this process.";
  const message = \`The folder of the database file \${path} can't be made (\${code}).\`;
  return new DatabaseError("broken", message, { hint, cause });
}

/** Node's own SQLite, as far as it is used. Node 20 has none, and before 22.16 it does not know the types of columns. */

let loaded;

/** @throws {Problem} where this Node has no SQLite. */
function openFile(file) {
  loaded ??= withoutWarnings(() => process.getBuiltinModule?.("node:sqlite"));
  if (loaded) return new loaded.DatabaseSync(file);
  throw new Problem(
    \`SQLite needs Node 22.13 or newer, and this is Node \${process.versions.node}.\`,
    "Use a newer Node, or a Postgres server by DATABASE_URL.",
  );
}

/** Node 22 says at every start that its SQLite is experimental. What is used of it has not changed since 22.13. */
function withoutWarnings(load) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const found = load();
    return isNodeSqlite(found) ? found : undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function isNodeSqlite(found) {
  return typeof found === "object" && found !== null && "DatabaseSync" in found;
}

/** @returns the columns of the rows that a statement gives. Before Node 22.16, those whose types can be found. */
function columnsOf(database, statement) {
  if (statement.columns) return statement.columns();
  const sql = statement.sourceSQL;
  const [, table] = /\\b(?:into|update|from)\\s+"([^"]+)".*\\breturning\\b/is.exec(sql) ?? [];
  if (table !== undefined) return tableInfo(database, quoteName(table));
  return /^\\s*(?:select|with)\\b/i.test(sql) ? columnsOfView(database, sql) : [];
}

const VIEW = "framework_columns";

/** A view knows the types of what it selects. It is never read, so its values may be missing. */
function columnsOfView(database, sql) {
  const [{ query_only: isReadOnly }] = database.prepare("pragma query_only").all().map(Object);
  const text = sql.replace(/"(?:[^"]|"")*"|'(?:[^']|'')*'|\\?/g, (part) => (part === "?" ? "null" : part));
  try {
    database.exec(\`pragma query_only = off; create temp view \${VIEW} as \${text}\`);
    return tableInfo(database, VIEW);
  } catch {
    return [];
  } finally {
    database.exec(\`drop view if exists temp.\${VIEW}; pragma query_only = \${isReadOnly}\`);
  }
}

function tableInfo(database, table) {
  return database
    .prepare(\`pragma table_info(\${table})\`)
    .all()
    .map(Object)
    .map(({ name, type }) => ({ name, type }));
}

/** How values go into SQLite and come back. */

/** @throws {DatabaseError} for what a Postgres server refuses, too. */
function toParameter(value) {
  switch (typeof value) {
    case "string":
      return requireText(value);
    case "number":
      // As a number, Node would bind 5.0, and a text of it would have the point.
      return Number.isSafeInteger(value) ? BigInt(value) : requireNumber(value);
    case "boolean":
      return value ? 1n : 0n;
    case "undefined":
      return null;
    case "object":
      return toObjectParameter(value);
    default:
      return value;
  }
}

function toObjectParameter(value) {
  if (value === null || ArrayBuffer.isView(value)) return value;
  if (value instanceof Date) return toTimestamp(value);
  return JSON.stringify(value);
}

/** @param type as the column is declared. */
function converterOf(type) {
  switch (type?.toLowerCase().replace(/\\(.*\\)/, "")) {
    case "boolean":
      return toBoolean;
    case "timestamp":
    case "timestamptz":
    case "timestamp with time zone":
    case "timestamp without time zone":
    case "datetime":
      return toIso;
    case "json":
    case "jsonb":
      return fromJson;
    default:
      return undefined;
  }
}

/** True for a moment, which is the same in each zone. @param type as the column is declared */
function isTimeType(type) {
  return /^timestamp(?:tz| *(?:\\(\\d+\\))? *with time zone)/i.test(type);
}

function toBoolean(value) {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) !== 0 : value;
}

/** SQLite's own functions write a space for the T, and no Z. */
function toIso(value) {
  return typeof value === "string" && value[10] === " " ? readTime(value) : value;
}

function fromJson(value) {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** An integer that a number holds exactly is one. */
function toNumber(value) {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** A prepared statement: values in, rows out. */

class Statement {
  /** False where it may write: then it must not run twice. */
  isRead;
  controlsTransaction;
  changesTables;
  /** False once it is known that none of its values belongs to a column of times. */
  mayHaveTimes = true;
  #statement;
  #givesRows;
  #columns;
  #readsBigInts = false;

  /** @throws {Error} for more than one statement: the others would not run. */
  constructor(database, sql) {
    const statement = database.prepare(sql);
    this.#statement = statement;
    if (/[^\\s;]/.test(sql.slice(statement.sourceSQL.length)))
      throw new Error("A query is one statement, and this one has several.");
    // A list is read in half the time, but the columns of a \`*\` are those that the tables have when it runs.
    if (!sql.includes("*")) statement.setReturnArrays?.(true);
    const columns = columnsOf(database, statement);
    this.#columns = columns.map(({ name, type }) => ({ name, convert: converterOf(type) }));
    this.#givesRows = statement.columns ? columns.length > 0 : givesRows(sql);
    this.isRead = /^\\s*(?:select|values|explain)\\b/i.test(sql);
    this.controlsTransaction = /^\\s*(?:begin|commit|end|rollback|savepoint|release)\\b/i.test(sql);
    this.changesTables = /^\\s*(?:create|alter|drop)\\b/i.test(sql);
    if (!this.isRead) this.#readBigInts();
  }

  execute(parameters) {
    const values = parameters.map(toParameter);
    if (this.#givesRows) return { rows: this.#all(values).map(this.#toRow) };
    const { changes, lastInsertRowid } = this.#statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  *iterate(parameters) {
    this.#readBigInts();
    for (const row of this.#statement.iterate(...parameters.map(toParameter))) yield this.#toRow(row);
  }

  #all(values) {
    try {
      return this.#statement.all(...values);
    } catch (error) {
      if (this.#readsBigInts || !isTooLarge(error)) throw error;
      this.#readBigInts();
      return this.#statement.all(...values);
    }
  }

  /** Exact, and slower. */
  #readBigInts() {
    this.#statement.setReadBigInts(true);
    this.#readsBigInts = true;
  }

  #toRow = (found) => {
    const columns = this.#columns;
    const row = {};
    // Not by \`entries()\`, which takes twice the time: \`npm run bench -- database\`.
    if (Array.isArray(found))
      for (let index = 0; index < columns.length; index++) {
        const { name, convert } = columns[index];
        const value = this.#readsBigInts ? toNumber(found[index]) : found[index];
        row[name] = convert ? convert(value) : value;
      }
    else {
      for (const [name, value] of Object.entries(Object(found))) row[name] = toNumber(value);
      for (const { name, convert } of columns)
        if (convert && Object.hasOwn(row, name)) row[name] = convert(row[name]);
    }
    return row;
  };
}

function givesRows(sql) {
  return /^\\s*(?:select|values|explain|pragma|with)\\b|\\breturning\\b/i.test(sql);
}

function isTooLarge(error) {
  return error instanceof Error && "code" in error && error.code === "ERR_OUT_OF_RANGE";
}

/** A connection to a database file, with its prepared statements. */

/** A query with a list in it is another statement for each length of the list. */
const MOST_STATEMENTS = 500;
/** Milliseconds after which a session looks whether another process has changed a table, or taken the file away. */
const TRUST = 1_000;

class Session {
  #database;
  #state;
  #statements = new Map();
  #readVersion;
  /** Of the tables that the statements were prepared for. */
  #version;
  #changesSeen = 0;
  #trustedUntil = 0;
  #isClosed = false;
  transaction;

  /** @param path undefined for a database in memory. */
  constructor(path, state) {
    if (path !== undefined) mkdirSync(dirname(path), { recursive: true });
    this.#database = openFile(path ?? ":memory:");
    this.#state = state;
    this.#database.function("ilike", { deterministic: true }, createIlike());
    this.#readVersion = this.#database.prepare("pragma schema_version");
  }

  /** Runs statements without values whose rows nobody needs. */
  exec(sql) {
    this.#database.exec(sql);
  }

  /** Runs a statement of ours. */
  all(sql, ...values) {
    return this.#prepare(sql).execute(values).rows;
  }

  run(query) {
    this.#follow();
    const statement = this.#prepare(query.sql);
    // The statements of all other requests would be in it.
    if (statement.controlsTransaction && !this.transaction)
      throw new Error("A transaction begins with db.transaction() or db.startTransaction().");
    const values = this.#valuesOf(query, statement);
    try {
      const result = statement.execute(values);
      if (statement.changesTables) this.#state.changes++;
      return result;
    } catch (error) {
      if (!hasLostColumn(error)) throw error;
      this.#statements.delete(query.sql);
      if (!statement.isRead) throw error;
      return this.#prepare(query.sql).execute(values);
    }
  }

  /** By a statement of its own, because others may run the same query meanwhile. For a transaction. */
  iterate(query) {
    this.#follow();
    const statement = new Statement(this.#database, query.sql);
    return statement.iterate(this.#valuesOf(query, statement));
  }

  #valuesOf(query, statement) {
    if (!statement.mayHaveTimes || !query.parameters.some(isText)) return query.parameters;
    const { compiler } = this.#state;
    const found = withTimes(query, {
      compiler,
      digits: 3,
      isTime: (table, column) =>
        this.all("select type from pragma_table_info(?) where name = ?", table, column).some(({ type }) =>
          isTimeType(String(type)),
        ),
    });
    statement.mayHaveTimes = found !== undefined;
    return (found ?? query).parameters;
  }

  /** By reading, it begins to see one state. */
  beginReading() {
    this.#try("rollback");
    this.exec("begin; select 1 from sqlite_schema limit 0");
    this.transaction = "read";
  }

  commit() {
    this.exec("commit");
    this.transaction = undefined;
  }

  /** Rolls back what is not committed, and is ready for the next transaction that writes. */
  end() {
    if (this.transaction === "write") this.#state.changes++;
    if (this.transaction) this.#try("rollback");
    this.transaction = undefined;
    this.#try("pragma query_only = off; pragma foreign_keys = on");
  }

  /** It may be closed, or have rolled back by itself, as when the disk was full. */
  #try(sql) {
    try {
      this.exec(sql);
    } catch {}
  }

  /** Forgets the statements if a table has changed: SQLite prepares them again by itself, but their types are of old. */
  #follow() {
    const now = performance.now();
    if (now < this.#trustedUntil && this.#changesSeen === this.#state.changes) return;
    this.#state.requireSameFile();
    this.#trustedUntil = now + TRUST;
    this.#changesSeen = this.#state.changes;
    // By reading a table, SQLite learns how the tables are now.
    this.#database.exec("select 1 from sqlite_schema limit 0");
    const [version] = this.#readVersion.all().map((row) => Object(row).schema_version);
    if (version !== this.#version) this.#statements.clear();
    this.#version = version;
  }

  #prepare(sql) {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = new Statement(this.#database, sql);
    if (this.#statements.size >= MOST_STATEMENTS) {
      const [oldest = ""] = this.#statements.keys();
      this.#statements.delete(oldest);
    }
    this.#statements.set(sql, statement);
    return statement;
  }

  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#statements.clear();
    this.#database.close();
  }
}

/** What Node 22 says of a \`*\` if another process has dropped a column since the statement was prepared. */
function hasLostColumn(error) {
  return error instanceof Error && error.message.startsWith("Cannot get name of column");
}

/** Whose turn it is to write: one at a time, in the order in which they asked. */

/** Milliseconds that those of this process follow on each other at once. */
const LONGEST_ROW = 200;
/** Then it is free for so long: longer than a process that waits for the file sleeps between two attempts. */
const GAP = 10;

class Turns {
  #isTaken = false;
  #waiting = new Set();
  /** When the first of those who followed each other was done: until then it may have waited for another process. */
  #rowBegan;

  get areTaken() {
    return this.#isTaken;
  }

  /** @returns false if it was not free in time. */
  take(milliseconds) {
    if (!this.#isTaken) {
      this.#isTaken = true;
      this.#rowBegan = undefined;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        resolve(false);
      }, milliseconds);
      const begin = () => {
        clearTimeout(timer);
        resolve(true);
      };
      this.#waiting.add(begin);
    });
  }

  /** Other processes would never get the file if there were no gap between those of this one. */
  end() {
    this.#rowBegan ??= performance.now();
    if (this.#waiting.size > 0 && performance.now() - this.#rowBegan > LONGEST_ROW) {
      this.#rowBegan = undefined;
      setTimeout(() => this.#pass(), GAP);
    } else this.#pass();
  }

  #pass() {
    const [next] = this.#waiting;
    if (next) this.#waiting.delete(next);
    else this.#isTaken = false;
    next?.();
  }
}

/** A database file in this process: its sessions, and whose turn it is to write. */

/** Milliseconds between two attempts to write while another process does. Nobody says when it is done. */
const SHORTEST_WAIT = 1;
const LONGEST_WAIT = 5;
/**
 * An answer is given when a write is in the journal: what has been acknowledged survives the end of the process, whatever ends it.
 * \`synchronous = normal\` leaves to the operating system when the journal is on the disk.
 */
const SETTINGS =
  "pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on; pragma journal_size_limit = 67108864";
const READS_ONLY = "pragma query_only = on";
const READING = \`\${SETTINGS}; \${READS_ONLY}\`;

class DatabaseFile {
  health = new Health();
  #options;
  #turns = new Turns();
  #state;
  #isClosed = false;
  /** In memory, the two are one. */
  #writer;
  #reader;
  /** Those of streams, and of transactions that only read. */
  #ownReaders = new Set();
  #inode;

  constructor(options, compiler) {
    this.#options = options;
    this.#state = { compiler, changes: 0, requireSameFile: () => this.#requireSameFile() };
  }

  get inMemory() {
    return this.#options.path === undefined;
  }

  get isOpen() {
    return this.#reader !== undefined;
  }

  async open() {
    if (this.#isClosed) throw closed();
    this.#options.beforeOpening?.();
    this.#writer ??= await this.#connect(SETTINGS);
    this.#reader = this.inMemory ? this.#writer : await this.#connect(READING);
    if (this.#isClosed) this.#closeSessions();
  }

  async #connect(settings) {
    const { path, waitMilliseconds } = this.#options;
    let session;
    try {
      // Otherwise SQLite would make another one where the first was.
      this.#requireSameFile();
      const connected = new Session(path, this.#state);
      session = connected;
      // The first one of all processes turns the journal on, for which no other may use the file.
      await insist(() => connected.exec(settings), waitMilliseconds);
      this.#inode ??= path && findInode(path);
      return connected;
    } catch (error) {
      session?.close();
      throw this.toError(error);
    }
  }

  /** SQLite goes on with a file that has been deleted, and what it writes is lost. */
  #requireSameFile() {
    const { path } = this.#options;
    if (path === undefined || this.#inode === undefined || this.#inode === findInode(path)) return;
    const message = \`The database file \${path} has been deleted or replaced since this process opened it.\`;
    throw new DatabaseError("broken", message, {
      hint: "Start the process again. Next time, stop it before.",
    });
  }

  /** Runs a statement that belongs to no transaction. Without \`async\`, which would cost as much as all else that is done here. */
  run(query, wait = this.#options.waitMilliseconds) {
    const isReading = isRead(query);
    const session = isReading ? this.#reader : this.#writer;
    if (!session) return Promise.reject(closed());
    try {
      // In memory, it reads what a transaction has not committed: that one may wait for what is read.
      if (isReading || !this.#turns.areTaken) return Promise.resolve(session.run(query));
    } catch (error) {
      if (!isBusy(error)) return Promise.reject(this.toError(error, session, query));
    }
    return this.#runInTurn(session, query, wait);
  }

  async #runInTurn(session, query, wait) {
    const end = performance.now() + wait;
    await this.#takeTurn(wait);
    try {
      return await insist(() => session.run(query), end - performance.now());
    } catch (error) {
      throw this.toError(error, session, query);
    } finally {
      this.#turns.end();
    }
  }

  async #takeTurn(milliseconds) {
    if (await this.#turns.take(milliseconds)) return;
    throw new DatabaseError(
      "unavailable",
      \`Transactions kept the database locked for \${milliseconds / 1000} seconds.\`,
      {
        hint: "Make them shorter. That of a handler that streams lasts until the client has read the last piece.",
      },
    );
  }

  /**
   * Begins a transaction that writes, once it is the only one. {@link end} gives its session back.
   *
   * @param changesTables the new ones replace others, which must not delete what refers to their rows.
   */
  async beginWrite(wait, changesTables) {
    const end = performance.now() + wait;
    await this.#takeTurn(wait);
    const session = this.#writer;
    try {
      if (!session) throw closed();
      if (changesTables) session.exec("pragma foreign_keys = off");
      await insist(() => session.exec("begin immediate"), end - performance.now());
      session.transaction = "write";
      return session;
    } catch (error) {
      session?.end();
      this.#turns.end();
      throw this.toError(error);
    }
  }

  /** Begins a transaction that sees one state, on a session of its own; in memory, on the only one. */
  async beginRead(wait) {
    if (this.inMemory) {
      const session = await this.beginWrite(wait, false);
      session.exec(READS_ONLY);
      session.transaction = "read";
      return session;
    }
    const session = await this.#connect(READING);
    this.#ownReaders.add(session);
    try {
      if (!this.#reader) throw closed();
      await insist(() => session.beginReading(), wait);
      return session;
    } catch (error) {
      this.end(session);
      throw this.toError(error);
    }
  }

  /** Ends a transaction, which is rolled back if it has not been committed. */
  end(session) {
    session.end();
    if (this.#ownReaders.delete(session)) session.close();
    else this.#turns.end();
  }

  /** What an error means. A write in a transaction that only reads is a mistake of the code, and the file is well. */
  toError(error, session, query) {
    const found = toDatabaseError(error, this.#options.path, session && query && { session, query });
    return session?.transaction === "read" ? found : this.health.note(found);
  }

  /** Waits for what writes, but not longer than a query would. What is open then is rolled back. */
  async close() {
    this.#isClosed = true;
    const isTurn = await this.#turns.take(this.#options.waitMilliseconds);
    this.#closeSessions();
    if (isTurn) this.#turns.end();
  }

  #closeSessions() {
    for (const session of [this.#writer, this.#reader, ...this.#ownReaders]) session?.close();
    this.#writer = undefined;
    this.#reader = undefined;
  }
}

/** Tries until no other process is writing. @throws what SQLite throws, also when the time is over */
async function insist(work, milliseconds) {
  const end = performance.now() + milliseconds;
  for (let wait = SHORTEST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() + wait > end) throw error;
    }
    const pause = wait * (0.5 + Math.random());
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** SQLite's \`select\` writes nothing, whoever has written it. */
function isRead({ query, sql }) {
  if (query.kind !== "RawNode") return query.kind === "SelectQueryNode";
  return /^\\s*(?:select|values|explain)\\b/i.test(sql);
}

function closed() {
  return new DatabaseError("unavailable", "The database has been closed.");
}

function findInode(path) {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && \`\${found.dev} \${found.ino}\`;
}

/** Kysely's driver for a SQLite file: single statements, transactions and streams. */

/** What Kysely runs queries on: single statements, or those of a transaction. */
class SqliteConnection {
  #file;
  #options;
  /** While a transaction is open. */
  #session;
  /** Until whoever held the connection for a transaction has given it back, or goes on with it. */
  #ending;
  #isReleased = false;

  constructor(file, options) {
    this.#file = file;
    this.#options = options;
  }

  async executeQuery(query) {
    const session = this.#session;
    try {
      if (session) return session.run(query);
    } catch (error) {
      throw this.#file.toError(error, session, query);
    }
    await this.#refuseLate();
    return await this.#file.run(query, this.#options.waitMilliseconds);
  }

  async #refuseLate() {
    if (this.#ending) await this.#ending;
    if (this.#isReleased || this.#session) throw lateQuery();
  }

  async *streamQuery(query, chunkSize) {
    if (this.#session) throw streamInTransaction();
    const size = Math.max(1, chunkSize);
    await this.#refuseLate();
    // A write is done at once, and in memory there is nothing to wait for.
    if (this.#file.inMemory || !isRead(query)) {
      const { rows } = await this.executeQuery(query);
      for (let start = 0; start < rows.length; start += size) yield { rows: rows.slice(start, start + size) };
      return;
    }
    const session = await this.#file.beginRead(this.#options.waitMilliseconds);
    try {
      let rows = [];
      for (const row of session.iterate(query)) {
        if (rows.push(row) < size) continue;
        yield { rows };
        rows = [];
        await new Promise(setImmediate);
      }
      if (rows.length > 0) yield { rows };
    } catch (error) {
      throw this.#file.toError(error, session, query);
    } finally {
      this.#file.end(session);
    }
  }

  /** SQLite has one isolation level, which is \`serializable\`. */
  async begin({ accessMode }) {
    if (this.#session) throw transactionInTransaction();
    const { waitMilliseconds, changesTables } = this.#options;
    this.#session =
      accessMode === "read only"
        ? await this.#file.beginRead(waitMilliseconds)
        : await this.#file.beginWrite(waitMilliseconds, changesTables);
  }

  /** Kysely rolls back where it throws. */
  commit() {
    this.control((session) => session.commit());
    this.rollback();
  }

  rollback() {
    const session = this.#session;
    if (!session) return;
    this.#session = undefined;
    this.#ending = new Promise(setImmediate);
    this.#file.end(session);
  }

  control(work) {
    const session = this.#session;
    try {
      if (session) work(session);
    } catch (error) {
      throw this.#file.toError(error, session);
    }
  }

  /** What Kysely has not ended is rolled back. */
  release() {
    this.rollback();
    this.#isReleased = true;
  }

  /** What runs is over before anybody can ask for it. */
  async cancelQuery() {}
}

class SqliteDriver {
  #file;
  #options;

  constructor(file, options) {
    this.#file = file;
    this.#options = options;
  }

  /** Before the first query. */
  async init() {
    if (!this.#file.isOpen) await this.#file.open();
  }

  async acquireConnection() {
    return new SqliteConnection(this.#file, this.#options);
  }

  async beginTransaction(connection, settings) {
    await ours(connection).begin(settings);
  }

  async commitTransaction(connection) {
    ours(connection).commit();
  }

  async rollbackTransaction(connection) {
    ours(connection).rollback();
  }

  async savepoint(connection, name) {
    ours(connection).control((session) => session.exec(\`savepoint \${quoteName(name)}\`));
  }

  async rollbackToSavepoint(connection, name) {
    ours(connection).control((session) => session.exec(\`rollback to \${quoteName(name)}\`));
  }

  async releaseSavepoint(connection, name) {
    ours(connection).control((session) => session.exec(\`release \${quoteName(name)}\`));
  }

  async releaseConnection(connection) {
    ours(connection).release();
  }

  async destroy() {
    await this.#file.close();
  }
}

function ours(connection) {
  if (connection instanceof SqliteConnection) return connection;
  throw new TypeError("This connection is not one of SQLite.");
}

/** Kysely for a SQLite file. */

/** Ten minutes, for other processes that change tables. */
const SCHEMA_WAIT = 600_000;

/** Opens nothing yet. */
function createSqlite(options) {
  const file = new DatabaseFile(options, new PortableCompiler());
  const open = (waitMilliseconds, changesTables) => {
    const driver = new SqliteDriver(file, { waitMilliseconds, changesTables });
    const dialect = {
      createAdapter: () => new TransactionalAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new PortableCompiler(),
    };
    return register(new Kysely({ dialect }), {
      dialect,
      driver,
      health: file.health,
      run: (query) => (file.isOpen ? file.run(query) : undefined),
      forSchema: () => open(SCHEMA_WAIT, true),
      checkSchema: checkReferences,
    });
  };
  return open(options.waitMilliseconds, false);
}

/** Foreign keys were off: a table is changed by making another one, and dropping the first must not delete what refers to it. */
async function checkReferences(transaction) {
  const { rows } = await sql\`pragma foreign_key_check\`.execute(transaction);
  const [broken] = rows;
  if (!broken) return;
  throw new Problem(
    \`The migrations leave rows of \${broken.table} that refer to missing rows of \${broken.parent}.\`,
    "The database is as it was before.",
  );
}

class TransactionalAdapter extends SqliteAdapter {
  get supportsMultipleConnections() {
    return true;
  }

  get supportsTransactionalDdl() {
    return true;
  }
}

export {
  DatabaseFile,
  PortableCompiler,
  Session,
  SqliteDriver,
  Statement,
  Turns,
  columnsOf,
  converterOf,
  createIlike,
  createSqlite,
  findMissingReferences,
  isBusy,
  isPlain,
  isRead,
  isTimeType,
  openFile,
  tableOf,
  toDatabaseError,
  toNumber,
  toParameter,
};
`],[`AGENTS.section.md`,"## The database\n\nKysely, over SQLite or Postgres: `DATABASE_URL` chooses, and every query has to run on both. `database/tables.ts` has the types.\n\n- A handler asks for `db: From<typeof database>`, or for `tx: From<typeof transaction>` if several writes belong together. If a route\n  has both, they share the transaction: begin no other one with `db`. Both are in `#database/providers.ts`, which also turns what the\n  database refuses into answers: 409 for a value that is taken or a row that is still referred to, 422 for a missing reference, 503 if it\n  is busy or its disk is full. So do not check before an insert what a constraint checks.\n- `node vendor/framework generate resource books title:string isbn:string:unique author:references` writes table, routes and tests.\n- `node vendor/framework generate migration add_pages_to_books` adds a migration that fails until you write its steps. Never edit one that is\n  applied somewhere. Change `database/tables.ts` with it. Columns are `bigint`, `double precision`, `text`, `boolean` and `timestamptz`.\n- A test begins with `const { app, db } = await createTestApp();` of `tests/_database.ts`. `app.ts` has no database in tests.\n"],[`Dockerfile.section.txt`,`# The database. Mount a volume here, or it ends with the container.
RUN mkdir data && chown node:node data
`],[`README.section.md`,"## The database\n\n```sh\nnpx framework generate resource books title:string pages:int   # a table, its routes and their tests\nnpm run migrate        # applies new migrations; `npm run dev` does that by itself\nnpm run migrate:down   # reverts the last one\nnpm run seed           # fills empty tables with the rows of database/seed.ts\n```\n\nThe code is the same for SQLite and for Postgres: `DATABASE_URL` says which one it is, and where. Without it, that is\n`sqlite:data/app.db`.\n\n`database/` has the connection, the types of the tables, the migrations, and the providers `database` and `transaction` for handlers.\nQueries are written with [Kysely](https://kysely.dev). Each test file has a database of its own (`tests/_database.ts`).\n"],[`app.section.txt`,`import { prepareDatabase } from "framework/database";
import { db } from "#database/connection.ts";
import { migrations } from "#database/migrations/index.ts";

// In development it applies new migrations. Otherwise it refuses a database that lacks some.
await prepareDatabase(db, migrations);
`],[`ci.section.txt`,`    services:
      postgres:
        image: postgres:18-alpine
        env:
          POSTGRES_DB: app
          POSTGRES_PASSWORD: postgres
        ports: ["5432:5432"]
        options: --health-cmd pg_isready --health-interval 2s --health-timeout 3s --health-retries 15
`],[`compose.postgres.yaml`,`# The API with its database: docker compose up --build
# The database alone, for \`npm run dev\` and \`npm test\`: docker compose up -d postgres
services:
  postgres:
    image: postgres:18-alpine
    ports:
      - "127.0.0.1:5432:5432"
    environment:
      POSTGRES_DB: app
      POSTGRES_PASSWORD: postgres
    volumes:
      - data:/var/lib/postgresql
    healthcheck:
      test: ["CMD", "pg_isready", "--username=postgres", "--dbname=app"]
      interval: 2s
      timeout: 3s
      retries: 15
    restart: unless-stopped

  # Applies new migrations, and ends.
  migrate:
    build: .
    command: ["node", "migrate.js"]
    environment: &database
      DATABASE_URL: postgres://postgres:postgres@postgres:5432/app
    depends_on:
      postgres:
        condition: service_healthy

  app:
    build: .
    ports:
      - "8000:8000"
    environment: *database
    depends_on:
      migrate:
        condition: service_completed_successfully
    restart: unless-stopped

volumes:
  data:
`],[`compose.sqlite.yaml`,`# The API with its database in a volume: docker compose up --build
services:
  app:
    build: .
    ports:
      - "8000:8000"
    environment:
      DATABASE_URL: sqlite:/app/data/app.db
    # Applies new migrations first.
    command: ["sh", "-c", "node migrate.js && exec node server.js"]
    volumes:
      - data:/app/data
    restart: unless-stopped

volumes:
  data:
`],[`database/connection.ts`,`import { openDatabase } from "framework/database";
import type { Tables } from "./tables.ts";

/** Where the database is. \`DATABASE_URL\` overrides it, with a \`sqlite:\` or a \`postgres:\` URL. */
const LOCAL = "sqlite:data/app.db";
export const url = process.env.DATABASE_URL ?? LOCAL;

/** The database of this process. The first query opens it, and app.ts closes it after the last request. */
export const db = openDatabase<Tables>({ url });

export type Database = typeof db;
`],[`database/migrate.ts`,`import { runMigrations } from "framework/database";
import { db } from "./connection.ts";
import { migrations } from "./migrations/index.ts";

// \`npm run migrate\` applies what is new, and \`npm run migrate:down\` reverts the last one. In production: \`node dist/migrate.js\`.
await runMigrations(db, migrations);
`],[`database/migrations/index.ts`,`import type { Migrations } from "framework/database";

/** In the order in which they are applied, that of their names. */
export const migrations: Migrations = {};
`],[`database/providers.ts`,`import { type From, HttpError } from "framework";
import { DatabaseError, forRequest, joinTransaction } from "framework/database";
import type { ControlledTransaction } from "kysely";
import { type Database, db } from "./connection.ts";
import type { Tables } from "./tables.ts";

/** What the providers below use. A test replaces it. */
export function connection(): Database {
  return db;
}

/** For a handler's queries: \`db: From<typeof database>\`. They are part of the request's transaction, if it has one. */
export function* database(db: From<typeof connection>): Generator<Database> {
  try {
    yield forRequest(db);
  } catch (error) {
    refuse(error);
  }
}

/** For queries that belong together: committed after the handler, rolled back if it throws. */
export async function* transaction(
  db: From<typeof database>,
): AsyncGenerator<ControlledTransaction<Tables>> {
  const started = await db.startTransaction().execute();
  joinTransaction(db, started);
  // A handler may have ended it.
  const isOpen = () => !started.isCommitted && !started.isRolledBack;
  try {
    yield started;
    if (isOpen()) await started.commit().execute();
  } finally {
    // The client has left in the middle of a stream, or something was thrown.
    if (isOpen()) await started.rollback().execute();
  }
}

/** What the database refuses, in the words of HTTP. They are yours to change. */
function refuse(error: unknown): never {
  if (!(error instanceof DatabaseError)) throw error;
  const { kind, columns } = error;
  switch (kind) {
    case "unique":
      throw new HttpError(409, explain("is taken", kind, columns), {
        cause: error,
      });
    case "still_referenced":
      throw new HttpError(409, "Something else still refers to this", {
        cause: error,
      });
    case "conflict":
    case "unavailable":
      throw new HttpError(503, "The database is busy", {
        cause: error,
        headers: { "Retry-After": "1" },
      });
    case "broken":
      throw new HttpError(503, "The database can't be used now", {
        cause: error,
      });
    case "missing_reference":
      throw new HttpError(422, explain("does not exist", kind, columns), {
        cause: error,
      });
    case "not_null":
    case "check":
    case "bad_value":
      throw new HttpError(422, explain("can't be stored", kind, columns), {
        cause: error,
      });
    default:
      throw error;
  }
}

/** As the framework explains a body that does not fit. */
function explain(
  message: string,
  code: string,
  columns: readonly string[],
): {
  error: string;
  issues: { in: string; pointer: string; code: string; message: string }[];
} {
  const names = columns.join(", ") || "A value";
  return {
    error: \`\${names}: \${message}\`,
    issues: columns.map((column) => ({
      in: "body",
      pointer: \`/\${column}\`,
      code,
      message,
    })),
  };
}
`],[`database/seed.ts`,`import { seedDatabase } from "framework/database";
import { db } from "./connection.ts";

// \`npm run seed\` fills each of these tables that is still empty.
await seedDatabase(db, {});
`],[`database/tables.ts`,`/** The tables, with the types of their columns. \`framework generate resource\` adds to them. */
export interface Tables {}
`],[`routes/readyz.ts`,`import type { From } from "framework";
import { checkDatabase } from "framework/database";
import type { database } from "#database/providers.ts";

/** 200 if the database answers and has not failed lately, as on a full disk; else 503. For load balancers. */
// GET /readyz
export async function get(db: From<typeof database>) {
  await checkDatabase(db);
  return { status: "ok" };
}
`],[`tests/_database.ts`,`import { type App, type AppOptions, createApp, replace } from "framework";
import { openTestDatabase } from "framework/database";
import { type Database, url } from "../database/connection.ts";
import { migrations } from "../database/migrations/index.ts";
import { connection } from "../database/providers.ts";
import type { Tables } from "../database/tables.ts";

/** An app with an empty database of its own: one in memory, or a schema that Postgres drops at the end. */
export async function createTestApp(
  options: AppOptions = {},
): Promise<{ app: App; db: Database }> {
  const db = await openTestDatabase<Tables>({ url, migrations });
  const providers = [
    replace(connection).with(() => db),
    ...(options.providers ?? []),
  ];
  return { app: await createApp({ ...options, providers }), db };
}
`],[`tests/readyz.test.ts`,`import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestApp } from "./_database.ts";

const { app } = await createTestApp();
const { url } = await app.listen();

test("GET /readyz says that the database answers", async () => {
  const response = await request(\`\${url}/readyz\`);
  assert.is(response.statusCode, 200);
  assert.equal(await response.body.json(), { status: "ok" });
});

test.run();
`]]);
export{DATABASE_FILES};
