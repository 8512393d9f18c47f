/** What two sides of a project share. Where all texts behind a file are the same, so is what its routes take and answer. */

import { readConfig } from "#convention/config/config";
import { hooksFile } from "#convention/layout";
import type { Sources } from "#convention/project";
import type { Files } from "#convention/source/files";
import { createModules, type Modules } from "#convention/source/modules";
import { isInstalled } from "#convention/source/packages";
import type { Declared } from "#convention/wire/labels";
import { CONFIG_FILE } from "#runtime/project-root";
import type { SchemaShape } from "#runtime/wire/shape";

export interface Shared {
  /** Whether the routes of a file are the same on both sides, with all that runs around them. */
  isSame(file: string): boolean;
  /** Whether two values that check by themselves take the same: the texts behind them are equal. */
  isSameSchema(before: SchemaShape, after: SchemaShape): boolean;
}

export function findShared(before: Files, { files: after, types }: Sources): Shared {
  const [config, configNow] = [before, after].map((files) => {
    const { settings, cors, apps } = readConfig(files);
    return JSON.stringify([files.has(CONFIG_FILE), settings, cors, apps]);
  });
  const reach = createReach({ files: before, modules: createModules(before) }, { files: after, ...types });
  return {
    isSame(file) {
      if (config !== configNow) return false;
      const folders = file.split("/").map((_, at, steps) => steps.slice(0, at).join("/"));
      return [file, ...folders.map(hooksFile)].every((one) =>
        // Their names may be in those of types.
        reach(one, one)?.every(([was, is]) => was === is),
      );
    },
    isSameSchema: (was, is) => was.exported === is.exported && reach(was.file, is.file) !== undefined,
  };
}

type Pair = readonly [was: string, is: string];

interface Side {
  readonly files: Files;
  readonly modules: Modules;
}

/** Whatever could be one: an import of types, or in a type, too. Packages only where nothing else can be meant. */
const SPECIFIER =
  /["'](\.{1,2}\/[^"'\n]+|#[^"'\n]+)["']|(?<=\b(?:from|import|(?:import|require)\s*\()\s*)["']([^"'\n]+)["']/g;

/** Of its types nothing is read. */
const FRAMEWORK = /^framework(?:\/|$)/;

/**
 * @returns what gives two files and all that they lead to, where each leads to the same texts on both sides; undefined where a text
 *   differs.
 */
function createReach(before: Side, after: Side): (was: string, is: string) => readonly Pair[] | undefined {
  const known = new Map<string, readonly Pair[] | undefined>();
  return (start, startAfter) => {
    const reached = new Map<string, Pair>([[`${start}\n${startAfter}`, [start, startAfter]]]);
    // The map grows while it is walked.
    for (const [key, [was, is]] of reached) {
      const next = known.has(key) ? known.get(key) : findNext(was, is);
      known.set(key, next);
      if (next === undefined) return undefined;
      for (const pair of next) reached.set(pair.join("\n"), pair);
    }
    return [...reached.values()];
  };

  function findNext(was: string, is: string): readonly Pair[] | undefined {
    const text = before.files.read(was);
    if (text !== after.files.read(is)) return undefined;
    // No commit has what is installed, so both sides have the same of it.
    if (isInstalled(was) || text === undefined) return [];
    const pairs = [...text.matchAll(SPECIFIER)].map(([, path, name]) =>
      [[before, was] as const, [after, is] as const].map(([{ modules }, file]) => {
        if (path !== undefined) return modules.resolve(file, path, true);
        return name === undefined || FRAMEWORK.test(name) ? undefined : modules.resolvePackage(file, name);
      }),
    );
    if (pairs.some(([one, other]) => (one === undefined) !== (other === undefined))) return undefined;
    return pairs.flatMap(([one, other]): Pair[] => (one && other ? [[one, other]] : []));
  }
}

/**
 * Whether a type that one side alone has may rename a type of a route that is otherwise the same: another file declares its name, too.
 * To be asked when both sides have been read as far as their routes differ.
 *
 * @param shared what was left out of the side before.
 */
export function mayRename(before: Sources, after: Sources, shared: readonly Declared[]): boolean {
  const [known, found] = [declaredIn(before, shared), declaredIn(after)];
  const changed = [...known, ...found].filter(([key]) => !(known.has(key) && found.has(key)));
  const names = [...new Set(changed.map(([, name]) => name.replaceAll("$", "\\$")))];
  if (names.length === 0) return false;
  const declaration = new RegExp(
    `\\b(?:interface|type|class|enum|const|as)\\s+(${names.join("|")})(?![\\w$])`,
    "g",
  );
  return [before, after].some(({ files }) => {
    const all = files.seen.flatMap((file) => [
      ...new Set([...(files.read(file) ?? "").matchAll(declaration)].map(([, name]) => name)),
    ]);
    return new Set(all).size < all.length;
  });
}

/** The names that the types of a side have, by file and name. */
function declaredIn({ types }: Sources, others: readonly Declared[] = []): ReadonlyMap<string, string> {
  const all = [...types.shapes.naming.declared.values(), ...others];
  return new Map(all.map(({ file, name }) => [`${file} ${name}`, name]));
}
