/** Finds the failed import in the project's own files: Node's error names what was imported, and not always by which file. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isAlias } from "#convention/source/aliases";
import type { ImportSource } from "#convention/source/module";
import type { Modules } from "#convention/source/modules";
import type { Location } from "#runtime/routing/route";
import { frameworkPath } from "../framework-folder.ts";
import { packageName } from "./project-files.ts";

/** What Node throws where an import leads to nothing that it can load. Some messages end with the path of the importer. */
const CODES: ReadonlySet<unknown> = new Set([
  // On Node 20; the next one from Node 22 on.
  "ERR_IMPORT_ASSERTION_TYPE_MISSING",
  "ERR_IMPORT_ATTRIBUTE_MISSING",
  "ERR_INVALID_MODULE_SPECIFIER",
  "ERR_MODULE_NOT_FOUND",
  "ERR_PACKAGE_IMPORT_NOT_DEFINED",
  "ERR_UNKNOWN_BUILTIN_MODULE",
  "ERR_UNKNOWN_FILE_EXTENSION",
  "ERR_UNSUPPORTED_DIR_IMPORT",
  "ERR_UNSUPPORTED_ESM_URL_SCHEME",
]);

/**
 * @param file the module that could not be loaded, relative to the root.
 * @returns the place of the specifier; undefined where the error is about something else, or a package's own import.
 */
export function locateFailedImport(
  root: string,
  modules: Modules,
  file: string,
  error: unknown,
): Location | undefined {
  if (!(error instanceof Error && "code" in error && CODES.has(error.code))) return undefined;
  const { message } = error;
  const entry = frameworkEntryIn(message);
  const isMeant = ({ text, location }: ImportSource): boolean =>
    entry === undefined
      ? isNamed(message, namesOf(root, modules, location.file, text)) &&
        (!message.includes(" imported from ") || message.endsWith(join(root, location.file)))
      : text === entry;
  for (const source of importsFrom(modules, file)) if (isMeant(source)) return source.location;
  return undefined;
}

/** @returns what the project imports of the framework to get to a file: it may be missing, or need packages. @example "framework/database" */
function frameworkEntryIn(message: string): string | undefined {
  const framework = frameworkPath();
  const at = message.lastIndexOf(framework);
  return at === -1 ? undefined : `framework/${message.slice(at + framework.length).split(/\.js\b|[\\/]/)[0]}`;
}

/** The imports of a module, then those of the modules of the project that it imports, and so on. */
export function* importsFrom(modules: Modules, first: string): Generator<ImportSource> {
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

/** @returns what Node may call an import: as it is written, its package or scheme, and the file that it leads to. */
function namesOf(root: string, modules: Modules, file: string, specifier: string): string[] {
  const target = modules.locate(file, specifier);
  const [scheme = ""] = /^[a-z]+:/.exec(specifier) ?? [];
  const names = isAlias(specifier) ? [specifier] : [specifier, packageName(specifier), scheme];
  if (target === undefined) return names;
  const path = join(root, target);
  return [specifier, path, pathToFileURL(path).href];
}

/** In quotes, or at the end. */
function isNamed(message: string, names: readonly string[]): boolean {
  return names.some(
    (name) =>
      name !== "" &&
      (message.includes(`'${name}'`) || message.includes(`"${name}"`) || message.endsWith(` ${name}`)),
  );
}
