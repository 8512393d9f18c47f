/** What is known of a name behind an `if` that leaves: that it is there, or what `typeof` said of it. */

import type { Ast } from "#convention/deps/babel-parser";
import { nodesOutside } from "./bodies.ts";
import { pathOf } from "./tree.ts";

export interface Fact {
  /** The names between the dots, joined. */
  readonly path: string;
  readonly is: "present" | "string" | "number" | "boolean";
  /** The offsets between which it holds. */
  readonly start: number;
  readonly end: number;
}

type Known = Pick<Fact, "path" | "is">;

/** @param body of a function; functions in it are not looked into. */
export function findFacts(body: Ast.Node): readonly Fact[] {
  return nodesOutside([body]).flatMap((node) => {
    if (node.type === "BlockStatement") return node.body.flatMap((statement) => factsBehind(statement, node));
    if (node.type !== "IfStatement" && node.type !== "ConditionalExpression") return [];
    const otherwise = node.alternate ? placeFacts(factsIf(node.test, false), node.alternate) : [];
    return [...placeFacts(factsIf(node.test, true), node.consequent), ...otherwise];
  });
}

/** `if (!user) throw …;` says something of all that follows. */
function factsBehind(statement: Ast.Statement, block: Ast.BlockStatement): readonly Fact[] {
  if (statement.type !== "IfStatement" || !leaves(statement.consequent)) return [];
  return placeFacts(factsIf(statement.test, false), { start: statement.end ?? 0, end: block.end ?? 0 });
}

function placeFacts(
  known: readonly Known[],
  { start, end }: Pick<Ast.Node, "start" | "end">,
): readonly Fact[] {
  return known.map((fact) => ({ ...fact, start: start ?? 0, end: end ?? 0 }));
}

/** Whether nothing behind a statement runs after it. */
export function leaves(statement: Ast.Node | null | undefined): boolean {
  switch (statement?.type) {
    case "ReturnStatement":
    case "ThrowStatement":
      return true;
    case "BlockStatement":
      return statement.body.some(leaves);
    case "IfStatement":
      return leaves(statement.consequent) && leaves(statement.alternate);
    case "TryStatement":
      return (
        leaves(statement.finalizer) ||
        (leaves(statement.block) && (!statement.handler || leaves(statement.handler.body)))
      );
    case "SwitchStatement":
      return leavesSwitch(statement);
    case "ForStatement":
      return isEndless(statement.test) && !breaks(statement.body);
    case "WhileStatement":
    case "DoWhileStatement":
      return isEndless(statement.test) && !breaks(statement.body);
    default:
      return false;
  }
}

function leavesSwitch({ cases }: Ast.SwitchStatement): boolean {
  if (cases.some(({ consequent }) => consequent.some(breaks))) return false;
  return cases.some(({ test }) => !test) && cases.at(-1)?.consequent.some(leaves) === true;
}

function isEndless(test: Ast.Node | null | undefined): boolean {
  return !test || (test.type === "BooleanLiteral" && test.value);
}

function breaks(node: Ast.Node): boolean {
  return nodesOutside([node]).some(({ type }) => type === "BreakStatement");
}

/** What a condition says where it comes to `outcome`. */
function factsIf(test: Ast.Node, outcome: boolean): readonly Known[] {
  switch (test.type) {
    case "ParenthesizedExpression":
      return factsIf(test.expression, outcome);
    case "LogicalExpression":
      if (test.operator !== (outcome ? "&&" : "||")) return [];
      return [...factsIf(test.left, outcome), ...factsIf(test.right, outcome)];
    case "UnaryExpression":
      return test.operator === "!" ? factsIf(test.argument, !outcome) : [];
    case "BinaryExpression":
      return factsOf(test, outcome);
    default:
      return outcome ? about(test, "present") : [];
  }
}

function factsOf({ left, right, operator }: Ast.BinaryExpression, outcome: boolean): readonly Known[] {
  if (!/^[!=]==?$/.test(operator)) return [];
  const isEqual = operator.startsWith("=") === outcome;
  if (left.type === "UnaryExpression" && left.operator === "typeof" && right.type === "StringLiteral") {
    const { value } = right;
    const isKnown = value === "string" || value === "number" || value === "boolean";
    return isEqual && isKnown ? about(left.argument, value) : [];
  }
  const isNothing =
    right.type === "NullLiteral" || (right.type === "Identifier" && right.name === "undefined");
  return isNothing && !isEqual ? about(left, "present") : [];
}

function about(node: Ast.Node, is: Fact["is"]): readonly Known[] {
  const path = pathOf(node);
  return path ? [{ path: path.join("."), is }] : [];
}
