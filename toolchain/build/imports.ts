/** Where the imports of a built server lead. What one file can't hold is found here, and reported with the project's line that asks for it. */

import { readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, extname, resolve } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { isAlias } from "#convention/source/aliases";
import { createAliasFinder } from "../load/aliases.ts";
import { isOwnFile, packageName, packageOf, toPath } from "../load/project-files.ts";
import { type Graph, isOfBuild, type Step } from "./graph.ts";
import type { Parser } from "./syntax.ts";

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
  load(id: string): { readonly code: string; readonly moduleType: string } | undefined;
  buildEnd(this: Parser): void;
}

/** An import that a built server can't follow. */
interface Trouble {
  readonly step: Step;
  /** What there is to say, depending on whether the project needs what is imported. */
  toDiagnostic(isNeeded: boolean): Diagnostic | undefined;
}

/** Names of platforms' own modules, which only the platform has. */
const PLATFORM = /^(?:bun|cloudflare|jsr|npm|https?):/;
const WEB = /^https?:/;
/** A specifier that says itself where the file is. */
const PATH = /^\.{0,2}\//;
const BUNDLED = /^(?:\.[cm]?[jt]sx?|\.json|)$/;
/** Node runs no JSX. */
const JSX = /^\.[jt]sx$/;
// Modules that replace what a CommonJS package requires: any `require` that is left would need Node.
const BUILTIN = "\0framework:builtin:";
const ABSENT = "\0framework:absent:";
/** Packages that load the native part of the package that imports them. */
const ADDON_LOADERS = new Set([
  "@mapbox/node-pre-gyp",
  "@neon-rs/load",
  "bindings",
  "node-gyp-build",
  "node-gyp-build-optional-packages",
  "pkg-prebuilds",
]);

/**
 * A build accepts what Node runs from source. What fails in Node only when it is used, fails in the built server then, too.
 *
 * @param external names of packages that are left out of the file.
 * @param graph takes every import.
 * @param diagnostics takes what is found.
 */
export function followImports(
  root: string,
  external: ReadonlySet<string>,
  graph: Graph,
  diagnostics: Diagnostic[],
): ImportsPlugin {
  const troubles: Trouble[] = [];
  /** Files by the ids of modules that were imported with a query, each of which is a module of its own. */
  const queried = new Map<string, string>();
  const findAliased = createAliasFinder();
  return {
    name: "framework-imports",
    async resolveId(source, from, { kind }) {
      if (from === undefined) return undefined;
      const importer = queried.get(from) ?? from;
      const step = { importer, source, kind };
      if (isOfBuild(importer)) {
        graph.add(source, step);
        return undefined;
      }
      const isOwn = isOwnFile(root, importer);
      if (isOwn && WEB.test(source)) fail(step, diagnoseWeb(step));
      if (PLATFORM.test(source) || external.has(packageName(source))) return { id: source, external: true };
      if (isBuiltin(source)) return resolveBuiltin(source, kind);
      if (source.startsWith("node:") && kind === "import-statement") {
        fail(step, diagnoseLoad(step, `No such built-in module: ${source}`));
        return { id: source, external: true };
      }
      const diagnostic = isOwn && kind !== "require-call" ? diagnoseGuess(step) : undefined;
      if (diagnostic) {
        fail(step, diagnostic);
        return standIn(step);
      }
      const [, path = source, query = ""] = (isOwn && /^(\.{0,2}\/.*?)([?#].*)$/s.exec(source)) || [];
      const found = await this.resolve(path, importer, { skipSelf: true, kind });
      if (found === null) return resolveMissing(step, isOwn);
      graph.add(found.id, step);
      if (findUnfit(found.id, step)) return standIn(step);
      const id = found.id + query;
      if (query !== "") queried.set(id, found.id);
      return isOwnFile(root, found.id) ? { ...found, id, moduleSideEffects: true } : found;
    },
    load(id) {
      if (id.startsWith(BUILTIN)) return { code: builtinSource(id.slice(BUILTIN.length)), moduleType: "js" };
      if (id.startsWith(ABSENT)) return { code: absentSource(id.slice(ABSENT.length)), moduleType: "js" };
      const file = queried.get(id);
      if (file === undefined) return undefined;
      return { code: readFileSync(file, "utf8"), moduleType: moduleTypeOf(file) };
    },
    buildEnd() {
      for (const { step, toDiagnostic } of troubles) {
        const diagnostic = toDiagnostic(graph.isNeeded(this, step));
        if (diagnostic) diagnostics.push(diagnostic);
      }
    },
  };

  /** What fails in Node as well. An `import()` does when it runs, and not before. */
  function fail(step: Step, error: Diagnostic): void {
    const { source, kind } = step;
    troubles.push({
      step,
      toDiagnostic(isNeeded) {
        if (!isNeeded) return undefined;
        return kind === "dynamic-import" ? diagnose("FW707", { source }, graph.placeOf(step)) : error;
      },
    });
  }

  function resolveMissing(step: Step, isOwn: boolean): Resolved {
    const { source, kind } = step;
    // A package that asks for another in any other way is prepared to find none.
    if (isOwn || kind === "import-statement") fail(step, diagnoseUnknown(step));
    else if (extname(source) === ".node") fail(step, diagnoseAbsentPart(step));
    // Whoever installs the package where the file runs has it.
    const mayCome = kind === "dynamic-import" && !PATH.test(source);
    return mayCome ? { id: source, external: true } : standIn(step);
  }

  /** @returns true for what one file can't hold. */
  function findUnfit(id: string, step: Step): boolean {
    const file = toPath(root, id);
    const native = findNative(id, step.importer);
    if (native) {
      troubles.push({
        step,
        toDiagnostic: (isNeeded) => diagnose(isNeeded ? "FW701" : "FW706", native, graph.placeOf(step)),
      });
    } else if (!BUNDLED.test(extname(id))) {
      fail(step, diagnose("FW702", { file }, graph.placeOf(step)));
    } else if (JSX.test(extname(id)) && isOwnFile(root, id)) {
      fail(step, diagnoseLoad(step, `Unknown file extension "${extname(id)}" for ${file}`));
    } else {
      return false;
    }
    return true;
  }

  function findNative(id: string, importer: string): { name: string; file: string } | undefined {
    const file = toPath(root, id);
    const loader = packageOf(id);
    const user = packageOf(importer);
    if (extname(id) === ".node") return { name: user ?? loader ?? file, file };
    const isLoader = loader !== undefined && ADDON_LOADERS.has(loader) && loader !== user;
    return isLoader && user !== undefined ? { name: user, file: `by ${loader}` } : undefined;
  }

  function diagnoseUnknown(step: Step): Diagnostic {
    const { importer, source } = step;
    if (!isAlias(source)) return diagnose("FW703", { source }, graph.placeOf(step));
    const from = toPath(root, importer);
    return diagnoseLoad(
      step,
      `Package import specifier "${source}" is not defined in package.json imported from ${from}`,
    );
  }

  /** Where install scripts have not run, a native part is not there yet. */
  function diagnoseAbsentPart(step: Step): Diagnostic {
    const name = packageOf(step.importer) ?? "";
    return diagnose("FW701", { name, file: step.source }, graph.placeOf(step));
  }

  /** Node looks for just the file that an import names, and the bundler for one with an ending or in a folder, too. */
  function diagnoseGuess(step: Step): Diagnostic | undefined {
    const { importer } = step;
    const path = pathOf(step);
    if (path === undefined) return undefined;
    const standing = statSync(path, { throwIfNoEntry: false });
    if (standing?.isFile()) return undefined;
    const [module, named] = [toPath(root, importer), toPath(root, path)];
    const why = standing
      ? `Directory import '${named}' is not supported, imported from ${module}`
      : `Cannot find module '${named}' imported from ${module}`;
    return diagnoseLoad(step, why);
  }

  function pathOf({ importer, source }: Step): string | undefined {
    if (isAlias(source)) return findAliased(importer, source);
    return PATH.test(source) ? resolve(dirname(importer), source.replace(/[?#].*$/s, "")) : undefined;
  }

  function diagnoseWeb(step: Step): Diagnostic {
    const protocol = new URL(step.source).protocol;
    return diagnoseLoad(step, `Node imports from files and packages only. Received protocol '${protocol}'`);
  }

  /** In the words in which `framework start` reports it. */
  function diagnoseLoad(step: Step, why: string): Diagnostic {
    const place = graph.placeOf(step);
    return diagnose("FW503", { module: place.file, why }, place);
  }
}

/** Not every platform knows the modules of Node without the scheme. */
function resolveBuiltin(source: string, kind: string): Resolved {
  const id = source.replace(/^(?!node:)/, "node:");
  return kind === "require-call" ? { id: BUILTIN + id } : { id, external: true, moduleSideEffects: false };
}

function builtinSource(name: string): string {
  return `import * as builtin from "${name}";\nmodule.exports = builtin.default;\n`;
}

/** In the place of what is not there. */
function standIn({ source, kind }: Step): Resolved {
  const code = kind === "require-call" ? "MODULE_NOT_FOUND" : "ERR_MODULE_NOT_FOUND";
  return { id: `${ABSENT}${code}:${source}` };
}

/** Fails as Node does: a package that tries whether another is there looks at the code. That it is CommonJS gives it any export. */
function absentSource(absent: string): string {
  const [, code, source = ""] = /^(.*?):(.*)$/s.exec(absent) ?? [];
  const message = JSON.stringify(`Cannot find module '${source}'`);
  return `module.exports = {};\nthrow Object.assign(new Error(${message}), { code: "${code}" });\n`;
}

function moduleTypeOf(file: string): string {
  if (/\.[cm]?ts$/.test(file)) return "ts";
  return extname(file) === ".json" ? "json" : "js";
}
