/** Whether the code that imports something goes on where it can't be loaded. */

import { isInside, isName, isNode, type Node, textOf } from "./syntax.ts";

/** @returns true where each `require()` and `import()` of that name has a `catch` around it, or after it. */
export function isCaught(nodes: readonly Node[], source: string): boolean {
  const loads = nodes.filter((node) => sourceOf(node) === source);
  const caught = nodes.flatMap((node) => caughtPart(node) ?? []);
  return loads.length > 0 && loads.every((node) => isInside(node, caught));
}

function sourceOf(node: Node): string | undefined {
  if (node.type === "ImportExpression") return textOf(node.source);
  if (node.type !== "CallExpression" || !isName(node.callee, "require")) return undefined;
  return Array.isArray(node.arguments) ? textOf(node.arguments[0]) : undefined;
}

/** What may fail in `try { … } catch {}`, `….catch(…)` and `….then(…, …)`. */
function caughtPart(node: Node): Node | undefined {
  if (node.type === "TryStatement")
    return node.handler !== null && isNode(node.block) ? node.block : undefined;
  const { callee, arguments: words } = node;
  if (!isNode(callee) || callee.type !== "MemberExpression" || !isNode(callee.object)) return undefined;
  const count = Array.isArray(words) ? words.length : 0;
  const isHandled =
    (isName(callee.property, "catch") && count > 0) || (isName(callee.property, "then") && count > 1);
  return isHandled ? callee.object : undefined;
}
