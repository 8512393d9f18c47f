/** Node's module hooks for a project, in the form that both the in-thread and the off-thread registration take. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface HookOptions {
  /** Specifier → URL of the file that stands for it. */
  readonly publicModules: Readonly<Record<string, string>>;
  /** True where Node does not erase types itself. */
  readonly erase: boolean;
}

interface Resolved {
  readonly url: string;
  readonly format?: string | null;
  readonly shortCircuit?: boolean;
}

interface Loaded {
  readonly format: string;
  readonly source?: unknown;
  readonly shortCircuit?: boolean;
}

export interface ModuleHooks {
  resolve(
    specifier: string,
    context: object,
    next: (specifier: string, context: object) => Resolved,
  ): Resolved;
  load?(url: string, context: object, next: (url: string, context: object) => Loaded): Loaded;
}

const TYPESCRIPT_FILE = /^file:.*\.m?ts(?:\?.*)?$/;

export async function createHooks({ publicModules, erase }: HookOptions): Promise<ModuleHooks> {
  const resolve: ModuleHooks["resolve"] = (specifier, context, next) => {
    const url = Object.hasOwn(publicModules, specifier) ? publicModules[specifier] : undefined;
    return url === undefined ? next(specifier, context) : { url, format: "module", shortCircuit: true };
  };
  if (!erase) return { resolve };

  const { transform } = await import("../deps/sucrase.ts");
  return {
    resolve,
    load(url, context, next) {
      if (!TYPESCRIPT_FILE.test(url)) return next(url, context);
      // Unused imports stay, as they do when Node erases types: one project, one meaning on every version.
      const { code } = transform(readFileSync(fileURLToPath(url), "utf8"), {
        transforms: ["typescript"],
        keepUnusedImports: true,
        disableESTransforms: true,
      });
      return { format: "module", source: code, shortCircuit: true };
    },
  };
}
