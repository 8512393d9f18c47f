/** Finds which foreign key has failed. SQLite says only that one has. */

import {
  ColumnNode,
  type CompiledQuery,
  InsertQueryNode,
  type OperationNode,
  PrimitiveValueListNode,
  TableNode,
  UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from "kysely";
import { quoteName } from "../engine/values.ts";
import type { Session } from "./session.ts";

interface Written {
  readonly table: string | undefined;
  /** The values that the query has for each column. Not those that the database computes. */
  readonly values: ReadonlyMap<string, readonly unknown[]>;
}

/** What a query of Kysely writes. */
export function writtenBy({ query }: CompiledQuery): Written {
  if (InsertQueryNode.is(query)) return { table: nameOf(query.into), values: insertedBy(query) };
  if (!UpdateQueryNode.is(query)) return { table: undefined, values: new Map() };
  const updates = (query.updates ?? []).flatMap(({ column, value }) =>
    ColumnNode.is(column) ? [[column.column.name, literalOf(value)] as const] : [],
  );
  return { table: nameOf(query.table), values: new Map(updates) };
}

function nameOf(node: OperationNode | undefined): string | undefined {
  return node && TableNode.is(node) ? node.table.identifier.name : undefined;
}

function insertedBy({ columns = [], values }: InsertQueryNode): Written["values"] {
  const rows = values && ValuesNode.is(values) ? values.values : [];
  const valuesAt = (index: number): unknown[] =>
    rows.flatMap((row) => {
      if (PrimitiveValueListNode.is(row)) return [row.values[index]];
      return ValueListNode.is(row) ? literalOf(row.values[index]) : [];
    });
  return new Map(columns.map(({ column }, index) => [column.name, valuesAt(index)]));
}

function literalOf(node: OperationNode | undefined): unknown[] {
  return node && ValueNode.is(node) ? [node.value] : [];
}

/**
 * @returns the columns whose value names a row that does not exist, but not those of keys with several columns; undefined for an update
 *   that writes no foreign key, so others must refer to what it changes.
 */
export function findMissingReferences(
  session: Session,
  { table, values }: Written,
  isUpdate: boolean,
): readonly string[] | undefined {
  if (table === undefined) return [];
  const keys = session.all(`pragma foreign_key_list(${quoteName(table)})`);
  if (isUpdate && !keys.some(({ from }) => values.has(String(from)))) return undefined;
  return keys
    .filter(({ id }) => keys.filter((key) => key.id === id).length === 1)
    .filter(({ from, table: parent, to }) => {
      const key = to === null ? primaryKeyOf(session, String(parent)) : String(to);
      const written = (values.get(String(from)) ?? []).filter(
        (value) => value !== null && value !== undefined,
      );
      return key !== undefined && written.some((value) => !exists(session, String(parent), key, value));
    })
    .map(({ from }) => String(from));
}

function exists(session: Session, table: string, key: string, value: unknown): boolean {
  const query = `select 1 from ${quoteName(table)} where ${quoteName(key)} = ? limit 1`;
  return session.all(query, value).length > 0;
}

function primaryKeyOf(session: Session, table: string): string | undefined {
  const found = session.all(`pragma table_info(${quoteName(table)})`).find(({ pk }) => pk === 1);
  return found && String(found.name);
}
