/** Node's module hooks for a project: `framework` is the vendored folder, and what modules import is reported. */

import { existsSync, readFileSync } from "node:fs";
import { sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createAliases, isAlias } from "#convention/source/aliases";
import { isOfProgram } from "./sources.ts";

/** Specifier → URL of the file of the package `framework` that it names. */
export type PublicModules = Readonly<Record<string, string>>;

interface Resolved {
  readonly url: string;
  readonly format?: string | null;
  readonly shortCircuit?: boolean;
}

export interface ModuleHooks {
  resolve(
    specifier: string,
    /** With the module that imports. */
    context: { readonly parentURL?: string },
    next: (specifier: string, context: object) => Resolved,
  ): Resolved;
}

/** Gets the URL of each file of the program that a module imports. The file may be missing. */
export type OnImport = (url: string) => void;

export interface ModuleOptions {
  /** Stack traces have the columns of the source on Node before 22.18, too; each stack then takes longer. */
  readonly keepsColumns?: boolean;
  readonly onImport?: OnImport | undefined;
}

export function createHooks(publicModules: PublicModules, onImport?: OnImport): ModuleHooks {
  const findFile = onImport && createFileFinder();
  const missing = Object.values(publicModules).filter((url) => !existsSync(fileURLToPath(url)));
  const tell = (url: string | undefined): void => {
    if (url !== undefined && isOfProgram(url)) onImport?.(url);
  };
  return {
    resolve(specifier, context, next) {
      const url = Object.hasOwn(publicModules, specifier) ? publicModules[specifier] : undefined;
      if (url !== undefined && missing.includes(url)) throw createMissing(url, context.parentURL);
      if (url !== undefined) return { url, format: "module", shortCircuit: true };
      // A missing file, too: it may come.
      tell(findFile?.(specifier, context.parentURL));
      const resolved = next(specifier, context);
      // `next` gives a promise in a thread of hooks. Whoever asked reports a failure.
      if (onImport)
        void Promise.resolve(resolved)
          .then((found) => tell(found.url))
          .catch(() => {});
      return resolved;
    },
  };
}

/** The error that Node has for a missing module. Without it, reading the file would fail, and not say who imports it. */
function createMissing(url: string, parentURL = url): Error {
  const [path, importer] = [url, parentURL].map((one) =>
    one.startsWith("file:") ? fileURLToPath(one) : one,
  );
  const error = new Error(`Cannot find module '${path}' imported from ${importer}`);
  return Object.assign(error, { code: "ERR_MODULE_NOT_FOUND", url });
}

/** @returns what gives the URL of the file that a specifier names; undefined for a package. */
function createFileFinder(): (specifier: string, parentURL: string | undefined) => string | undefined {
  // package.json counts as it is when the first alias is looked for.
  const aliases = createAliases((file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined));
  return (specifier, parentURL) => {
    if (!isAlias(specifier)) {
      const isPath = /^(?:\.{0,2}\/|file:)/.test(specifier) && URL.canParse(specifier, parentURL);
      return isPath ? new URL(specifier, parentURL).href : undefined;
    }
    if (!parentURL?.startsWith("file:")) return undefined;
    const path = aliases.find(fileURLToPath(parentURL).replaceAll(sep, "/"), specifier);
    return path ? pathToFileURL(path).href : undefined;
  };
}
