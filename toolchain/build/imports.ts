/** Where the imports of a built server lead. What one file can't hold is found here, and reported with the project's line that asks for it. */

import { isBuiltin } from "node:module";
import { extname } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Location } from "#runtime/routing/route";
import { isOwnFile, packageName, packageOf, toPath } from "../load/project-files.ts";
import type { Parser } from "./caught.ts";
import { type Graph, isOfBuild, type Step } from "./graph.ts";

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
  readonly error: (place: Location) => Diagnostic;
  /** Where the project can be loaded without it. */
  readonly warning?: (place: Location) => Diagnostic;
}

/** Names of platforms' own modules, which only the platform has. */
const PLATFORM = /^(?:bun|cloudflare|jsr|npm):/;
const PATH = /^\.{0,2}\//;
const BUNDLED = /^(?:\.[cm]?[jt]sx?|\.json|)$/;
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
  return {
    name: "framework-imports",
    async resolveId(source, importer, { kind }) {
      if (importer === undefined) return undefined;
      const step = { importer, source, kind };
      if (isOfBuild(importer)) {
        graph.add(source, step);
        return undefined;
      }
      if (PLATFORM.test(source) || external.has(packageName(source))) return { id: source, external: true };
      if (isBuiltin(source)) return resolveBuiltin(source, kind);
      const found = await this.resolve(source, importer, { skipSelf: true, kind });
      const trouble = found && !found.external ? findUnfit(found.id, step) : findMissing(step);
      if (trouble) troubles.push(trouble);
      if (found === null || found.external) return resolveMissing(step);
      graph.add(found.id, step);
      if (trouble) return standIn(step);
      return isOwnFile(root, found.id) ? { ...found, moduleSideEffects: true } : found;
    },
    load(id) {
      if (id.startsWith(BUILTIN)) return { code: builtinSource(id.slice(BUILTIN.length)), moduleType: "js" };
      if (id.startsWith(ABSENT)) return { code: absentSource(id.slice(ABSENT.length)), moduleType: "js" };
      return undefined;
    },
    buildEnd() {
      for (const { step, error, warning } of troubles) {
        const report = graph.isNeeded(this, step) ? error : warning;
        if (report) diagnostics.push(report(graph.placeOf(step)));
      }
    },
  };

  /** A package that asks for another in any other way than by a statement is prepared to find none. */
  function findMissing(step: Step): Trouble | undefined {
    const { source, kind, importer } = step;
    if (isOwnFile(root, importer) || kind === "import-statement")
      return toTrouble(step, (place) => diagnose("FW703", { source }, place));
    // Where install scripts have not run, a native part is not there yet.
    const name = packageOf(importer) ?? "";
    return extname(source) === ".node"
      ? { step, error: (place) => diagnose("FW701", { name, file: source }, place) }
      : undefined;
  }

  /** What is there, and one file can't hold. */
  function findUnfit(id: string, step: Step): Trouble | undefined {
    const file = toPath(root, id);
    const native = findNative(id, step.importer);
    if (native) {
      return {
        step,
        error: (place) => diagnose("FW701", native, place),
        warning: (place) => diagnose("FW706", native, place),
      };
    }
    if (BUNDLED.test(extname(id))) return undefined;
    return toTrouble(step, (place) => diagnose("FW702", { file }, place));
  }

  function findNative(id: string, importer: string): { name: string; file: string } | undefined {
    const file = toPath(root, id);
    const loader = packageOf(id);
    const user = packageOf(importer);
    if (extname(id) === ".node") return { name: user ?? loader ?? file, file };
    const isLoader = loader !== undefined && ADDON_LOADERS.has(loader) && loader !== user;
    return isLoader && user !== undefined ? { name: user, file: `by ${loader}` } : undefined;
  }
}

/** An `import()` fails when it runs, and not before. */
function toTrouble(step: Step, error: Trouble["error"]): Trouble {
  const { kind, source } = step;
  return {
    step,
    error: kind === "dynamic-import" ? (place) => diagnose("FW707", { source }, place) : error,
  };
}

/** Whoever installs the package where the file runs has it. */
function resolveMissing(step: Step): Resolved {
  const mayCome = step.kind === "dynamic-import" && !PATH.test(step.source);
  return mayCome ? { id: step.source, external: true } : standIn(step);
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
