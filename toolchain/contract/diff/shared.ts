/** What two sides of a project share. Where all texts behind a file are the same, so is what its routes take and answer. */

import { type Config, readConfig } from "#convention/config/config";
import { hooksFile, VIEWS_FILE } from "#convention/layout";
import type { Sources } from "#convention/project";
import type { Files } from "#convention/source/files";
import { createModules } from "#convention/source/modules";
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

export function findShared(before: Files, after: Files): Shared {
  const numbers = new Map<string | undefined, number>();
  const [textsBefore, textsAfter] = [createTextsBehind(before, numbers), createTextsBehind(after, numbers)];
  const keyBefore = createKeyOf(before, readConfig(before), textsBefore);
  const keyAfter = createKeyOf(after, readConfig(after), textsAfter);
  const known = new Map<string, boolean>();
  return {
    isSame(file) {
      const isSame = known.get(file) ?? keyBefore(file) === keyAfter(file);
      known.set(file, isSame);
      return isSame;
    },
    isSameSchema: (was, is) =>
      was.exported === is.exported && textsBefore(was.file).texts === textsAfter(is.file).texts,
  };
}

/** @returns what gives all that the routes of a file depend on. */
function createKeyOf(
  files: Files,
  { apps, cors, settings }: Config,
  textsBehind: TextsBehind,
): (file: string) => string {
  return (file) => {
    const app = apps.find(({ folder }) => file === `${folder}/${VIEWS_FILE}`);
    const folders = file.split("/").map((_, at, steps) => steps.slice(0, at).join("/"));
    const hooks = folders.map(hooksFile).filter(files.has);
    // The aliases of package.json are in where the specifiers lead.
    const texts = [file, ...hooks].map(textsBehind);
    return JSON.stringify([files.has(CONFIG_FILE), app?.label, app?.prefix, settings, cors, texts]);
  };
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

/** Of a file and all files that it leads to. */
interface Behind {
  /** Equal for equal texts that lead to each other in the same way. */
  readonly texts: string;
  /** Equal for the same files: their names may be in those of types. */
  readonly files: string;
}

type TextsBehind = (file: string) => Behind;

/** Whatever could be one: an import of types, or in a type, too. Packages only where nothing else can be meant. */
const SPECIFIER =
  /["'](\.{1,2}\/[^"'\n]+|#[^"'\n]+)["']|(?<=\b(?:from|import|(?:import|require)\s*\()\s*)["']([^"'\n]+)["']/g;

/** Of its types nothing is read. */
const FRAMEWORK = /^framework(?:\/|$)/;

/** @param numbers of all texts and files that were met, on both sides. */
function createTextsBehind(files: Files, numbers: Map<string | undefined, number>): TextsBehind {
  const modules = createModules(files);
  const known = new Map<string, Behind>();
  return (start) => {
    const before = known.get(start);
    if (before !== undefined) return before;
    const reached = new Map([[start, 0]]);
    const links: (number | undefined)[] = [];
    // The map grows while it is walked.
    for (const file of reached.keys())
      for (const next of leadsTo(file)) {
        if (next !== undefined && !reached.has(next)) reached.set(next, reached.size);
        links.push(next === undefined ? undefined : reached.get(next));
      }
    const all = [...reached.keys()];
    const texts = JSON.stringify([all.map((file) => numberOf(files.read(file))), links]);
    const behind = { texts, files: all.map(numberOf).join() };
    known.set(start, behind);
    return behind;
  };

  /** No commit has what is installed, so both sides have the same of it. */
  function leadsTo(file: string): readonly (string | undefined)[] {
    if (isInstalled(file)) return [];
    return [...(files.read(file) ?? "").matchAll(SPECIFIER)].flatMap(([, path, name = ""]) => {
      if (path !== undefined) return [modules.resolve(file, path, true)];
      return FRAMEWORK.test(name) ? [] : [modules.resolvePackage(file, name)];
    });
  }

  function numberOf(text: string | undefined): number {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  }
}
