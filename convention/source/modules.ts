/** The files of the project as modules: each is parsed once, and specifiers are followed from one to the other. */

import { posix } from "node:path";
import type { Location } from "#runtime/routing/route";
import { createAliases, isAlias } from "./aliases.ts";
import type { Files } from "./files.ts";
import { isDeclarationFile, type SourceModule, type SyntaxProblem } from "./module.ts";
import { findPackage, isInstalled } from "./packages.ts";
import { parseOnce } from "./parse-once.ts";
import { parseModule } from "./reader.ts";

export interface Modules {
  /** Undefined where there is no such file, or it can't be read. */
  get(file: string): SourceModule | undefined;
  /** False for a file of an installed package that exports nothing of this name, as its text says: packages have many files. */
  mayExport(file: string, name: string): boolean;
  /**
   * The path that a specifier names, whether a file is there or not: a relative one, or an alias of package.json.
   * @returns undefined for a package, and for an alias that leads to none of the project's paths.
   */
  locate(from: string, specifier: string, forTypes?: boolean): string | undefined;
  /**
   * The file that a specifier names at run time, exactly as it is written.
   * @param forTypes also find what only a type checker finds: no ending, `.js` for `.ts`, a folder's index.
   */
  resolve(from: string, specifier: string, forTypes?: boolean): string | undefined;
  /** The file that a type checker finds for the import of a package. */
  resolvePackage(from: string, specifier: string): string | undefined;
  /** The files that were asked for, in that order. */
  readonly parsed: readonly SourceModule[];
  /** What is wrong with their texts. A declaration file is followed only for its types; the type checker checks the rest of it. */
  readonly problems: readonly SyntaxProblem[];
}

/** Of CommonJS only what a package declares. */
const SOURCE_FILE = /\.m?[jt]s$|\.d\.cts$/;
const TYPE_ENDINGS = ["", ".ts", ".mts", ".d.ts", ".d.mts", ".d.cts", "/index.ts", "/index.d.ts"];

const toModule = parseOnce(parseModule);

export function createModules(files: Files): Modules {
  const modules = new Map<string, SourceModule | undefined>();
  const aliases = createAliases(files.read);
  /** What {@link Modules.resolve} has found: types ask for the same file at each of their names. */
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
    return isRelative(specifier) ? posix.join(posix.dirname(from), specifier) : undefined;
  }

  function resolve(from: string, specifier: string, forTypes = false): string | undefined {
    return remember(`${forTypes ? "types" : "run"} ${specifier} ${from}`, () =>
      find(from, specifier, forTypes),
    );
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

  function find(from: string, specifier: string, forTypes: boolean): string | undefined {
    const path = locate(from, specifier, forTypes);
    if (path === undefined) return undefined;
    if (!forTypes) return isSource(path) ? path : undefined;
    return findTypes(path);
  }

  /** The compiler prefers the types beside a file of JavaScript. */
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

function isRelative(specifier: string): boolean {
  return specifier.startsWith("./") || specifier.startsWith("../");
}

/** Why {@link Modules.locate} finds no path for a specifier. */
export function explainForeign(specifier: string): string {
  return isAlias(specifier)
    ? `\`imports\` in package.json leads "${specifier}" to no file of the project`
    : `"${specifier}" is not a file of the project`;
}

/** Why {@link Modules.resolve} finds no file for a specifier that names a path of the project. */
export function explainUnfound(specifier: string): string {
  return /\.(?:c[jt]s|json|[jt]sx)$/.test(specifier)
    ? `the exports of "${specifier}" can't be read`
    : `there is no file "${specifier}"`;
}

/** A name that leads nowhere, with the place where it was last seen. */
export interface Unresolved {
  readonly kind: "unresolved";
  readonly why: string;
  readonly nearest: string | undefined;
  readonly location: Location;
}

export function toUnresolved(why: string, location: Location, nearest?: string): Unresolved {
  return { kind: "unresolved", why, nearest, location };
}

/** The module that a specifier names, or why there is none. */
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
  const meant = modules.resolve(from.file, specifier, true);
  const why = explainUnfound(specifier);
  const nearest =
    meant === undefined || meant.endsWith(".d.ts")
      ? undefined
      : toSpecifier(modules, from.file, specifier, meant);
  return toUnresolved(why, location, nearest);
}

/** The specifier of a file, in the form of one that nearly names it; undefined where another alias would be needed. */
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

/** Node resolves relative paths in the process's folder, and finds nothing above the root: `../../lib` in `/app` would be `/lib`. */
const FAR_DOWN = "/-".repeat(64);

/** @example pathBetween("..", "../../lib/db.ts") // "../lib/db.ts" */
export function pathBetween(folder: string, file: string): string {
  return posix.relative(posix.join(FAR_DOWN, folder), posix.join(FAR_DOWN, file));
}
