/** Warns where a module in the built file asks for its own path: in a build that is the path of the built file. */

import { readFileSync } from "node:fs";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { isOwnFile, locateOffset, packageOf, toPath } from "../load/project-files.ts";
import type { Graph } from "./graph.ts";

/** In the built file, where the bundler has replaced the names that CommonJS has for it. */
const OWN_PATH = /(?<!\btypeof )\bimport\.meta\.(?:url|dirname|filename)\b/;
const IN_SOURCE = /\b__(?:dir|file)name\b|\bimport\.meta\.(?:url|dirname|filename)\b/;

/**
 * @param modules what the built file has of each: the rest of a package is harmless.
 * @returns the first place in each file of the project, and in each package.
 */
export function findOwnPaths(
  root: string,
  modules: Readonly<Record<string, { readonly code: string | null }>>,
  graph: Graph,
): Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  for (const [id, { code }] of Object.entries(modules)) {
    const name = packageOf(id);
    if (found.has(name ?? id) || !OWN_PATH.test(code ?? "")) continue;
    if (name === undefined && !isOwnFile(root, id)) continue;
    const source = readFileSync(id, "utf8");
    const { index = 0, 0: text = "import.meta" } = IN_SOURCE.exec(source) ?? {};
    const location = locateOffset(toPath(root, id), source, index);
    const use = name === undefined ? undefined : { name, place: `${location.file}:${location.line}` };
    const place = use ? (graph.placeOf(graph.stepsTo(id)) ?? location) : location;
    found.set(name ?? id, diagnose("FW704", { text, ...(use && { use }) }, place));
  }
  return [...found.values()];
}
