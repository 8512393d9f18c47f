/** Which statements a function ends at, and which names are there behind an `if` that leaves. */

import type { Ast } from "#convention/deps/babel-parser";
import { nodesOutside } from "./bodies.ts";
import { pathOf } from "./tree.ts";

export const NOTHING = ["null", "undefined"] as const;

/** A name that is not null or not undefined, between two offsets. */
export interface Present {
  /** The names between the dots, joined. */
  readonly path: string;
  readonly not: readonly (typeof NOTHING)[number][];
  readonly start: number;
  readonly end: number;
}

type Known = Pick<Present, "path" | "not">;

/** @param body of a function; functions in it are not looked into. */
export function findPresent(body: Ast.Node): readonly Present[] {
  const nodes = nodesOutside([body]);
  const assigned = nodes.flatMap((node) =>
    node.type === "AssignmentExpression" ? (pathOf(node.left)?.join(".") ?? []) : [],
  );
  const present = nodes.flatMap((node) => {
    if (node.type === "BlockStatement") return node.body.flatMap((one) => presentBehind(one, node));
    if (node.type !== "IfStatement" && node.type !== "ConditionalExpression") return [];
    const { test, consequent, alternate } = node;
    const otherwise = alternate ? between(presentIf(test, false), alternate) : [];
    return [...between(presentIf(test, true), consequent), ...otherwise];
  });
  // It may have got another value since.
  return present.filter(({ path }) => !assigned.some((name) => path === name || path.startsWith(`${name}.`)));
}

/** `if (!user) throw …;` says something of all that follows. */
function presentBehind(statement: Ast.Statement, block: Ast.BlockStatement): readonly Present[] {
  if (statement.type !== "IfStatement" || !leaves(statement.consequent)) return [];
  return between(presentIf(statement.test, false), { start: statement.end ?? 0, end: block.end ?? 0 });
}

function between(known: readonly Known[], { start, end }: Pick<Ast.Node, "start" | "end">): Present[] {
  return known.map((one) => ({ ...one, start: start ?? 0, end: end ?? 0 }));
}

/** What is there where a condition comes to `outcome`. */
function presentIf(test: Ast.Node, outcome: boolean): readonly Known[] {
  switch (test.type) {
    case "ParenthesizedExpression":
      return presentIf(test.expression, outcome);
    case "LogicalExpression":
      if (test.operator !== (outcome ? "&&" : "||")) return [];
      return [...presentIf(test.left, outcome), ...presentIf(test.right, outcome)];
    case "UnaryExpression":
      return test.operator === "!" ? presentIf(test.argument, !outcome) : [];
    case "BinaryExpression":
      return presentUnless(test, outcome);
    default:
      return outcome ? about(test, NOTHING) : [];
  }
}

/** `user !== undefined`, `user == null` */
function presentUnless({ left, right, operator }: Ast.BinaryExpression, outcome: boolean): readonly Known[] {
  const isNull = right.type === "NullLiteral";
  if (!isNull && !(right.type === "Identifier" && right.name === "undefined")) return [];
  if (!/^[!=]==?$/.test(operator) || operator.startsWith("=") === outcome) return [];
  return about(left, operator.length === 2 ? NOTHING : [isNull ? "null" : "undefined"]);
}

function about(node: Ast.Node, not: Known["not"]): readonly Known[] {
  const path = pathOf(node);
  return path ? [{ path: path.join("."), not }] : [];
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
    case "TryStatement": {
      const { block, handler, finalizer } = statement;
      return leaves(finalizer) || (leaves(block) && (!handler || leaves(handler.body)));
    }
    case "SwitchStatement": {
      const { cases } = statement;
      const isWhole = cases.some(({ test }) => !test) && cases.at(-1)?.consequent.some(leaves) === true;
      return isWhole && !cases.some(breaks);
    }
    case "WhileStatement": {
      const { test, body } = statement;
      return test.type === "BooleanLiteral" && test.value && !breaks(body);
    }
    default:
      return false;
  }
}

function breaks(node: Ast.Node): boolean {
  return nodesOutside([node]).some(({ type }) => type === "BreakStatement");
}
