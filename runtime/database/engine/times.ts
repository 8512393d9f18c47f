/**
 * Times in queries. Postgres compares times, and SQLite the texts that it stores for them. So a text that a query compares with a column
 * of times, or writes into one, gets the one form of a time before.
 */

import {
  type AliasNode,
  BinaryOperationNode,
  ColumnNode,
  ColumnUpdateNode,
  type CompiledQuery,
  IdentifierNode,
  InsertQueryNode,
  type OperationNode,
  OperationNodeTransformer,
  type PrimitiveValueListNode,
  type QueryCompiler,
  type QueryId,
  ReferenceNode,
  TableNode,
  ValueListNode,
  type ValueNode,
} from "kysely";
import { toTime } from "./values.ts";

export interface Times {
  readonly compiler: QueryCompiler;
  /** Digits of a second that the engine keeps. */
  readonly digits: number;
  /** Whether a column is a `timestamptz`. */
  isTime(table: string, column: string): boolean;
}

/**
 * @returns the query with the times in it in their form; undefined where none of its values belongs to a column of times, as for each
 *   query with the same SQL.
 * @throws {DatabaseError} for a text that is not a time with its zone.
 */
export function withTimes({ query, queryId }: CompiledQuery, times: Times): CompiledQuery | undefined {
  const form = new TimeForm(times);
  const changed = form.transformNode(query, queryId);
  return form.hasTimes ? times.compiler.compileQuery(changed, queryId) : undefined;
}

export function isText(value: unknown): boolean {
  return typeof value === "string";
}

/** What may be between a value and the operation that it is a part of. */
const LISTS: readonly string[] = ["AndNode", "ValueListNode", "ValuesNode", "ParensNode"];

class TimeForm extends OperationNodeTransformer {
  hasTimes = false;
  readonly #times: Times;
  /** By the names that the query has for them. */
  readonly #tables = new Map<string, string>();

  constructor(times: Times) {
    super();
    this.#times = times;
  }

  protected override transformTable(node: TableNode, queryId: QueryId): TableNode {
    const { name } = node.table.identifier;
    if (!this.#tables.has(name)) this.#tables.set(name, name);
    return super.transformTable(node, queryId);
  }

  protected override transformAlias(node: AliasNode, queryId: QueryId): AliasNode {
    if (TableNode.is(node.node) && IdentifierNode.is(node.alias))
      this.#tables.set(node.alias.name, node.node.table.identifier.name);
    return super.transformAlias(node, queryId);
  }

  protected override transformValue(node: ValueNode, queryId: QueryId): ValueNode {
    const list = this.nodeStack.at(-2);
    const index = list && ValueListNode.is(list) ? list.values.indexOf(node) : 0;
    return super.transformValue({ ...node, value: this.#toTimeAt(index, node.value) }, queryId);
  }

  protected override transformPrimitiveValueList(
    node: PrimitiveValueListNode,
    queryId: QueryId,
  ): PrimitiveValueListNode {
    const values = node.values.map((value, index) => this.#toTimeAt(index, value));
    return super.transformPrimitiveValueList({ ...node, values }, queryId);
  }

  /** @param index in its row, where rows are inserted. */
  #toTimeAt(index: number, value: unknown): unknown {
    if (!this.#belongsToTime(index)) return value;
    this.hasTimes = true;
    return toTime(value, this.#times.digits);
  }

  #belongsToTime(index: number): boolean {
    const [operation] = this.nodeStack
      .slice(0, -1)
      .reverse()
      .filter(({ kind }) => !LISTS.includes(kind));
    if (!operation) return false;
    if (BinaryOperationNode.is(operation))
      return this.#isTime(operation.leftOperand) || this.#isTime(operation.rightOperand);
    if (ColumnUpdateNode.is(operation)) return this.#isTime(operation.column);
    return InsertQueryNode.is(operation) && this.#isTime(operation.columns?.[index]);
  }

  #isTime(node: OperationNode | undefined): boolean {
    if (!node) return false;
    const [column, table] = ReferenceNode.is(node) ? [node.column, node.table] : [node, undefined];
    if (!ColumnNode.is(column)) return false;
    const named = table && this.#tables.get(table.table.identifier.name);
    const tables = named === undefined ? [...this.#tables.values()] : [named];
    return tables.some((name) => this.#times.isTime(name, column.column.name));
  }
}
