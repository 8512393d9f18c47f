/** The declarations of the built runtime: those that a project's type checker reads, and no others. */

import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** A specifier in what tsc prints, also one that it prints for a type whose name is not imported. */
const SPECIFIER = /(?:\bfrom |\bimport\()"(?:(\.[^"]+)\.[jt]s|#runtime\/([^"]+))"/g;

/**
 * Removes each declaration file that no public entry leads to.
 * @param entries the names of the public entries, without ending.
 */
export function pruneDeclarations(framework: string, entries: readonly string[]): void {
  const kept = reachFrom(
    entries.map((entry) => join(framework, `${entry}.d.ts`)),
    framework,
  );
  for (const file of readdirSync(framework, { recursive: true }).map((name) => join(framework, String(name))))
    if (file.endsWith(".d.ts") && !kept.has(file)) rmSync(file);
}

function reachFrom(files: readonly string[], framework: string): ReadonlySet<string> {
  const reached = new Set(files);
  for (const file of reached) {
    for (const [, path, name = ""] of readFileSync(file, "utf8").matchAll(SPECIFIER))
      reached.add(`${path === undefined ? join(framework, name) : resolve(dirname(file), path)}.d.ts`);
  }
  return reached;
}
