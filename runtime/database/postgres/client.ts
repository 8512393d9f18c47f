/** A connection to a Postgres server while Kysely has it: one statement at a time, each in limited time, and none after its transaction. */

import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type { Connection, PoolClient } from "pg";
import type { Health } from "../engine/engine.ts";
import { lateQuery, streamInTransaction, transactionInTransaction } from "../engine/error.ts";
import { isConnectionLost, toDatabaseError } from "./errors.ts";
import { readSums, toParameter } from "./values.ts";

/** Milliseconds in which a server cancels a statement. */
const CANCEL_GRACE = 2_000;

/** What a client of `pg` has, and its types do not say. */
interface Session {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
  readonly ssl: boolean | object;
  end(): void;
}

/** Of `pg`: it can ask a server, or the pooler before it, to cancel what another connection does. */
interface Canceller extends Connection {
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

export interface ClientOptions {
  /** Milliseconds that a statement may take. Not a setting of the session: behind a pooler, others use the session, too. */
  readonly limit: number;
  readonly health: Health;
  createCanceller(settings: { readonly ssl: boolean | object }): Connection;
  /** Called when it has been given back. */
  onRelease(client: Client): void;
}

export class Client implements PostgresPoolClient {
  readonly #client: PoolClient & Session;
  readonly #options: ClientOptions;
  #isBroken = false;
  #isReleased = false;
  #transaction: { readonly isReadOnly: boolean } | undefined;
  /** Until whoever held the connection for a transaction has given it back, or goes on with it. */
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
    what: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof what === "string") return this.#take(what, parameters);
    if (this.#transaction) throw streamInTransaction();
    if (what instanceof Cursor) what.client = this;
    return what;
  }

  #take<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
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

  /** Kysely ends a transaction without waiting for its queries, as where one of several at once has failed. */
  async #refuseLate(transaction: object | undefined): Promise<void> {
    if (!transaction && this.#ending) await this.#ending;
    if (this.#isReleased || transaction !== this.#transaction) throw lateQuery();
  }

  /** A connection that can't roll back is closed: then the server does. */
  #giveUp<R>(): PostgresQueryResult<R> {
    this.#isBroken = true;
    return { command: "ROLLBACK", rowCount: 0, rows: [] };
  }

  async #send<R>(sql: string, parameters: readonly unknown[], isReadOnly: boolean) {
    const { limit, health } = this.#options;
    const timers: NodeJS.Timeout[] = [];
    const later = (milliseconds: number, work: () => void): number =>
      timers.push(setTimeout(work, milliseconds));
    // First it is asked for. A server that has gone without a word does not answer.
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
      const found = toDatabaseError(error);
      // A write in a transaction that only reads is a mistake of the code.
      throw isReadOnly ? found : health.note(found);
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  }

  /** The other side closes that connection: PgBouncer drops the request of a client that left before, and its version 1.18 crashes. */
  #cancel(): void {
    // It may arrive late, and would then cancel the next statement.
    this.#isBroken = true;
    const { host, port, processID, secretKey, ssl } = this.#client;
    const other = this.#options.createCanceller({ ssl }) as Canceller;
    const cancel = (): void => other.cancel(processID, secretKey);
    other.on("error", () => {}).on("sslconnect", cancel);
    other.on("connect", () => (ssl ? other.requestSsl() : cancel()));
    if (host.startsWith("/")) other.connect(`${host}/.s.PGSQL.${port}`);
    else other.connect(port, host);
    setTimeout(() => other.stream.destroy(), CANCEL_GRACE);
  }

  /** The statement that runs fails. */
  breakOff(): void {
    this.#isBroken = true;
    this.#client.end();
  }

  release(isDiscarded?: boolean): void {
    this.#isReleased = true;
    this.#options.onRelease(this);
    // A query by itself may have begun a transaction, which no other query may become a part of.
    const isOpen = this.#transaction !== undefined || this.#client.getTransactionStatus() !== "I";
    this.#client.release(isDiscarded || this.#isBroken || isOpen);
  }
}

/** The rows of a query in parts, as they are asked for. The server keeps the rest, for which it needs a transaction. */
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

/** A cursor is of a query that only reads. */
function onlyReads(sql: string): boolean {
  return /^\s*(?:select|values|with)\b/i.test(sql) && !/\b(?:insert|update|delete|merge)\b/i.test(sql);
}
