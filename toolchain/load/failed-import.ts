/** Finds the failed import in the project's own files: Node's error names what was imported, and not always by which file. */

import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isAlias } from "#convention/source/aliases";
import type { ImportSource } from "#convention/source/module";
import type { Modules } from "#convention/source/modules";
import type { Location } from "#runtime/routing/route";
import { frameworkPath } from "../framework-folder.ts";
import { isOwnFile, toPath } from "./project-files.ts";

/** What is imported is a path, a URL or its scheme, the name of a package or of a module of Node's, or an alias. */
const FAILURES: readonly RegExp[] = [
  /Cannot find (?:module|package) '(?<imported>.+?)' imported from (?<importer>.+)$/,
  /Directory import '(?<imported>.+?)' is not supported .* imported from (?<importer>.+)$/,
  /Package import specifier "(?<imported>[^"]+)" .* imported from (?<importer>.+)$/,
  /Module "(?<imported>[^"]+)" needs an import attribute/,
  /Unknown file extension "[^"]*" for (?<imported>.+)$/,
  /Invalid module "(?<imported>[^"]+)" .* imported from (?<importer>.+)$/,
  /No such built-in module: (?<imported>\S+)/,
  /Received protocol '(?<imported>[^']+:)'/,
];

/**
 * @param file the module that could not be loaded, relative to the root.
 * @param why the error's message.
 * @returns the place of the specifier; undefined where the message is about something else, or a package's own import.
 */
export function locateFailedImport(
  root: string,
  modules: Modules,
  file: string,
  why: string,
): Location | undefined {
  const { imported, importer } = FAILURES.map((pattern) => pattern.exec(why)?.groups).find(Boolean) ?? {};
  if (imported === undefined) return undefined;
  const entry = [importer ?? "", imported].map(frameworkEntryOf).find(Boolean);
  if (entry) return locateImport(modules, file, ({ text }) => text === entry);
  if (importer !== undefined && !isOwnFile(root, importer)) return undefined;
  const first = importer === undefined ? file : toPath(root, importer);
  return locateImport(modules, first, ({ text, location }) =>
    leadsTo(root, modules, location.file, text, imported),
  );
}

/** @returns what the project imports of the framework to get to a file: it may be missing, or need packages. @example "framework/database" */
function frameworkEntryOf(file: string): string | undefined {
  const framework = frameworkPath();
  if (!file.startsWith(framework)) return undefined;
  const [entry] = file.slice(framework.length).split(/\.js$|[\\/]/);
  return `framework/${entry}`;
}

function locateImport(
  modules: Modules,
  first: string,
  isMeant: (source: ImportSource) => boolean,
): Location | undefined {
  for (const source of importsFrom(modules, first)) if (isMeant(source)) return source.location;
  return undefined;
}

/** The imports of a module, then those of the modules of the project that it imports, and so on. */
function* importsFrom(modules: Modules, first: string): Generator<ImportSource> {
  const files = new Set([first]);
  // The loop also reaches files that are added to the set meanwhile.
  for (const file of files) {
    for (const source of modules.get(file)?.sources ?? []) {
      yield source;
      const next = modules.resolve(file, source.text);
      if (next !== undefined) files.add(next);
    }
  }
}

function leadsTo(root: string, modules: Modules, file: string, specifier: string, imported: string): boolean {
  const target = targetOf(root, modules, file, specifier);
  if (target !== undefined)
    return target === (isAbsolute(imported) ? pathToFileURL(imported).href : imported);
  return specifier === imported || specifier.startsWith(imported.endsWith(":") ? imported : `${imported}/`);
}

/** @returns the URL of the file that is meant; undefined for the name of anything else. */
function targetOf(root: string, modules: Modules, file: string, specifier: string): string | undefined {
  if (isAlias(specifier)) {
    const path = modules.locate(file, specifier);
    return path === undefined ? undefined : pathToFileURL(join(root, path)).href;
  }
  const isPath = /^(?:\.{1,2})?\/(?!\/)/.test(specifier);
  return isPath ? new URL(specifier, pathToFileURL(join(root, file))).href : undefined;
}
