/** A module that failed to load, as a diagnostic at the line to fix: Node's own message, and the place that it does not always name. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { isAlias } from "#convention/source/aliases";
import { createFiles } from "#convention/source/files";
import type { ImportSource } from "#convention/source/module";
import type { Modules } from "#convention/source/modules";
import type { Location } from "#runtime/routing/route";
import { frameworkPath } from "../framework-folder.ts";
import { ProjectError } from "./project-error.ts";
import { packageName } from "./project-files.ts";
import { isInStack, locateThrown } from "./stack.ts";

/** @param file the module that could not be loaded, relative to the root; the mistake may be in one that it imports. */
export async function toLoadFailure(root: string, file: string, error: unknown): Promise<Diagnostic> {
  const stack = locateThrown(root, error);
  const modules = await readModules(root);
  const mistake = await findMistake(root, modules, file, error);
  if (mistake) return mistake;
  const place = stack[0] ?? findUser(modules, file, error) ?? startOf(file);
  // What is called while a module is loaded is further in.
  return diagnose("FW503", { module: stack.at(-1)?.file ?? place.file, why: explain(error) }, place);
}

/**
 * @param file the module that could not be loaded, relative to the root.
 * @returns the error with its place, where the text of the module or of one that it imports is to blame; else the error as it is,
 *   since the stack of what code throws when it runs says more.
 */
export async function placeLoadFailure(root: string, file: string, error: unknown): Promise<unknown> {
  const mistake =
    error instanceof SyntaxError
      ? await toLoadFailure(root, file, error)
      : await findMistake(root, await readModules(root), file, error);
  return mistake ? new ProjectError(root, [mistake]) : error;
}

/** The parser is loaded only now. */
async function readModules(root: string): Promise<Modules> {
  const { createModules } = await import("#convention/source/modules");
  return createModules(createFiles(root));
}

function explain(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** A mistake in a text, which keeps Node from running the module. */
async function findMistake(
  root: string,
  modules: Modules,
  file: string,
  error: unknown,
): Promise<Diagnostic | undefined> {
  if (!(error instanceof Error)) return undefined;
  const imports = importsFrom(modules, file);
  const why = explain(error);
  const toFailure = (place: Location | undefined): Diagnostic | undefined =>
    place && diagnose("FW503", { module: place.file, why }, place);
  if (!(error instanceof SyntaxError))
    return "code" in error ? toFailure(findFailed(root, modules, imports, error.message)) : undefined;
  const [thrown] = locateThrown(root, error);
  const { inerasable: [more] = [], problems = [] } = (thrown && modules.get(thrown.file)) ?? {};
  // Each version of Node has other words for it.
  if (more) return diagnose("FW318", more, more.location);
  // What takes the types out may name the start of the statement, or a line of its own output; of JavaScript, Node names nothing.
  const [bad] = thrown === undefined ? modules.problems : problems;
  if (bad)
    return diagnose("FW503", { module: bad.location.file, why: `SyntaxError: ${bad.why}` }, bad.location);
  // Of JSON it names the file, and not what imports it.
  const isData = ({ text, location }: ImportSource): boolean =>
    error.message.startsWith(`${join(root, modules.locate(location.file, text) ?? "")}: `);
  return toFailure(imports.find(isData)?.location);
}

/** The imports of a module, then those of the modules of the project that it imports, and so on. */
function importsFrom(modules: Modules, first: string): readonly ImportSource[] {
  const imports: ImportSource[] = [];
  const files = new Set([first]);
  // The loop also reaches files that are added to the set meanwhile.
  for (const file of files) {
    for (const source of modules.get(file)?.sources ?? []) {
      imports.push(source);
      const next = modules.resolve(file, source.text);
      if (next !== undefined) files.add(next);
    }
  }
  return imports;
}

/** @returns the place of the import that leads to nothing Node can load. Some of its messages end with the path of the importer. */
function findFailed(
  root: string,
  modules: Modules,
  imports: readonly ImportSource[],
  message: string,
): Location | undefined {
  const framework = frameworkPath();
  const at = message.lastIndexOf(framework);
  // A file of the framework may be missing, or need packages: then the import of it is meant. @example "framework/database"
  const entry = `framework/${message.slice(at + framework.length).split(/\.js\b|[\\/]/)[0]}`;
  const isMeant = ({ text, location }: ImportSource): boolean =>
    at === -1
      ? (!message.includes(" imported from ") || message.endsWith(join(root, location.file))) &&
        namesOf(root, text, modules.locate(location.file, text)).some((name) => isNamed(message, name))
      : text === entry;
  return imports.find(isMeant)?.location;
}

/** @returns what Node may call an import: as it is written, the file that it leads to, its package or scheme. */
function namesOf(root: string, specifier: string, target: string | undefined): string[] {
  if (target !== undefined) return [specifier, join(root, target), pathToFileURL(join(root, target)).href];
  return isAlias(specifier)
    ? [specifier]
    : [specifier, packageName(specifier), `${specifier.split(":")[0]}:`];
}

/** In quotes, or at the end. */
function isNamed(message: string, name: string): boolean {
  return message.includes(`'${name}'`) || message.includes(`"${name}"`) || message.endsWith(` ${name}`);
}

/** Where the project imports a package that throws. */
function findUser(modules: Modules, file: string, error: unknown): Location | undefined {
  return importsFrom(modules, file).find(({ text }) => isInStack(error, packageName(text)))?.location;
}
