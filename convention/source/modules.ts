/** Resolves import specifiers to files, and parses the files to modules. */

import { posix } from "node:path";
import type { Location } from "#runtime/routing/route";
import { createAliases, isAlias } from "./aliases.ts";
import type { Files } from "./files.ts";
import { isDeclarationFile, type SourceModule, type SyntaxProblem } from "./module.ts";
import { findPackage, isInstalled } from "./packages.ts";
import { parseOnce } from "./parse-once.ts";
import { parseModule } from "./reader.ts";

export interface Modules {
  /** The parsed module; undefined for a missing or unreadable file. */
  get(file: string): SourceModule | undefined;
  /** False for a file of an installed package that doesn't contain the name: packages have too many files to parse. */
  mayExport(file: string, name: string): boolean;
  /**
   * Resolves a relative specifier, or an alias of package.json, to a path, which may not exist.
   * @returns undefined for a package, and for an alias to one.
   */
  locate(from: string, specifier: string, forTypes?: boolean): string | undefined;
  /**
   * Resolves a specifier to an existing file as Node does.
   * @param forTypes resolves as a type checker does: without extension, `.js` to `.ts`, a folder to its index.
   */
  resolve(from: string, specifier: string, forTypes?: boolean): string | undefined;
  /** The declaration file of a package, as a type checker resolves it. */
  resolvePackage(from: string, specifier: string): string | undefined;
  /** The modules that were requested, in that order. */
  readonly parsed: readonly SourceModule[];
  /** Syntax errors in the project's own files. Declaration files are left to the type checker. */
  readonly problems: readonly SyntaxProblem[];
}

/** ES modules, and the declarations of CommonJS packages. */
const SOURCE_FILE = /\.m?[jt]s$|\.d\.cts$/;
const TYPE_ENDINGS = ["", ".ts", ".mts", ".d.ts", ".d.mts", ".d.cts", "/index.ts", "/index.d.ts"];

const toModule = parseOnce(parseModule);

export function createModules(files: Files): Modules {
  const modules = new Map<string, SourceModule | undefined>();
  const aliases = createAliases(files.read);
  /** Cached resolutions: every use of an imported type resolves the same specifier. */
  const resolved = new Map<string, string | undefined>();

  function get(file: string): SourceModule | undefined {
    if (modules.has(file)) return modules.get(file);
    const text = files.read(file);
    const module = text === undefined ? undefined : toModule(text, file);
    modules.set(file, module);
    return module;
  }

  function mayExport(file: string, name: string): boolean {
    if (!isInstalled(file) || modules.has(file)) return true;
    const text = files.read(file) ?? "";
    return text.includes(name) || /export\s*\*/.test(text);
  }

  function listParsed(): readonly SourceModule[] {
    return [...modules.values()].filter((module) => module !== undefined);
  }

  function isSource(path: string): boolean {
    return SOURCE_FILE.test(path) && (modules.get(path) !== undefined || files.has(path));
  }

  function locate(from: string, specifier: string, forTypes = false): string | undefined {
    if (isAlias(specifier)) return aliases.find(from, specifier, forTypes);
    return /^\.\.?\//.test(specifier) ? posix.join(posix.dirname(from), specifier) : undefined;
  }

  function resolve(from: string, specifier: string, forTypes = false): string | undefined {
    return remember(`${forTypes ? "types" : "run"} ${specifier} ${from}`, () => {
      const path = locate(from, specifier, forTypes);
      if (forTypes) return findTypes(path);
      return path !== undefined && isSource(path) ? path : undefined;
    });
  }

  function resolvePackage(from: string, specifier: string): string | undefined {
    return remember(`package ${specifier} ${posix.dirname(from)}`, () => {
      const types = specifier.replace(/^@([^/]+)\//, "$1__");
      return [specifier, `@types/${types}`]
        .map((one) => findTypes(findPackage(files, from, one)))
        .find((file) => file !== undefined && !/\.m?js$/.test(file));
    });
  }

  function remember(key: string, search: () => string | undefined): string | undefined {
    if (!resolved.has(key)) resolved.set(key, search());
    return resolved.get(key);
  }

  /** Like TypeScript, prefers a declaration file to the `.js` file beside it. */
  function findTypes(path: string | undefined): string | undefined {
    if (path === undefined) return undefined;
    const stem = path.replace(/\.[cm]?js$/, "");
    const beside = stem === path ? [] : TYPE_ENDINGS.map((ending) => stem + ending);
    return [...beside, ...TYPE_ENDINGS.map((ending) => path + ending)].find(isSource);
  }

  return {
    get,
    mayExport,
    locate,
    resolve,
    resolvePackage,
    get parsed() {
      return listParsed();
    },
    get problems() {
      return listParsed().flatMap(({ file, problems }) =>
        isDeclarationFile(file) || isInstalled(file) ? [] : problems,
      );
    },
  };
}

/** Explains why {@link Modules.locate} found no path. */
export function explainForeign(specifier: string): string {
  return isAlias(specifier)
    ? `\`imports\` in package.json leads "${specifier}" to no file of the project`
    : `"${specifier}" is not a file of the project`;
}

/** Explains why {@link Modules.resolve} found no file for a path of the project. */
export function explainUnfound(specifier: string): string {
  return /\.(?:c[jt]s|json|[jt]sx)$/.test(specifier)
    ? `the exports of "${specifier}" can't be read`
    : `there is no file "${specifier}"`;
}

/** A name without a declaration. */
export interface Unresolved {
  readonly kind: "unresolved";
  readonly why: string;
  /** The most similar name or specifier, to suggest. */
  readonly nearest: string | undefined;
  /** The location of the last resolvable reference. */
  readonly location: Location;
}

export function toUnresolved(why: string, location: Location, nearest?: string): Unresolved {
  return { kind: "unresolved", why, nearest, location };
}

/** Resolves a specifier at run time to its module, or explains why it can't. */
export function follow(
  modules: Modules,
  from: SourceModule,
  specifier: string,
  location: Location,
): SourceModule | Unresolved {
  if (modules.locate(from.file, specifier) === undefined)
    return toUnresolved(explainForeign(specifier), location);
  const file = modules.resolve(from.file, specifier);
  if (file !== undefined) return modules.get(file) ?? toUnresolved(`${file} can't be read`, location);
  const similar = modules.resolve(from.file, specifier, true);
  const why = explainUnfound(specifier);
  const nearest =
    similar === undefined || similar.endsWith(".d.ts")
      ? undefined
      : toSpecifier(modules, from.file, specifier, similar);
  return toUnresolved(why, location, nearest);
}

/** Corrects the extension of a specifier so that it resolves to `file`; undefined for an alias where no extension does. */
function toSpecifier(modules: Modules, from: string, specifier: string, file: string): string | undefined {
  if (isAlias(specifier)) {
    const ending = posix.extname(file);
    return [specifier + ending, specifier.replace(/\.m?js$/, ending), `${specifier}/index${ending}`].find(
      (one) => modules.resolve(from, one) === file,
    );
  }
  return toRelative(from, file);
}

/** @example toRelative("apps/users/views.ts", "lib/db.ts") // "../../lib/db.ts" */
export function toRelative(from: string, file: string): string {
  const path = pathBetween(posix.dirname(from), file);
  return path.startsWith("../") ? path : `./${path}`;
}

/** A prefix deeper than any `..`. Without it `path.relative` stops at the root: `../../lib` in `/app` would be `/lib`. */
const FAR_DOWN = "/-".repeat(64);

/** @example pathBetween("..", "../../lib/db.ts") // "../lib/db.ts" */
export function pathBetween(folder: string, file: string): string {
  return posix.relative(posix.join(FAR_DOWN, folder), posix.join(FAR_DOWN, file));
}
