/** Warns where a module in the built file asks for its own place: that is the place of the built file. */

import { readFileSync } from "node:fs";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { isOwnFile, locateOffset, packageOf, toPath } from "../load/project-files.ts";
import { type Graph, isOfBuild } from "./graph.ts";

/** In the built file, where the bundler has replaced the names that CommonJS has for it. */
const OWN_PLACE = /(?<!\btypeof )\bimport\.meta\.(?:url|dirname|filename)\b/;
const IN_SOURCE = /\b__(?:dir|file)name\b|\bimport\.meta\.(?:url|dirname|filename)\b/;

/**
 * @param modules what the built file has of each: the rest of a package is harmless.
 * @returns the first place in each file of the project, and in each package.
 */
export function findPlaces(
  root: string,
  modules: readonly (readonly [id: string, code: string])[],
  graph: Graph,
): Diagnostic[] {
  const packages = new Set<string>();
  return modules.flatMap(([id, code]) => {
    const name = packageOf(id);
    const isOther = packages.has(name ?? "") || (name === undefined && !isOwnFile(root, id));
    if (isOther || isOfBuild(id) || !OWN_PLACE.test(code)) return [];
    const source = readFileSync(id, "utf8");
    const { index = 0, 0: text = "import.meta" } = IN_SOURCE.exec(source) ?? {};
    const location = locateOffset(toPath(root, id), source, index);
    if (name === undefined) return diagnose("FW704", { text }, location);
    packages.add(name);
    const use = { name, place: `${location.file}:${location.line}` };
    return diagnose("FW704", { text, use }, graph.placeOfFile(id) ?? location);
  });
}
