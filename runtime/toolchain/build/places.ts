/** Finds what in the project's own files means something else once all are one file: where a module stands, and imports by a computed name. */

import type { Diagnostic } from "../../convention/diagnostics.ts";
import type { Location } from "../../core/route.ts";
import { find } from "./findings.ts";

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** What a hook is given by the bundler. */
interface Parser {
  parse(code: string, options: object): Node;
}

export interface PlacesPlugin {
  readonly name: string;
  transform(this: Parser, code: string, id: string): undefined;
}

/**
 * @param toOwnFile the path of a file of the project, and undefined for anyone else's.
 * @param findings takes what is found.
 */
export function watchPlaces(
  toOwnFile: (id: string) => string | undefined,
  findings: Diagnostic[],
): PlacesPlugin {
  return {
    name: "framework-places",
    transform(code, id) {
      const file = toOwnFile(id);
      if (file === undefined || !/\bimport\s*[.(]/.test(code)) return undefined;
      for (const node of nodesIn(this.parse(code, { lang: /\.[cm]?ts$/.test(id) ? "ts" : "tsx" }))) {
        const text = code.slice(node.start, node.end);
        const place = locateOffset(file, code, node.start);
        if (node.type === "MemberExpression" && /^import\.meta\.(?:url|dirname|filename)$/.test(text))
          findings.push(find("FW704", { text }, place));
        if (isComputedImport(node)) findings.push(find("FW705", {}, place));
      }
      return undefined;
    },
  };
}

function isComputedImport(node: Node): boolean {
  if (node.type !== "ImportExpression" || !("source" in node)) return false;
  return !isNode(node.source) || node.source.type !== "Literal";
}

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesIn(item);
  if (!isNode(value)) return;
  yield value;
  for (const child of Object.values(value)) yield* nodesIn(child);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** @param offset in UTF-16 units. */
export function locateOffset(file: string, text: string, offset: number): Location {
  const lines = text.slice(0, offset).split("\n");
  return { file, line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}
