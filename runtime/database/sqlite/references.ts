/** Finds the foreign key that has failed, which SQLite does not report. */

import { type CompiledQuery, InsertQueryNode, TableNode, UpdateQueryNode } from "kysely";
import { mapValues } from "../engine/columns.ts";
import { quoteName } from "../engine/values.ts";
import type { Session } from "./session.ts";

/** @returns the table that a query writes to. */
export function tableOf({ query }: CompiledQuery): string | undefined {
  const node = InsertQueryNode.is(query) ? query.into : UpdateQueryNode.is(query) ? query.table : undefined;
  return node && TableNode.is(node) ? node.table.identifier.name : undefined;
}

/**
 * @returns the columns that refer to a missing row, except keys with several columns; undefined for an update that writes no foreign
 *   key, so that other rows must refer to the changed one.
 */
export function findMissingReferences(session: Session, query: CompiledQuery): readonly string[] | undefined {
  const table = tableOf(query);
  if (table === undefined) return [];
  const written = valuesIn(query);
  const keys = session.all(`pragma foreign_key_list(${quoteName(table)})`);
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

/** @returns the written values by column, without those that the database computes. */
function valuesIn(query: CompiledQuery): ReadonlyMap<string, readonly unknown[]> {
  const byColumn = new Map<string, unknown[]>();
  mapValues(query, (value, { name, isWritten }) => {
    const values = byColumn.get(name);
    if (isWritten && values) values.push(value);
    else if (isWritten) byColumn.set(name, [value]);
    return value;
  });
  return byColumn;
}

function exists(session: Session, table: string, key: string, value: unknown): boolean {
  const query = `select 1 from ${quoteName(table)} where ${quoteName(key)} = ? limit 1`;
  return session.all(query, value).length > 0;
}

function primaryKeyOf(session: Session, table: string): string | undefined {
  const primary = session.all(`pragma table_info(${quoteName(table)})`).find(({ pk }) => pk === 1);
  return primary && String(primary.name);
}
