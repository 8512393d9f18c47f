/** Which routes may differ between two sides. Where all texts behind a route are the same, so is what it takes and answers. */

import { readIds } from "#convention/contract/read";
import type { Sources } from "#convention/project";
import { isInstalled } from "#convention/source/packages";
import type { TypedRoute } from "#convention/wire/typed-route";
import type { SchemaShape } from "#runtime/wire/shape";
import { functionsOf } from "../../load/project-functions.ts";

type Routes = ReadonlySet<TypedRoute>;

export interface Differing {
  readonly before: Routes;
  readonly after: Routes;
  /** Whether two values that check by themselves take the same: the texts behind them are equal. */
  isSameSchema(before: SchemaShape, after: SchemaShape): boolean;
}

export function findDiffering(before: Sources, after: Sources): Differing {
  const numbers = new Map<string | undefined, number>();
  const textsBefore = createTextsBehind(before, numbers);
  const textsAfter = createTextsBehind(after, numbers);
  const known = keysOf(before, textsBefore);
  const found = keysOf(after, textsAfter);
  const missing = (own: Keys, other: Keys): Routes =>
    new Set([...own].flatMap(([key, route]) => (other.has(key) ? [] : [route])));
  return {
    before: missing(known, found),
    after: missing(found, known),
    isSameSchema: (was, is) =>
      was.exported === is.exported && textsBefore(was.file).texts === textsAfter(is.file).texts,
  };
}

/**
 * Whether a type that one side alone has may rename a type of a route that is otherwise the same: another file declares its name, too.
 * To be asked when both sides have been read as far as their routes differ.
 */
export function mayRename(before: Sources, after: Sources): boolean {
  const [known, found] = [declaredIn(before), declaredIn(after)];
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
function declaredIn({ types }: Sources): ReadonlyMap<string, string> {
  const all = [...types.shapes.naming.declared.values()];
  return new Map(all.map(({ file, name }) => [`${file} ${name}`, name]));
}

/** The routes by all that they depend on. */
type Keys = ReadonlyMap<string, TypedRoute>;

function keysOf(sources: Sources, textsBehind: TextsBehind): Keys {
  const { apps, cors, routes, settings } = sources.project;
  const labels = new Map(apps.map(({ name, label }) => [name, label]));
  const ids = readIds(sources);
  return new Map(
    routes.map((route) => {
      const { method, pattern, handler, module, app } = route;
      const own = [method, pattern, handler, module, app && labels.get(app), ids.get(route)];
      const files = functionsOf(route).flatMap((one) => [one.module, one.location.file]);
      // The aliases of package.json are in where the specifiers lead.
      return [JSON.stringify([own, settings, cors, files.map(textsBehind)]), route];
    }),
  );
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
function createTextsBehind(
  { files, types: { modules } }: Sources,
  numbers: Map<string | undefined, number>,
): TextsBehind {
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
