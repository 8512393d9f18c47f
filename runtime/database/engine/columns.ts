/** Which columns the values of a query belong to, and what that means for times. */

import {
  AggregateFunctionNode,
  AliasNode,
  BinaryOperationNode,
  ColumnNode,
  ColumnUpdateNode,
  type CommonTableExpressionNameNode,
  type CompiledQuery,
  FunctionNode,
  IdentifierNode,
  InsertQueryNode,
  type OperationNode,
  OperationNodeTransformer,
  type PrimitiveValueListNode,
  type QueryCompiler,
  type QueryId,
  ReferenceNode,
  type RootOperationNode,
  type SelectQueryNode,
  TableNode,
  ValueListNode,
  type ValueNode,
} from "kysely";
import { isTime, toTime } from "./values.ts";

interface Column {
  readonly name: string;
  /** It is of one of these. */
  readonly tables: readonly string[];
  /** Whether the value is written into it. Otherwise it is compared with it. */
  readonly isWritten: boolean;
  /** False where the value is compared with what a function or a `with` makes of the column: that may be another type. */
  readonly isCertain: boolean;
}

export interface Times {
  readonly compiler: QueryCompiler;
  /** Digits of a second that the engine keeps. */
  readonly digits: number;
  /** Whether a column is a `timestamptz`. */
  isTime(table: string, column: string): boolean;
}

/**
 * Postgres compares times, and SQLite the texts that it stores for them. So a time in a query gets its one form before.
 *
 * @returns undefined where none of its values belongs to a column of times, as for each query with the same SQL.
 * @throws {DatabaseError} for a text that is not a time with its zone.
 */
export function withTimes(query: CompiledQuery, times: Times): CompiledQuery | undefined {
  let hasTimes = false;
  const changed = mapValues(query, (value, { name, tables, isCertain }) => {
    if (!tables.some((table) => times.isTime(table, name))) return value;
    hasTimes = true;
    return isCertain || isTime(value) ? toTime(value, times.digits) : value;
  });
  return hasTimes ? times.compiler.compileQuery(changed, query.queryId) : undefined;
}

export function isText(value: unknown): boolean {
  return typeof value === "string";
}

type MapValue = (value: unknown, column: Column) => unknown;

/** @returns the query with what `map` returns for each value that belongs to a column. */
export function mapValues({ query, queryId }: CompiledQuery, map: MapValue): RootOperationNode {
  const mapper = new ValueMapper();
  // To know the tables: those of `with` come last.
  if ("with" in query && query.with) mapper.transformNode(query, queryId);
  mapper.map = map;
  return mapper.transformNode(query, queryId);
}

/** What may be between a value and the operation that it is a part of. */
const LISTS: readonly string[] = ["AndNode", "ValueListNode", "ValuesNode", "ParensNode"];
const QUERIES: readonly string[] = ["SelectQueryNode", "UpdateQueryNode", "DeleteQueryNode"];

class ValueMapper extends OperationNodeTransformer {
  map: MapValue = (value) => value;
  /** By the names that the query has for them. */
  readonly #tables = new Map<string, string>();
  /** The names of `with`: their columns are those of tables. */
  readonly #expressions = new Set<string | undefined>();

  protected override transformCommonTableExpressionName(
    node: CommonTableExpressionNameNode,
    queryId: QueryId,
  ): CommonTableExpressionNameNode {
    this.#expressions.add(node.table.table.identifier.name);
    return super.transformCommonTableExpressionName(node, queryId);
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
    return super.transformValue({ ...node, value: this.#mapAt(index, node.value) }, queryId);
  }

  protected override transformPrimitiveValueList(
    node: PrimitiveValueListNode,
    queryId: QueryId,
  ): PrimitiveValueListNode {
    const values = node.values.map((value, index) => this.#mapAt(index, value));
    return super.transformPrimitiveValueList({ ...node, values }, queryId);
  }

  /** @param index in its row, where rows are inserted. */
  #mapAt(index: number, value: unknown): unknown {
    const outside = this.nodeStack.slice(0, -1).reverse();
    const operation = outside.find(({ kind }) => !LISTS.includes(kind));
    if (!operation) return value;
    const isWritten = !BinaryOperationNode.is(operation);
    for (const node of columnsIn(operation, index)) {
      const [column, table] = ReferenceNode.is(node) ? [node.column, node.table] : [node, undefined];
      if (!ColumnNode.is(column)) continue;
      const named = table && this.#tables.get(table.table.identifier.name);
      const isTable = named !== undefined && !this.#expressions.has(named);
      const tables = isTable ? [named] : [...this.#tables.values()];
      const isOfTable = isTable || (table ? this.#expressions.size === 0 : !this.#readsExpression(outside));
      const isCertain =
        isWritten || (isOfTable && [operation.leftOperand, operation.rightOperand].includes(node));
      return this.map(value, { name: column.column.name, tables, isWritten, isCertain });
    }
    return value;
  }

  /** Whether what a `with` computes is among what the innermost query reads. */
  #readsExpression(outside: readonly OperationNode[]): boolean {
    const query = outside.find(({ kind }) => QUERIES.includes(kind)) as SelectQueryNode | undefined;
    const sources = [...(query?.from?.froms ?? []), ...(query?.joins ?? []).map(({ table }) => table)];
    return sources.some((source) => {
      const table = AliasNode.is(source) ? source.node : source;
      return TableNode.is(table) && this.#expressions.has(table.table.identifier.name);
    });
  }
}

/** Where the columns are that a value of the operation may belong to. */
function columnsIn(operation: OperationNode, index: number): readonly OperationNode[] {
  if (BinaryOperationNode.is(operation))
    return [operation.leftOperand, operation.rightOperand].flatMap(argumentsOf);
  if (ColumnUpdateNode.is(operation)) return [operation.column];
  return InsertQueryNode.is(operation) ? (operation.columns ?? []).slice(index, index + 1) : [];
}

/** @returns the node itself where it is not a function. */
function argumentsOf(node: OperationNode): readonly OperationNode[] {
  if (FunctionNode.is(node)) return node.arguments.flatMap(argumentsOf);
  return AggregateFunctionNode.is(node) ? node.aggregated : [node];
}
