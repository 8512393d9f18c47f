/** Refuses imports of JSON that the bundler takes and Node does not: those without an attribute, and those of a single name. */

import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { isName, isNode, locateOffset, type Node, type Parser, parseNodes, textOf } from "./syntax.ts";

export interface JsonImportsPlugin {
  readonly name: string;
  transform(this: Parser, code: string, id: string): undefined;
}

/**
 * @param toOwnFile the path of a file of the project, and undefined for anyone else's.
 * @param diagnostics takes what is found.
 */
export function diagnoseLaxJson(
  toOwnFile: (id: string) => string | undefined,
  diagnostics: Diagnostic[],
): JsonImportsPlugin {
  return {
    name: "framework-json-imports",
    transform(code, id) {
      const file = toOwnFile(id);
      if (file === undefined || !/\.json\b/.test(code)) return undefined;
      for (const node of parseNodes(this, code, id)) {
        const source = /\.json(?:[?#].*)?$/s.test(textOf(node.source) ?? "") ? node.source : undefined;
        const why = isNode(source) ? explain(node, textOf(source) ?? "") : undefined;
        if (why === undefined || !isNode(source)) continue;
        diagnostics.push(diagnose("FW503", { module: file, why }, locateOffset(file, code, source.start)));
      }
      return undefined;
    },
  };
}

/** In Node's words. */
function explain(node: Node, source: string): string | undefined {
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
