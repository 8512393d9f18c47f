/** Where the imports of a built server lead. What one file can't hold is found here, and told with the project's line that asks for it. */

import { readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, extname, resolve } from "node:path";
import { diagnose } from "../../convention/catalogue.ts";
import type { Diagnostic } from "../../convention/diagnostics.ts";
import type { Location } from "../../core/route.ts";
import { isOwnFile, packageName, packageOf, toPath } from "../project-files.ts";
import { find } from "./findings.ts";
import { locateOffset } from "./places.ts";

/** What a hook is given by the bundler. */
interface Resolver {
  resolve(source: string, importer: string, options: object): Promise<Resolved | null>;
}

interface Resolved {
  readonly id: string;
  readonly external?: boolean | string;
  readonly moduleSideEffects?: boolean;
}

export interface ImportsPlugin {
  readonly name: string;
  resolveId(
    this: Resolver,
    source: string,
    importer: string | undefined,
    options: { readonly kind: string },
  ): Promise<Resolved | undefined>;
  load(id: string): string | undefined;
}

/** An import statement. */
interface Step {
  readonly importer: string;
  readonly source: string;
}

/** Names of platforms' own modules, which only the platform has. */
const PLATFORM = /^(?:bun|cloudflare|jsr|npm|https?):/;
const BUNDLED = /^(?:\.[cm]?[jt]sx?|\.json|)$/;
// Modules that stand in for what a CommonJS package requires. What is left of `require` would need a Node around it.
const BUILTIN = "\0framework:builtin:";
const ABSENT = "\0framework:absent:";
/** Packages that load the native part of the one that imports them. */
const ADDON_LOADERS = new Set([
  "@mapbox/node-pre-gyp",
  "bindings",
  "node-gyp-build",
  "node-gyp-build-optional-packages",
  "pkg-prebuilds",
]);

/**
 * @param external names of packages that are left out of the file.
 * @param findings takes what is found.
 */
export function followImports(
  root: string,
  external: ReadonlySet<string>,
  findings: Diagnostic[],
): ImportsPlugin {
  const steps = new Map<string, Step>();
  return {
    name: "framework-imports",
    async resolveId(source, importer, { kind }) {
      // The modules of the build and of the bundler are no files.
      if (importer === undefined || importer.startsWith("\0")) return undefined;
      if (PLATFORM.test(source) || external.has(packageName(source))) return { id: source, external: true };
      if (isBuiltin(source)) return resolveBuiltin(source, kind);
      const step = { importer, source };
      const found = await this.resolve(source, importer, { skipSelf: true, kind });
      if (found === null) {
        // A package that asks for another in any other way is prepared to find none.
        if (kind === "require-call") return { id: ABSENT + source };
        if (kind === "import-statement" || isOwnFile(root, importer))
          findings.push(find("FW703", { source }, placeOf(step)));
        return { id: source, external: true };
      }
      if (!steps.has(found.id)) steps.set(found.id, step);
      const refusal = refuse(found.id, step) ?? (kind === "require-call" ? undefined : refuseGuess(step));
      if (refusal === undefined) return found;
      findings.push(refusal);
      return { id: found.id, external: true };
    },
    load(id) {
      if (id.startsWith(BUILTIN))
        return `import * as builtin from "${id.slice(BUILTIN.length)}";\nmodule.exports = builtin.default;\n`;
      return id.startsWith(ABSENT) ? absentSource(id.slice(ABSENT.length)) : undefined;
    },
  };

  function refuse(id: string, step: Step): Diagnostic | undefined {
    const file = toPath(root, id);
    const loader = packageOf(id);
    const user = packageOf(step.importer);
    if (extname(id) === ".node") return find("FW701", { name: user ?? loader ?? file, file }, placeOf(step));
    if (loader !== undefined && user !== undefined && ADDON_LOADERS.has(loader) && loader !== user)
      return find("FW701", { name: user, file: `by ${loader}` }, placeOf(step));
    return BUNDLED.test(extname(id)) ? undefined : find("FW702", { file }, placeOf(step));
  }

  /** Node looks for just the file that a relative import names, and the bundler for one with an ending or in a folder, too. */
  function refuseGuess(step: Step): Diagnostic | undefined {
    const { importer, source } = step;
    if (!isOwnFile(root, importer) || !/^\.{0,2}\//.test(source)) return undefined;
    const path = resolve(dirname(importer), source.replace(/[?#].*$/s, ""));
    const standing = statSync(path, { throwIfNoEntry: false });
    if (standing?.isFile()) return undefined;
    const [module, named] = [toPath(root, importer), toPath(root, path)];
    const why = standing
      ? `Directory import '${named}' is not supported, imported from ${module}`
      : `Cannot find module '${named}' imported from ${module}`;
    return diagnose("FW503", { module, why }, placeOf(step));
  }

  /** The line of the project that leads there, by way of however many packages. */
  function placeOf({ importer, source }: Step): Location {
    const before = steps.get(importer);
    if (before !== undefined && packageOf(importer) !== undefined) return placeOf(before);
    const text = readFileSync(importer, "utf8");
    const offset = Math.max(text.indexOf(`"${source}"`), text.indexOf(`'${source}'`), 0);
    return locateOffset(toPath(root, importer), text, offset);
  }
}

/** Not every platform knows the modules of Node without the scheme. */
function resolveBuiltin(source: string, kind: string): Resolved {
  const id = source.replace(/^(?!node:)/, "node:");
  return kind === "require-call" ? { id: BUILTIN + id } : { id, external: true, moduleSideEffects: false };
}

/** Fails as Node does: a package that tries whether another is there looks at the code. */
function absentSource(source: string): string {
  const message = JSON.stringify(`Cannot find module '${source}'`);
  return `throw Object.assign(new Error(${message}), { code: "MODULE_NOT_FOUND" });\n`;
}
