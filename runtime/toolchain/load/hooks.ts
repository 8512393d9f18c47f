/** Node's module hooks for a project, in the form that both the in-thread and the off-thread registration take. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isAlias } from "#runtime/convention/source/aliases";
import { mayBeInerasable } from "#runtime/convention/source/erasure";
import type { Location } from "#runtime/core/routing/route";
import type { transform as Transform } from "#runtime/deps/sucrase";
import { createAliasFinder } from "./aliases.ts";
import { isToBeTold } from "./sources.ts";

export interface HookOptions {
  /** Specifier → URL of the file that stands for it. */
  readonly publicModules: Readonly<Record<string, string>>;
  /** True where Node does not erase types itself. */
  readonly erase: boolean;
  /** True where the erased source is to lead back to the columns of the file. */
  readonly mapColumns: boolean;
}

export interface Resolved {
  readonly url: string;
  readonly format?: string | null;
  readonly shortCircuit?: boolean;
}

export interface Loaded {
  readonly format: string;
  readonly source?: unknown;
  readonly shortCircuit?: boolean;
}

export interface ResolveContext {
  /** The module that imports. */
  readonly parentURL?: string;
}

export interface ModuleHooks {
  resolve(
    specifier: string,
    context: ResolveContext,
    next: (specifier: string, context: object) => Resolved,
  ): Resolved;
  load?(url: string, context: object, next: (url: string, context: object) => Loaded): Loaded;
}

/** Files that modules import, and that are not watched otherwise. */
export interface ImportEvents {
  /** The project's folder, as a URL with a slash at its end. */
  readonly root: string;
  /** @param url of a file, whether it is there or not. */
  onImport(url: string): void;
}

/** Hooks that run in the thread of their modules can't wait, and only a file in a thousand needs what is loaded so. */
const require = createRequire(import.meta.url);

const TYPESCRIPT_FILE = /^file:[^?#]*\.([cm]?)ts(?:[?#].*)?$/;

/** @returns what gives the URL of the file that a specifier names; undefined for a package. */
function createFileFinder(): (specifier: string, parentURL: string | undefined) => string | undefined {
  const findAliased = createAliasFinder();
  return (specifier, parentURL) => {
    if (!isAlias(specifier)) {
      const isPath = /^(?:\.{0,2}\/|file:)/.test(specifier) && URL.canParse(specifier, parentURL);
      return isPath ? new URL(specifier, parentURL).href : undefined;
    }
    const path = parentURL?.startsWith("file:") && findAliased(fileURLToPath(parentURL), specifier);
    return path ? pathToFileURL(path).href : undefined;
  };
}

export async function createHooks(
  { publicModules, erase, mapColumns }: HookOptions,
  imports?: ImportEvents,
): Promise<ModuleHooks> {
  const findFile = imports && createFileFinder();
  const tell = (url: string | undefined): void => {
    if (imports && url !== undefined && isToBeTold(url, imports.root)) imports.onImport(url);
  };
  const resolve: ModuleHooks["resolve"] = (specifier, context, next) => {
    const url = Object.hasOwn(publicModules, specifier) ? publicModules[specifier] : undefined;
    if (url !== undefined) return { url, format: "module", shortCircuit: true };
    // One that is missing is told, too: it may come.
    tell(findFile?.(specifier, context.parentURL));
    const resolved = next(specifier, context);
    // In a thread of their own, the hooks have to wait for it. What fails is told by who asked.
    if (imports)
      void Promise.resolve(resolved)
        .then((found) => tell(found.url))
        .catch(() => {});
    return resolved;
  };
  if (!erase) return { resolve };

  const { transform } = await import("#runtime/deps/sucrase");
  return {
    resolve,
    load(url, context, next) {
      const [, kind] = TYPESCRIPT_FILE.exec(url) ?? [];
      if (kind === undefined) return next(url, context);
      const format = kind === "c" ? "commonjs" : "module";
      return { format, source: eraseTypes(url, transform, mapColumns), shortCircuit: true };
    },
  };
}

function eraseTypes(url: string, transform: typeof Transform, mapColumns: boolean): string {
  const file = fileURLToPath(url);
  const source = readFileSync(file, "utf8");
  if (mayBeInerasable(source)) rejectInerasable(source, url);
  try {
    // Unused imports stay, as they do when Node erases types: one project, one meaning on every version.
    const { code, sourceMap } = transform(source, {
      transforms: ["typescript"],
      keepUnusedImports: true,
      disableESTransforms: true,
      ...(mapColumns && { filePath: file, sourceMapOptions: { compiledFilename: file } }),
    });
    return sourceMap ? `${code}\n//# sourceMappingURL=${toDataUrl(sourceMap)}` : code;
  } catch (error) {
    throw placeError(error, url);
  }
}

/** The eraser would write code in the place of an enum, which Node itself does not. */
function rejectInerasable(source: string, url: string): void {
  const { parseModule } =
    require("../../convention/source/module.js") as typeof import("#runtime/convention/source/module");
  const [first] = parseModule(source, url).inerasable;
  if (first === undefined) return;
  const { diagnose } =
    require("../../convention/diagnostics/catalogue.js") as typeof import("#runtime/convention/diagnostics/catalogue");
  const { message, hint } = diagnose("FW318", first);
  throw createPlaced(`${message} ${hint}`, url, first.location);
}

function toDataUrl(sourceMap: object): string {
  return `data:application/json;base64,${Buffer.from(JSON.stringify(sourceMap)).toString("base64")}`;
}

/** The eraser tells the place in its message, without the file. */
function placeError(error: unknown, url: string): unknown {
  const [, what, line, column] =
    /^(?:Error transforming .*?: )?(.*?) \((\d+):(\d+)\)$/.exec(messageOf(error)) ?? [];
  return what === undefined ? error : createPlaced(what, url, { line: Number(line), column: Number(column) });
}

/** Its stack has the first line that those of Node's own errors have. */
function createPlaced(what: string, url: string, { line, column }: Omit<Location, "file">): SyntaxError {
  const error = new SyntaxError(what);
  error.stack = `${url}:${line}:${column}\n${error.stack}`;
  return error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
