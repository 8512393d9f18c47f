/**
 * Refuses what the bundler takes and Node does not, so that a built server means what its source does: TypeScript that is more than
 * types, and imports of JSON without an attribute or of a single name.
 */

import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { mayBeInerasable } from "#convention/source/erasure";
import { parseModule } from "#convention/source/reader";
import { locateOffset } from "../load/project-files.ts";
import { isName, isNode, type Node, type Parser, parseNodes, type TextPlugin, textOf } from "./syntax.ts";

/**
 * @param toOwnFile the path of a file of the project, and undefined for anyone else's.
 * @param diagnostics takes what is found.
 */
export function diagnoseUnlikeNode(
  toOwnFile: (id: string) => string | undefined,
  diagnostics: Diagnostic[],
): TextPlugin {
  return {
    name: "framework-unlike-node",
    transform(code, id) {
      const file = toOwnFile(id);
      if (file !== undefined)
        diagnostics.push(...findJsonImports(this, code, file), ...findInerasable(code, file));
      return undefined;
    },
  };
}

function findInerasable(code: string, file: string): Diagnostic[] {
  if (!/\.m?ts$/.test(file) || !mayBeInerasable(code)) return [];
  return parseModule(code, file).inerasable.map((found) => diagnose("FW318", found, found.location));
}

function findJsonImports(parser: Parser, code: string, file: string): Diagnostic[] {
  if (!/\.json\b/.test(code)) return [];
  return parseNodes(parser, code, file).flatMap((node) => {
    const source = textOf(node.source) ?? "";
    const why = /\.json(?:[?#].*)?$/s.test(source) ? explainRefusal(node, source) : undefined;
    if (why === undefined || !isNode(node.source)) return [];
    return diagnose("FW503", { module: file, why }, locateOffset(file, code, node.source.start));
  });
}

/** In Node's words. */
function explainRefusal(node: Node, source: string): string | undefined {
  if (!hasJsonType(node)) return `Module "${source}" needs an import attribute of "type: json"`;
  const name = namesIn(node.specifiers).find((imported) => imported !== "default");
  if (name === undefined) return undefined;
  return `The requested module '${source}' does not provide an export named '${name}'`;
}

/** True for `with { type: "json" }`, and for `import("…", { with: { type: "json" } })`. */
function hasJsonType({ type, attributes, options }: Node): boolean {
  if (type !== "ImportExpression") return isListOfJson(attributes, "type");
  // What is computed is known at run time only.
  if (!isNode(options) || options.type !== "ObjectExpression") return options !== null;
  const [value] = listOf(options.properties).flatMap((it) => (isName(it.key, "with") ? [it.value] : []));
  return isNode(value) && isListOfJson(value.properties, "type");
}

function isListOfJson(entries: unknown, key: string): boolean {
  return listOf(entries).some(
    (it) => (isName(it.key, key) || textOf(it.key) === key) && textOf(it.value) === "json",
  );
}

function namesIn(specifiers: unknown): string[] {
  return listOf(specifiers).flatMap(({ type, imported, local }) => {
    const name = type === "ImportSpecifier" ? imported : type === "ExportSpecifier" ? local : undefined;
    return isNode(name) ? (textOf(name) ?? String(name.name)) : [];
  });
}

function listOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}
