/** A client of the pool, acquired by Kysely. It queues statements, limits their time, and refuses late ones of an ended transaction. */

import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type { Connection, PoolClient } from "pg";
import type { Health } from "../engine/engine.ts";
import { lateQuery, streamInTransaction, transactionInTransaction } from "../engine/error.ts";
import { isConnectionLost, toDatabaseError } from "./errors.ts";
import { readSums, toParameter } from "./values.ts";

/** Milliseconds that a server may take to cancel a statement. */
const CANCEL_GRACE = 2_000;

/** Members of a `pg` client that its types lack. */
interface Session {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
  readonly ssl: boolean | object;
  end(): void;
}

/** A connection of `pg` that asks the server, or a pooler in front of it, to cancel another connection's statement. */
interface Canceller extends Connection {
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

export interface ClientOptions {
  /** Milliseconds that a statement may take. Not a setting of the session, which other clients of a pooler share. */
  readonly limit: number;
  readonly health: Health;
  createCanceller(settings: { readonly ssl: boolean | object }): Connection;
  /** Called when the client is released. */
  onRelease(client: Client): void;
}

export class Client implements PostgresPoolClient {
  readonly #client: PoolClient & Session;
  readonly #options: ClientOptions;
  #isBroken = false;
  #isReleased = false;
  #transaction: { readonly isReadOnly: boolean } | undefined;
  /** Resolves a turn after the end of a transaction, when Kysely has released the connection or continues to use it. */
  #ending: Promise<unknown> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: PoolClient, options: ClientOptions) {
    this.#client = client as PoolClient & Session;
    this.#options = options;
  }

  get processID(): number {
    return this.#client.processID;
  }

  query<R>(sql: string, parameters?: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    query: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof query === "string") return this.#enqueue(query, parameters);
    if (this.#transaction) throw streamInTransaction();
    if (query instanceof Cursor) query.client = this;
    return query;
  }

  #enqueue<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const isEnd = sql === "commit" || sql === "rollback";
    if (/^(?:begin|start transaction)\b/.test(sql)) {
      if (this.#transaction) throw transactionInTransaction();
      this.#transaction = { isReadOnly: sql.endsWith("read only") };
      this.#ending = undefined;
    }
    const transaction = this.#transaction;
    if (isEnd) this.#transaction = undefined;
    const sent = this.#last.then(async () => {
      if (!isEnd) await this.#refuseLate(transaction);
      return this.#send<R>(sql, parameters, transaction?.isReadOnly === true);
    });
    this.#last = sent.catch(() => {});
    if (isEnd) this.#ending = this.#last.then(() => new Promise(setImmediate));
    return sql === "rollback" ? sent.catch(() => this.#giveUp<R>()) : sent;
  }

  /** Kysely ends a transaction without waiting for its queries, for example if one of several parallel ones has failed. */
  async #refuseLate(transaction: object | undefined): Promise<void> {
    if (!transaction && this.#ending) await this.#ending;
    if (this.#isReleased || transaction !== this.#transaction) throw lateQuery();
  }

  /** Closes a connection that can't roll back, so that the server does it. */
  #giveUp<R>(): PostgresQueryResult<R> {
    this.#isBroken = true;
    return { command: "ROLLBACK", rowCount: 0, rows: [] };
  }

  async #send<R>(sql: string, parameters: readonly unknown[], isReadOnly: boolean) {
    const { limit, health } = this.#options;
    const timers: NodeJS.Timeout[] = [];
    const later = (milliseconds: number, work: () => void): number =>
      timers.push(setTimeout(work, milliseconds));
    // Cancels first, then closes the connection, because an unreachable server does not answer.
    if (Number.isFinite(limit))
      later(limit, () => {
        this.#cancel();
        later(CANCEL_GRACE, () => this.breakOff());
      });
    try {
      const result = await this.#client.query(sql, parameters.map(toParameter));
      readSums(result.rows ?? [], result.fields ?? []);
      return result as unknown as PostgresQueryResult<R>;
    } catch (error) {
      if (isConnectionLost(error)) this.#isBroken = true;
      const converted = toDatabaseError(error);
      // A write in a read-only transaction is a bug of the project, not a failure of the database.
      throw isReadOnly ? converted : health.note(converted);
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  }

  /** Lets the server close the new connection: PgBouncer drops the request if the client closes first, and version 1.18 crashes. */
  #cancel(): void {
    // A late request would cancel the next statement, so this connection is not used again.
    this.#isBroken = true;
    const { host, port, processID, secretKey, ssl } = this.#client;
    const canceller = this.#options.createCanceller({ ssl }) as Canceller;
    const cancel = (): void => canceller.cancel(processID, secretKey);
    canceller.on("error", () => {}).on("sslconnect", cancel);
    canceller.on("connect", () => (ssl ? canceller.requestSsl() : cancel()));
    if (host.startsWith("/")) canceller.connect(`${host}/.s.PGSQL.${port}`);
    else canceller.connect(port, host);
    setTimeout(() => canceller.stream.destroy(), CANCEL_GRACE);
  }

  /** Closes the connection, so that the running statement fails. */
  breakOff(): void {
    this.#isBroken = true;
    this.#client.end();
  }

  release(isDiscarded?: boolean): void {
    this.#isReleased = true;
    this.#options.onRelease(this);
    // A raw query may have begun a transaction, which must not include later queries.
    const isOpen = this.#transaction !== undefined || this.#client.getTransactionStatus() !== "I";
    this.#client.release(isDiscarded || this.#isBroken || isOpen);
  }
}

/** Reads the rows of a query in batches. The server keeps the rest, for which it needs a transaction. */
export class Cursor<T> implements PostgresCursor<T> {
  client: Client | undefined;
  readonly #sql: string;
  readonly #parameters: readonly unknown[];
  #isOpen = false;
  #isRead = false;

  constructor(sql: string, parameters: readonly unknown[]) {
    this.#sql = sql;
    this.#parameters = parameters;
  }

  async read(count: number): Promise<T[]> {
    const isFirst = !this.#isRead;
    this.#isRead = true;
    if (!onlyReads(this.#sql)) return isFirst ? this.#run(this.#sql, this.#parameters) : [];
    if (isFirst) {
      await this.#run("begin read only");
      this.#isOpen = true;
      await this.#run(`declare framework_stream no scroll cursor for ${this.#sql}`, this.#parameters);
    }
    return this.#run(`fetch ${Math.max(1, count)} from framework_stream`);
  }

  async #run(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    return (await this.client?.query<T>(sql, parameters))?.rows ?? [];
  }

  async close(): Promise<void> {
    if (this.#isOpen) await this.#run("rollback");
    this.#isOpen = false;
  }
}

/** True for queries that Postgres allows in a cursor. */
function onlyReads(sql: string): boolean {
  return /^\s*(?:select|values|with)\b/i.test(sql) && !/\b(?:insert|update|delete|merge)\b/i.test(sql);
}
