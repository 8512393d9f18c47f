/** Which files of a project have to be loaded before it answers, although no request may need them. */

import type { Sources } from "#convention/project";
import type { SourceModule } from "#convention/source/module";
import type { Modules } from "#convention/source/modules";
import { projectModules } from "../load/project-functions.ts";

export interface FirstFiles {
  /**
   * The files that the server imports itself, and which lead to what acts, is in a circle of imports, or is unproven. They are in the
   * order of production, so whatever they lead to runs as it does there. The other files only declare: they can't tell when they are loaded.
   */
  readonly first: readonly string[];
  /** What has changed since the reading before, or was unproven then: if it has a mistake, nothing is answered. */
  readonly unproven: readonly string[];
}

/** Keeps what it has seen, to find what has changed since. */
export function createFirstFiles(): (sources: Sources, unproven: readonly string[]) => FirstFiles {
  let before: ReadonlyMap<string, Reached> = new Map();
  return ({ project, types: { modules } }, unproven) => {
    const entries = projectModules(project).map(({ file }) => file);
    const reached = followImports(entries, modules);
    const changed = [...reached].filter(
      ([file, { module }]) => unproven.includes(file) || before.get(file)?.module !== module,
    );
    before = reached;
    const named = new Set(changed.map(([file]) => file));
    const needed = [...reached].filter(
      ([file, { module, isCircular }]) => named.has(file) || isCircular || acts(module, modules),
    );
    const first = new Set(needed.map(([, { by }]) => by));
    return { first: entries.filter((entry) => first.has(entry)), unproven: [...named] };
  };
}

/** A file of the project that can't be read, such as a CommonJS module, may do anything. */
function acts({ file, hasEffects, sources }: SourceModule, modules: Modules): boolean {
  const isUnread = (text: string): boolean =>
    modules.locate(file, text) !== undefined && modules.resolve(file, text) === undefined;
  return hasEffects || sources.some(({ text }) => isUnread(text));
}

interface Reached {
  readonly module: SourceModule;
  /** The first file of the server's imports that leads to it: by that one, production loads it. */
  readonly by: string;
  /** It leads back to itself. */
  isCircular: boolean;
}

/** Tarjan's algorithm for strongly connected components. @returns what the entries import, with them. */
function followImports(entries: readonly string[], modules: Modules): ReadonlyMap<string, Reached> {
  const reached = new Map<string, Reached>();
  /** The files of which it is not yet known whether they are in a circle, with their places in this order. */
  const open: string[] = [];
  const places = new Map<string, number>();
  for (const entry of entries) visit(entry, entry);
  return reached;

  /** @returns the first place among the open files that it leads to. */
  function visit(file: string, by: string): number {
    const known = places.get(file);
    if (known !== undefined) return known;
    const module = reached.has(file) ? undefined : modules.get(file);
    if (module === undefined) return Number.POSITIVE_INFINITY;
    reached.set(file, { module, by, isCircular: false });
    const place = open.push(file) - 1;
    places.set(file, place);
    let lowest = place;
    for (const { text } of module.sources) {
      const imported = modules.resolve(file, text);
      if (imported !== undefined) lowest = Math.min(lowest, visit(imported, by));
    }
    if (lowest === place) close(open.splice(place));
    return lowest;
  }

  function close(connected: readonly string[]): void {
    for (const file of connected) {
      places.delete(file);
      const one = reached.get(file);
      if (one) one.isCircular = connected.length > 1;
    }
  }
}
