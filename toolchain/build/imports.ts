/** Where the imports of a built server lead. What one file can't contain is reported at the project's line that asks for it. */

import { isBuiltin } from "node:module";
import { dirname, extname } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Location } from "#runtime/routing/route";
import { isOwnFile, packageName, packageOf, toPath } from "../load/project-files.ts";
import { type Graph, isOfBuild, type Step } from "./graph.ts";
import { findNative } from "./native.ts";

/** What the bundler gives a hook. */
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
  buildEnd(): void;
}

/** An import that a built server can't follow. */
interface Trouble {
  readonly step: Step;
  /** @param isCaught true where the project can be loaded without it. @returns nothing where that is all right. */
  readonly report: (place: Location, isCaught: boolean) => Diagnostic | undefined;
}

/** Names of platforms' own modules, which only the platform has. */
const PLATFORM = /^(?:bun|cloudflare|jsr|npm):/;
const PATH = /^\.{0,2}\//;
const BUNDLED = /^(?:\.[cm]?[jt]sx?|\.json|)$/;
// Modules that replace what a CommonJS package requires: any `require` that is left would need Node.
const BUILTIN = "\0framework:builtin:";
const ABSENT = "\0framework:absent:";

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
      const resolved = await this.resolve(source, importer, { skipSelf: true, kind });
      const found = resolved?.external ? undefined : resolved?.id;
      const trouble = found === undefined ? findMissing(root, step) : findUnfit(root, found, step);
      if (trouble) troubles.push(trouble);
      if (found !== undefined) graph.add(found, step);
      if (found === undefined || trouble) return standIn(step, found === undefined);
      // A project's `"sideEffects": false` would drop modules that are imported for their effect.
      return isOwnFile(root, found) ? { id: found, moduleSideEffects: true } : (resolved ?? undefined);
    },
    load(id) {
      if (id.startsWith(BUILTIN)) return { code: builtinSource(id.slice(BUILTIN.length)), moduleType: "js" };
      if (id.startsWith(ABSENT)) return { code: absentSource(id.slice(ABSENT.length)), moduleType: "js" };
      return undefined;
    },
    buildEnd() {
      for (const { step, report } of troubles) {
        const place = graph.placeOf([step]);
        const found = place && report(place, graph.isCaught(step));
        if (found) diagnostics.push(found);
      }
    },
  };
}

/** A package that asks for another in any other way than by a statement is prepared to find none. */
function findMissing(root: string, step: Step): Trouble | undefined {
  const { source, kind, importer } = step;
  if (isOwnFile(root, importer) || kind === "import-statement")
    return toTrouble(step, (place) => diagnose("FW703", { source }, place));
  // Where install scripts have not run, a native part is not there yet.
  if (extname(source) !== ".node") return undefined;
  const native = { name: packageOf(importer) ?? "", file: source };
  return { step, report: (place, isCaught) => (isCaught ? undefined : diagnose("FW701", native, place)) };
}

/** What is there, and one file can't contain. */
function findUnfit(root: string, id: string, step: Step): Trouble | undefined {
  const file = toPath(root, id);
  const user = packageOf(step.importer);
  const name = packageOf(id);
  const isEntered = name !== undefined && name !== user;
  const part = extname(id) === ".node" ? file : isEntered ? findNative(dirname(id), name) : undefined;
  if (part !== undefined) {
    const native = { name: (isEntered ? name : user) ?? file, file: part };
    return { step, report: (place, isCaught) => diagnose(isCaught ? "FW706" : "FW701", native, place) };
  }
  if (BUNDLED.test(extname(id))) return undefined;
  return toTrouble(step, (place) => diagnose("FW702", { file }, place));
}

/** @param error reports it, unless it is an `import()`: that fails when it runs, and not before. */
function toTrouble(step: Step, error: (place: Location) => Diagnostic): Trouble {
  const { kind, source } = step;
  const late = (place: Location): Diagnostic => diagnose("FW707", { source }, place);
  const make = kind === "dynamic-import" ? late : error;
  return { step, report: (place, isCaught) => (isCaught ? undefined : make(place)) };
}

/** Not every platform knows the modules of Node without the scheme. */
function resolveBuiltin(source: string, kind: string): Resolved {
  const id = source.replace(/^(?!node:)/, "node:");
  return kind === "require-call" ? { id: BUILTIN + id } : { id, external: true, moduleSideEffects: false };
}

function builtinSource(name: string): string {
  return `import * as builtin from "${name}";\nmodule.exports = builtin.default;\n`;
}

/** @param isMissing true for a package that may be installed where the file runs. */
function standIn({ source, kind }: Step, isMissing: boolean): Resolved {
  if (isMissing && kind === "dynamic-import" && !PATH.test(source)) return { id: source, external: true };
  const code = kind === "require-call" ? "MODULE_NOT_FOUND" : "ERR_MODULE_NOT_FOUND";
  return { id: `${ABSENT}${code}:${source}` };
}

/** Fails as Node does: a package that tries whether another is there looks at the code. That it is CommonJS gives it any export. */
function absentSource(absent: string): string {
  const [, code, source = ""] = /^(.*?):(.*)$/s.exec(absent) ?? [];
  const message = JSON.stringify(`Cannot find module '${source}'`);
  return `module.exports = {};\nthrow Object.assign(new Error(${message}), { code: "${code}" });\n`;
}
