/** Maps the values of a query to their columns, and normalizes times. */

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
  /** The tables that may contain the column. */
  readonly tables: readonly string[];
  /** True if the value is written to the column, false if it is compared with it. */
  readonly isWritten: boolean;
  /** False if the value is compared with the result of a function or a `with`, which may have another type. */
  readonly isCertain: boolean;
}

export interface Times {
  readonly compiler: QueryCompiler;
  /** The number of fractional digits of a second that the engine stores. */
  readonly digits: number;
  /** True for a `timestamptz` column. */
  isTime(table: string, column: string): boolean;
}

/**
 * Normalizes the times in a query, because SQLite compares them as texts.
 *
 * @returns undefined if no value belongs to a time column, which is so for every query with the same SQL.
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

/** @returns the query, with the result of `map` for each value that belongs to a column. */
export function mapValues({ query, queryId }: CompiledQuery, map: MapValue): RootOperationNode {
  const mapper = new ValueMapper();
  // A first pass collects the tables: those of `with` come last.
  if ("with" in query && query.with) mapper.transformNode(query, queryId);
  mapper.map = map;
  return mapper.transformNode(query, queryId);
}

/** The nodes that may be between a value and its operation. */
const LISTS: readonly string[] = ["AndNode", "ValueListNode", "ValuesNode", "ParensNode"];
const QUERIES: readonly string[] = ["SelectQueryNode", "UpdateQueryNode", "DeleteQueryNode"];

class ValueMapper extends OperationNodeTransformer {
  map: MapValue = (value) => value;
  /** The tables by their name or alias in the query. */
  readonly #tables = new Map<string, string>();
  /** The names of common table expressions. */
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

  /** @param index the value's index in an inserted row. */
  #mapAt(index: number, value: unknown): unknown {
    const ancestors = this.nodeStack.slice(0, -1).reverse();
    const operation = ancestors.find(({ kind }) => !LISTS.includes(kind));
    if (!operation) return value;
    const isWritten = !BinaryOperationNode.is(operation);
    for (const node of columnsIn(operation, index)) {
      const [column, table] = ReferenceNode.is(node) ? [node.column, node.table] : [node, undefined];
      if (!ColumnNode.is(column)) continue;
      const named = table && this.#tables.get(table.table.identifier.name);
      const isTable = named !== undefined && !this.#expressions.has(named);
      const tables = isTable ? [named] : [...this.#tables.values()];
      const isOfTable = isTable || (table ? this.#expressions.size === 0 : !this.#readsExpression(ancestors));
      const isCertain =
        isWritten || (isOfTable && [operation.leftOperand, operation.rightOperand].includes(node));
      return this.map(value, { name: column.column.name, tables, isWritten, isCertain });
    }
    return value;
  }

  /** True if the innermost query reads from a common table expression. */
  #readsExpression(ancestors: readonly OperationNode[]): boolean {
    const query = ancestors.find(({ kind }) => QUERIES.includes(kind)) as SelectQueryNode | undefined;
    const sources = [...(query?.from?.froms ?? []), ...(query?.joins ?? []).map(({ table }) => table)];
    return sources.some((source) => {
      const table = AliasNode.is(source) ? source.node : source;
      return TableNode.is(table) && this.#expressions.has(table.table.identifier.name);
    });
  }
}

/** @returns the nodes that may be the column of a value in the operation. */
function columnsIn(operation: OperationNode, index: number): readonly OperationNode[] {
  if (BinaryOperationNode.is(operation))
    return [operation.leftOperand, operation.rightOperand].flatMap(argumentsOf);
  if (ColumnUpdateNode.is(operation)) return [operation.column];
  return InsertQueryNode.is(operation) ? (operation.columns ?? []).slice(index, index + 1) : [];
}

/** @returns the arguments of a function; for any other node the node itself. */
function argumentsOf(node: OperationNode): readonly OperationNode[] {
  if (FunctionNode.is(node)) return node.arguments.flatMap(argumentsOf);
  return AggregateFunctionNode.is(node) ? node.aggregated : [node];
}
