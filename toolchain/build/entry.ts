/** What a build begins with: modules that have no file, and what the names of the framework mean in what it makes. */

import { dirname, resolve } from "node:path";
import { frameworkPath } from "../framework-folder.ts";

// By the NUL the bundler knows that there is no file, and leaves them out of the source map.
/** The first one. */
export const ENTRY = "\0framework:entry";
/** In the place of what serves from source. */
export const SOURCE = "\0framework:source";

export interface EntryModules {
  /** Texts by module. */
  readonly sources: Readonly<Record<string, string>>;
  /** @returns the module that this name means, where it is another than the one that the bundler would find. */
  resolve(specifier: string, importer: string | undefined): string | undefined;
}

/** What serves from source. All else of the framework is for any platform, and does without. */
const TOOLCHAIN = frameworkPath("tools/");

/** What a project calls the framework. */
const PUBLIC: ReadonlyMap<string, string> = new Map([
  ["framework", frameworkPath("index.js")],
  ["framework/http", frameworkPath("http.js")],
  ["framework/database", frameworkPath("database.js")],
]);

/** @param sources with {@link ENTRY} and {@link SOURCE} among them. */
export function toEntryModules(sources: EntryModules["sources"]): EntryModules {
  return {
    sources,
    resolve(specifier, importer) {
      if (Object.hasOwn(sources, specifier)) return specifier;
      return importer !== undefined && isToolchain(specifier, importer) ? SOURCE : PUBLIC.get(specifier);
    },
  };
}

function isToolchain(specifier: string, importer: string): boolean {
  const file = specifier.startsWith(".") ? resolve(dirname(importer), specifier) : "";
  return file.startsWith(TOOLCHAIN) && importer.startsWith(frameworkPath());
}

/** The text for {@link SOURCE}. */
export function sourceThatThrows(message: string): string {
  return `export function loadProject() { throw new Error(${JSON.stringify(message)}); }`;
}

/** A file of the framework in an import. @example quoteFile("runtime/wire") // "\"/srv/shop/vendor/framework/runtime/wire.js\"" */
export function quoteFile(name: string): string {
  return JSON.stringify(frameworkPath(`${name}.js`));
}

const SCRIPT_START = "\0framework:start";

/** The modules of a built script. A script is a file of the project that runs to its end, and serves nothing. @param file absolute. */
export function createScriptModules(file: string): EntryModules {
  return toEntryModules({
    [ENTRY]: `import ${JSON.stringify(SCRIPT_START)};\nexport * from ${JSON.stringify(file)};\n`,
    [SCRIPT_START]: `import { beginScript } from ${quoteFile("runtime/log")};\nbeginScript();\n`,
    [SOURCE]: sourceThatThrows("A built script holds no routes, so createApp() has nothing to serve."),
  });
}
