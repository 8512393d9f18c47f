/** Which files of a project have to be loaded before it answers, although no request may need them. */

import type { Sources } from "#runtime/convention/project";
import type { SourceModule } from "#runtime/convention/source/module";
import { projectModules } from "../load/project-functions.ts";

/**
 * Keeps what it has seen, so that a file that has changed is loaded at once: if it has a mistake, nothing is answered.
 *
 * @returns gives for a reading the files that do more than declare, those that changed since the one before or are unproven, and the
 * first file of each circle of imports: they run as they do in production. All are in the order in which they run there.
 */
export function createFirstFiles(): (sources: Sources, unproven: readonly string[]) => string[] {
  let before: ReadonlyMap<string, SourceModule> = new Map();
  return (sources, unproven) => {
    const { seen, circular } = follow(sources);
    const named = new Set([...circular, ...unproven]);
    const first = [...seen].filter(
      ([file, module]) => module.hasEffects || named.has(file) || before.get(file) !== module,
    );
    before = seen;
    return first.map(([file]) => file);
  };
}

/** What the handlers' modules import, each file after those that it imports itself. */
function follow({ project, types: { modules } }: Sources): {
  readonly seen: ReadonlyMap<string, SourceModule>;
  readonly circular: ReadonlySet<string>;
} {
  const seen = new Map<string, SourceModule>();
  const open = new Set<string>();
  const circular = new Set<string>();
  for (const { file } of projectModules(project)) visit(file);
  return { seen, circular };

  function visit(file: string): void {
    if (open.has(file)) circular.add(file);
    const module = open.has(file) || seen.has(file) ? undefined : modules.get(file);
    if (module === undefined) return;
    open.add(file);
    for (const { text } of module.sources) {
      const imported = modules.resolve(file, text);
      if (imported !== undefined) visit(imported);
    }
    open.delete(file);
    seen.set(file, module);
  }
}
