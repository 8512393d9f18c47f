/** The version of Node that a page is for, where another one than that of the run: `<!-- runs on node24 -->` in a line of its own. */

import { NODES, type NodeName } from "../harness/nodes.ts";

/** @returns undefined where the page does not ask for one. */
export function readNode(text: string): NodeName | undefined {
  const [, wanted] = /^<!-- runs on (\S+) -->$/m.exec(text) ?? [];
  if (wanted === undefined) return undefined;
  const name = NODES.find((node) => node === wanted);
  if (name === undefined) throw new Error(`A page can run on ${NODES.join(", ")}, and not on ${wanted}.`);
  return name;
}
