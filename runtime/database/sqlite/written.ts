/** What a query writes, for messages: SQLite says which table and column only for some refusals. */

import {
  ColumnNode,
  type CompiledQuery,
  DeleteQueryNode,
  InsertQueryNode,
  type OperationNode,
  PrimitiveValueListNode,
  TableNode,
  UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from "kysely";

export interface Written {
  readonly action: "insert" | "update" | "delete" | undefined;
  readonly table: string | undefined;
  /** By column. Not those that the database computes. */
  readonly values: ReadonlyMap<string, readonly unknown[]>;
}

const NOTHING: Written["values"] = new Map();

export function describeWritten({ query, sql }: CompiledQuery): Written {
  if (InsertQueryNode.is(query))
    return { action: "insert", table: nameOf(query.into), values: insertedValues(query) };
  if (UpdateQueryNode.is(query))
    return { action: "update", table: nameOf(query.table), values: updatedValues(query) };
  if (DeleteQueryNode.is(query))
    return { action: "delete", table: nameOf(query.from.froms[0]), values: NOTHING };
  const [, word = ""] = /^\s*(insert|replace|update|delete)\b/i.exec(sql) ?? [];
  return { action: ACTIONS[word.toLowerCase()], table: undefined, values: NOTHING };
}

const ACTIONS: Readonly<Record<string, Written["action"]>> = {
  insert: "insert",
  replace: "insert",
  update: "update",
  delete: "delete",
};

function nameOf(node: OperationNode | undefined): string | undefined {
  return node && TableNode.is(node) ? node.table.identifier.name : undefined;
}

function insertedValues({ columns = [], values }: InsertQueryNode): Written["values"] {
  if (!values || !ValuesNode.is(values)) return NOTHING;
  return new Map(
    columns.map(({ column }, index) => [
      column.name,
      values.values.flatMap((row) => {
        if (PrimitiveValueListNode.is(row)) return [row.values[index]];
        return ValueListNode.is(row) ? literalOf(row.values[index]) : [];
      }),
    ]),
  );
}

function updatedValues({ updates = [] }: UpdateQueryNode): Written["values"] {
  return new Map(
    updates.flatMap(({ column, value }) =>
      ColumnNode.is(column) ? [[column.column.name, literalOf(value)] as const] : [],
    ),
  );
}

function literalOf(node: OperationNode | undefined): unknown[] {
  return node && ValueNode.is(node) ? [node.value] : [];
}
