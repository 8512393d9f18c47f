/** Node's module hooks for a project: `framework` is the vendored folder, and what modules import is reported. */

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
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

export function createHooks(publicModules: PublicModules, onImport?: OnImport): ModuleHooks {
  const missing = Object.values(publicModules).filter((url) => !existsSync(fileURLToPath(url)));
  /** @param found a resolved module, or Node's error about a missing file, which names it: the file may come. */
  const tell = ({ url }: { readonly url?: unknown }): void => {
    if (typeof url === "string" && isOfProgram(url)) onImport?.(url);
  };
  return {
    resolve(specifier, context, next) {
      const url = Object.hasOwn(publicModules, specifier) ? publicModules[specifier] : undefined;
      if (url !== undefined && missing.includes(url)) throw createMissing(url, context.parentURL);
      if (url !== undefined) return { url, format: "module", shortCircuit: true };
      try {
        const resolved = next(specifier, context);
        // `next` gives a promise in a thread of hooks. Whoever asked reports a failure.
        if (onImport) void Promise.resolve(resolved).then(tell, tell);
        return resolved;
      } catch (error) {
        tell(Object(error));
        throw error;
      }
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
