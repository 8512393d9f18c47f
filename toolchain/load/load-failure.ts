/** A module that failed to load, as a diagnostic at the line to fix. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { createFiles } from "#convention/source/files";
import type { SourceModule } from "#convention/source/module";
import type { Modules } from "#convention/source/modules";
import type { Location } from "#runtime/routing/route";
import { locateFailedImport } from "./failed-import.ts";
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
  const stack = locateThrown(root, error);
  const modules = await readModules(root);
  const [thrown] = stack;
  const module = error instanceof SyntaxError && thrown ? modules.get(thrown.file) : undefined;
  const inerasable = module && diagnoseInerasable(module);
  if (inerasable) return inerasable;
  const why = explain(error);
  const told = locateFailedImport(root, modules, file, error) ?? (await locateData(root, why));
  if (told !== undefined) return diagnose("FW503", { module: told.file, why }, told);
  const bad = module && diagnoseSyntax(module);
  if (bad) return bad;
  // What is called while a module is loaded is further in.
  if (thrown !== undefined) return diagnose("FW503", { module: stack.at(-1)?.file ?? file, why }, thrown);
  const place = await findThrower(root, modules, file, error);
  return diagnose("FW503", { module: place.file, why }, place);
}

/**
 * @param file the module that could not be loaded, relative to the root.
 * @returns the error with its place, where the text of the module or of one that it imports is to blame; else the error as it is,
 *   since the stack of what code throws when it runs says more.
 */
export async function placeLoadFailure(root: string, file: string, error: unknown): Promise<unknown> {
  const isOfText =
    error instanceof SyntaxError ||
    locateFailedImport(root, await readModules(root), file, error) !== undefined;
  return isOfText ? new ProjectError(root, [await toLoadFailure(root, file, error)]) : error;
}

/**
 * Finds the module of the project that throws, where no stack leads to it: what is thrown is not an error, or comes from inside
 * a package. A module that has thrown throws the same again, and none is run that was not run before: the first in order that
 * throws is the last that was run.
 */
async function findThrower(root: string, modules: Modules, first: string, error: unknown): Promise<Location> {
  const visited = new Set<string>();
  return descend(first);

  async function descend(file: string): Promise<Location> {
    visited.add(file);
    const sources = modules.get(file)?.sources ?? [];
    for (const { text } of sources) {
      const next = modules.resolve(file, text);
      if (next === undefined || visited.has(next)) continue;
      if (await throwsSame(join(root, next), error)) return descend(next);
    }
    const source = sources.find(({ text }) => isInStack(error, packageName(text)));
    return source?.location ?? { file, line: 1, column: 1 };
  }
}

async function throwsSame(path: string, error: unknown): Promise<boolean> {
  try {
    await import(pathToFileURL(path).href);
    return false;
  } catch (thrown) {
    return thrown === error;
  }
}

function explain(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Each version of Node has other words for it. */
function diagnoseInerasable({ inerasable: [first] }: SourceModule): Diagnostic | undefined {
  return first && diagnose("FW318", first, first.location);
}

/** What takes the types out may name the start of the statement, or a line of its own output. */
function diagnoseSyntax({ file, problems: [first] }: SourceModule): Diagnostic | undefined {
  return first && diagnose("FW503", { module: file, why: `SyntaxError: ${first.why}` }, first.location);
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
