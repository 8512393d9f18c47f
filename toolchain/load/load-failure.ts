/** A module that failed to load, as a diagnostic at the line to fix. */

import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { createFiles } from "#convention/source/files";
import type { SyntaxProblem } from "#convention/source/module";
import type { Modules } from "#convention/source/modules";
import type { Location } from "#runtime/routing/route";
import { importsFrom, locateFailedImport } from "./failed-import.ts";
import { ProjectError } from "./project-error.ts";
import { packageName, toPath } from "./project-files.ts";
import { isInStack, locateThrown } from "./stack.ts";

/** The parser is loaded only now. */
async function readModules(root: string): Promise<Modules> {
  const { createModules } = await import("#convention/source/modules");
  return createModules(createFiles(root));
}

/** @param file the module that could not be loaded, relative to the root; the mistake may be in one that it imports. */
export async function toLoadFailure(root: string, file: string, error: unknown): Promise<Diagnostic> {
  const modules = await readModules(root);
  const mistake = await findMistake(root, modules, file, error);
  if (mistake) return mistake;
  const stack = locateThrown(root, error);
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

/** A mistake in a text, which keeps Node from running the module. */
async function findMistake(
  root: string,
  modules: Modules,
  file: string,
  error: unknown,
): Promise<Diagnostic | undefined> {
  const [thrown] = error instanceof SyntaxError ? locateThrown(root, error) : [];
  const { inerasable: [more] = [], problems = [] } = (thrown && modules.get(thrown.file)) ?? {};
  // Each version of Node has other words for it.
  if (more) return diagnose("FW318", more, more.location);
  const why = explain(error);
  const place = locateFailedImport(root, modules, file, error) ?? (await locateData(root, why));
  if (place) return diagnose("FW503", { module: place.file, why }, place);
  // What takes the types out may name the start of the statement, or a line of its own output; of JavaScript, Node names nothing.
  const isUnplaced = error instanceof SyntaxError && thrown === undefined;
  const [bad] = isUnplaced ? problemsFrom(modules, file) : problems;
  return (
    bad && diagnose("FW503", { module: bad.location.file, why: `SyntaxError: ${bad.why}` }, bad.location)
  );
}

/** What is wrong with the text of a module, or of one that it imports. */
function problemsFrom(modules: Modules, file: string): readonly SyntaxProblem[] {
  // To follow the imports is to read the modules.
  Array.from(importsFrom(modules, file));
  return modules.problems;
}

/** Where the project imports a package that throws. */
function findUser(modules: Modules, file: string, error: unknown): Location | undefined {
  for (const { text, location } of importsFrom(modules, file))
    if (isInStack(error, packageName(text))) return location;
  return undefined;
}

function explain(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Node's error about broken JSON names the file, and not always the place. */
async function locateData(root: string, why: string): Promise<Location | undefined> {
  const [, path = ""] = /^SyntaxError: (.+?\.json): /.exec(why) ?? [];
  const file = toPath(root, path);
  const text = path === "" ? undefined : createFiles(root).read(file);
  if (text === undefined) return undefined;
  const { isBadJson, parseJson } = await import("./json.ts");
  const read = parseJson(text, file);
  return isBadJson(read) ? read.location : (read.lax ?? { file, line: 1, column: 1 });
}
