/**
 * The bundler's plugin for a built server: the modules that have no file, and where imports lead. What one file can't contain is
 * reported at the project's line that asks for it.
 */

import { isBuiltin } from "node:module";
import { dirname, extname } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { mayBeInerasable } from "#convention/source/erasure";
import { parseModule } from "#convention/source/reader";
import { isRecord } from "#convention/source/record";
import { frameworkPath } from "../framework-folder.ts";
import { readInstalled } from "../load/package-file.ts";
import { isOwnFile, packageName, packageOf, toPath } from "../load/project-files.ts";
import type { EntryModules } from "./entry.ts";
import { type Graph, isOfBuild, type Step } from "./graph.ts";

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
  transform(code: string, id: string): undefined;
  buildEnd(): void;
}

/** What a built server can't follow. */
interface Unfit {
  readonly step: Step;
  readonly found: Diagnostic;
  /** Where the project can be loaded without it. */
  readonly ifCaught?: Diagnostic;
}

/** Names of platforms' own modules, which only the platform has. */
const PLATFORM = /^(?:bun|cloudflare|jsr|npm):/;
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
  modules: EntryModules,
  external: ReadonlySet<string>,
  graph: Graph,
  diagnostics: Diagnostic[],
): ImportsPlugin {
  const unfit: Unfit[] = [];
  return {
    name: "framework-imports",
    async resolveId(source, importer = "\0", { kind }) {
      const step = { importer, source, kind };
      if (isBuiltin(source)) return resolveBuiltin(source, kind);
      const known = modules.resolve(source, importer) ?? (isOfBuild(importer) ? source : undefined);
      if (known !== undefined) {
        graph.add(known, step);
        return { id: known, moduleSideEffects: !isOfFramework(known) };
      }
      if (PLATFORM.test(source) || external.has(packageName(source))) return { id: source, external: true };
      const resolved = await this.resolve(source, importer, { skipSelf: true, kind });
      const file = resolved?.external ? undefined : resolved?.id;
      if (file !== undefined) graph.add(file, step);
      const wrong = file === undefined ? findMissing(root, step) : findUnfit(root, step, file);
      if (wrong) unfit.push({ step, ...wrong });
      if (file === undefined || wrong) return standIn(step, file === undefined);
      // A project's `"sideEffects": false` would drop modules that are imported for their effect.
      if (isOwnFile(root, file)) return { id: file, moduleSideEffects: true };
      return isOfFramework(file) ? { id: file, moduleSideEffects: false } : (resolved ?? undefined);
    },
    load(id) {
      const code = modules.sources[id] ?? standInSource(id);
      return code === undefined ? undefined : { code, moduleType: "js" };
    },
    /** The bundler would compile TypeScript that is more than types. Node, which only erases them, does not run the source. */
    transform(code, id) {
      if (!isOwnFile(root, id) || !/\.m?ts$/.test(id) || !mayBeInerasable(code)) return;
      const { inerasable } = parseModule(code, toPath(root, id));
      diagnostics.push(...inerasable.map((found) => diagnose("FW318", found, found.location)));
    },
    buildEnd() {
      for (const { step, found, ifCaught } of unfit) {
        const place = graph.placeOf([step]);
        const reported = graph.isCaught(step) ? ifCaught : found;
        if (place && reported) diagnostics.push({ ...reported, locations: [place] });
      }
    },
  };
}

/** Not a file that somebody has put there. */
const OF_FRAMEWORK = /^[\\/]?(?:(?:index|http|database|test)\.js|(?:runtime|database)[\\/])/;

/** What a build does not use of the framework is left out. All imports have to agree, because the first one decides. */
function isOfFramework(id: string): boolean {
  return id.startsWith(frameworkPath()) && OF_FRAMEWORK.test(id.slice(frameworkPath().length));
}

/** A package that asks for another in any other way than by a statement is prepared to find none. */
function findMissing(root: string, { importer, kind, source }: Step): Omit<Unfit, "step"> | undefined {
  if (isOwnFile(root, importer) || kind === "import-statement")
    return { found: diagnose(kind === "dynamic-import" ? "FW707" : "FW703", { source }) };
  // Where install scripts have not run, a native part is not there yet.
  if (extname(source) !== ".node") return undefined;
  return { found: diagnose("FW701", { name: packageOf(importer) ?? "", file: source }) };
}

/** @param id what is there, and one file may not be able to contain. */
function findUnfit(root: string, { importer }: Step, id: string): Omit<Unfit, "step"> | undefined {
  const file = toPath(root, id);
  const [user, name] = [packageOf(importer), packageOf(id)];
  const isEntered = name !== undefined && name !== user;
  const part = extname(id) === ".node" ? file : isEntered ? findNative(dirname(id), name) : undefined;
  const native = { name: (isEntered ? name : user) ?? file, file: part ?? "" };
  if (part !== undefined) return { found: diagnose("FW701", native), ifCaught: diagnose("FW706", native) };
  return BUNDLED.test(extname(id)) ? undefined : { found: diagnose("FW702", { file }) };
}

/** What such packages are built, fetched and found with. */
const LOADER =
  /^(?:bindings|nan|node-addon-api|prebuild-install|pkg-prebuilds|node-gyp-build(?:-.*)?|@mapbox\/node-pre-gyp|@neon-rs\/load)$/;
/** As in `@img/sharp-linux-x64`: packages with a native part each, of which npm installs one. */
const OF_A_PLATFORM = /[/-](?:linux|darwin|win32)-(?:x64|arm64)\b/;
const FIELDS = ["binary", "gypfile", "napi"];

/**
 * Whether a package has a part that was compiled for one machine: its package.json says so, however it looks for that part.
 *
 * @param folder that of a module of the package. @returns what says it; undefined for a package of JavaScript alone.
 */
function findNative(folder: string, name: string): string | undefined {
  const manifest = readInstalled(folder, name) ?? {};
  const field = FIELDS.find((one) => manifest[one] !== undefined);
  return (
    keysOf(manifest.optionalDependencies).find((one) => OF_A_PLATFORM.test(one)) ??
    keysOf(manifest.dependencies).find((one) => LOADER.test(one)) ??
    (field && `\`${field}\` in its package.json`)
  );
}

function keysOf(value: unknown): readonly string[] {
  return isRecord(value) ? Object.keys(value) : [];
}

/** Not every platform knows the modules of Node without the scheme. */
function resolveBuiltin(source: string, kind: string): Resolved {
  const id = source.replace(/^(?!node:)/, "node:");
  return kind === "require-call" ? { id: BUILTIN + id } : { id, external: true, moduleSideEffects: false };
}

/** @param isMissing true for a package that may be installed where the file runs. */
function standIn({ kind, source }: Step, isMissing: boolean): Resolved {
  if (isMissing && kind === "dynamic-import" && !/^\.{0,2}\//.test(source))
    return { id: source, external: true };
  const code = kind === "require-call" ? "MODULE_NOT_FOUND" : "ERR_MODULE_NOT_FOUND";
  return { id: `${ABSENT}${code}:${source}` };
}

function standInSource(id: string): string | undefined {
  if (id.startsWith(BUILTIN))
    return `import * as builtin from "${id.slice(BUILTIN.length)}";\nmodule.exports = builtin.default;\n`;
  if (!id.startsWith(ABSENT)) return undefined;
  // It fails as Node does: a package that tries whether another is there looks at the code. That it is CommonJS gives it any export.
  const [, code, source] = /^(.*?):(.*)$/s.exec(id.slice(ABSENT.length)) ?? [];
  const message = JSON.stringify(`Cannot find module '${source}'`);
  return `module.exports = {};\nthrow Object.assign(new Error(${message}), { code: "${code}" });\n`;
}
