/** The files of the project as modules: each is parsed once, and names are followed from one to the other. */

import { posix } from "node:path";

import type { Location } from "#runtime/core/routing/route";
import { closest } from "../diagnostics/closest.ts";
import { createAliases, isAlias } from "./aliases.ts";
import type { Files } from "./files.ts";
import {
  type FunctionValue,
  type ModuleExport,
  parseModule,
  type SourceModule,
  type Value,
} from "./module.ts";

export interface Modules {
  /** Undefined where there is no such file, or it can't be read. */
  get(file: string): SourceModule | undefined;
  /**
   * The path that a specifier names, whether a file is there or not: a relative one, or an alias of package.json.
   * @returns undefined for a package, and for an alias that leads to none of the project's paths.
   */
  locate(from: string, specifier: string, forTypes?: boolean): string | undefined;
  /**
   * The file that a specifier names at run time, where nothing is guessed: Node takes it as it is written.
   * @param forTypes also find what only a type checker does: no ending, `.js` for `.ts`, a folder's index.
   */
  resolve(from: string, specifier: string, forTypes?: boolean): string | undefined;
  /** The parsed files, in the order in which they were asked for. */
  readonly parsed: readonly SourceModule[];
}

const SOURCE_FILE = /\.m?[jt]s$/;
const TYPE_ENDINGS = ["", ".ts", ".mts", ".d.ts", "/index.ts"];

export function createModules(files: Files): Modules {
  const modules = new Map<string, SourceModule | undefined>();
  const parsed: SourceModule[] = [];
  const aliases = createAliases(files.read);

  function get(file: string): SourceModule | undefined {
    if (modules.has(file)) return modules.get(file);
    const text = files.read(file);
    const module = text === undefined ? undefined : parseOnce(text, file);
    modules.set(file, module);
    if (module) parsed.push(module);
    return module;
  }

  function isSource(path: string): boolean {
    return SOURCE_FILE.test(path) && (modules.get(path) !== undefined || files.has(path));
  }

  function locate(from: string, specifier: string, forTypes = false): string | undefined {
    if (isAlias(specifier)) return aliases.find(from, specifier, forTypes);
    return isRelative(specifier) ? posix.join(posix.dirname(from), specifier) : undefined;
  }

  function resolve(from: string, specifier: string, forTypes = false): string | undefined {
    const path = locate(from, specifier, forTypes);
    if (path === undefined) return undefined;
    if (!forTypes) return isSource(path) ? path : undefined;
    const stem = path.replace(/\.(m?)js$/, "");
    return [
      ...TYPE_ENDINGS.map((ending) => path + ending),
      ...TYPE_ENDINGS.map((ending) => stem + ending),
    ].find(isSource);
  }

  return { get, locate, resolve, parsed };
}

interface ParsedText {
  readonly text: string;
  readonly module: SourceModule;
}

/** What this process has parsed, by file: a project is read again after each change, and most of its files are as they were. */
const alreadyParsed = new Map<string, ParsedText>();

function parseOnce(text: string, file: string): SourceModule {
  const before = alreadyParsed.get(file);
  if (before?.text === text) return before.module;
  const module = parseModule(text, file);
  alreadyParsed.set(file, { text, module });
  return module;
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith("./") || specifier.startsWith("../");
}

/** Of a specifier that {@link Modules.locate} finds no path for. */
export function explainForeign(specifier: string): string {
  return isAlias(specifier)
    ? `\`imports\` in package.json leads "${specifier}" to no file of the project`
    : `"${specifier}" is not a file of the project`;
}

/** What stands behind an exported name, wherever it is declared. */
export type Origin =
  | { readonly kind: "function"; readonly module: SourceModule; readonly value: FunctionValue }
  | { readonly kind: "opaque"; readonly why: string; readonly location: Location }
  | { readonly kind: "other"; readonly what: string; readonly location: Location }
  /** A type, which is gone at run time, or a name that the parser has already complained about. */
  | { readonly kind: "nothing" }
  | Unresolved;

/** A name that leads nowhere, told where it was last seen. */
export interface Unresolved {
  readonly kind: "unresolved";
  readonly why: string;
  readonly nearest: string | undefined;
  readonly location: Location;
}

/** A name that a module exports, itself or by `export *`. */
export interface ExportedName {
  readonly name: string;
  /** The module that exports it by name: this one, or one that `export *` leads to. */
  readonly module: SourceModule;
  readonly location: Location;
  /** Two `export *` bring different things under it, so that JavaScript exports neither. */
  readonly ambiguous: boolean;
}

/**
 * Every name that a module exports at run time, but "default"; what `export *` brings included.
 * @param unresolved is told each `export *` that can't be followed.
 */
export function listExports(
  modules: Modules,
  module: SourceModule,
  unresolved: (problem: Unresolved) => void,
): readonly ExportedName[] {
  return [...collectExports(modules, module, new Map(), unresolved).values()];
}

/** @param collected what is known of other files; one that is still being collected, in a circle, adds what it has so far. */
function collectExports(
  modules: Modules,
  module: SourceModule,
  collected: Map<string, Map<string, ExportedName>>,
  unresolved: (problem: Unresolved) => void,
): ReadonlyMap<string, ExportedName> {
  const known = collected.get(module.file);
  if (known) return known;
  const names = new Map<string, ExportedName>();
  collected.set(module.file, names);
  for (const [name, { typeOnly, location }] of module.exports) {
    if (!typeOnly && name !== "default") names.set(name, { name, module, location, ambiguous: false });
  }
  const own = new Set(names.keys());
  for (const star of module.stars) {
    const target = star.typeOnly ? undefined : follow(modules, module, star.from, star.location);
    if (target === undefined) continue;
    if ("kind" in target) unresolved(target);
    else
      for (const brought of collectExports(modules, target, collected, unresolved).values())
        bring(brought, star.location);
  }
  return names;

  function bring(brought: ExportedName, place: Location): void {
    const before = names.get(brought.name);
    if (before === undefined) names.set(brought.name, brought);
    else if (!own.has(brought.name) && isOther(modules, before, brought)) {
      names.set(brought.name, { ...brought, location: place, ambiguous: true });
    }
  }
}

function isOther(modules: Modules, one: ExportedName, other: ExportedName): boolean {
  if (one.module === other.module) return false;
  return (
    originKey(modules, one.module, one.name, new Set()) !==
    originKey(modules, other.module, other.name, new Set())
  );
}

/** Tells two bindings apart: the file and the local name that an exported name ends at. */
function originKey(modules: Modules, module: SourceModule, name: string, visited: Set<string>): string {
  if (visited.has(module.file)) return "";
  visited.add(module.file);
  const found = module.exports.get(name);
  if (found) {
    const target = found.from === null ? undefined : modules.resolve(module.file, found.from);
    const next = target === undefined ? undefined : modules.get(target);
    if (next && found.name !== "*") return originKey(modules, next, found.name, visited);
    return `${module.file} ${found.name}`;
  }
  for (const star of module.stars) {
    const target = modules.resolve(module.file, star.from);
    const next = target === undefined ? undefined : modules.get(target);
    const key = next ? originKey(modules, next, name, visited) : "";
    if (key !== "") return key;
  }
  return "";
}

/** Follows an exported name to what it stands for. */
export function resolveExport(
  modules: Modules,
  module: SourceModule,
  name: string,
  location: Location,
  visited: ReadonlySet<string> = new Set(),
): Origin {
  const step = `${module.file} ${name}`;
  if (visited.has(step))
    return {
      kind: "unresolved",
      why: "the files re-export it to each other in a circle",
      nearest: undefined,
      location,
    };
  const further = new Set(visited).add(step);
  const found = module.exports.get(name);
  if (found) return resolveNamed(modules, module, found, further);
  for (const star of module.stars) {
    if (star.typeOnly || name === "default") continue;
    const target = follow(modules, module, star.from, star.location);
    if ("kind" in target) continue;
    const origin = resolveExport(modules, target, name, location, further);
    if (origin.kind !== "unresolved") return origin;
  }
  const nearest = closest(name, module.exports.keys());
  const why =
    module.problems.length > 0 ? `${module.file} has errors` : `${module.file} does not export \`${name}\``;
  return { kind: "unresolved", why, nearest, location };
}

function resolveNamed(
  modules: Modules,
  module: SourceModule,
  found: ModuleExport,
  visited: ReadonlySet<string>,
): Origin {
  if (found.typeOnly) return { kind: "nothing" };
  if (found.from === null) return resolveValue(modules, module, found.name, found.location, visited);
  return resolveIn(modules, module, found.from, found.name, found.location, visited);
}

function resolveIn(
  modules: Modules,
  module: SourceModule,
  from: string,
  name: string,
  location: Location,
  visited: ReadonlySet<string>,
): Origin {
  if (name === "*") return { kind: "other", what: "all of another file", location };
  const target = follow(modules, module, from, location);
  return "kind" in target ? target : resolveExport(modules, target, name, location, visited);
}

function resolveValue(
  modules: Modules,
  module: SourceModule,
  name: string,
  location: Location,
  visited: ReadonlySet<string>,
): Origin {
  const value: Value | undefined = module.values.get(name);
  if (value?.kind === "function") return { kind: "function", module, value };
  if (value?.kind === "name") {
    const step = `${module.file} = ${value.name}`;
    if (visited.has(step)) return { kind: "opaque", why: "it stands for itself", location };
    return resolveValue(modules, module, value.name, value.location, new Set(visited).add(step));
  }
  if (value) return value;
  const imported = module.imports.get(name);
  if (imported?.typeOnly || (!imported && module.types.has(name))) return { kind: "nothing" };
  if (imported) return resolveIn(modules, module, imported.from, imported.name, location, visited);
  if (module.problems.length > 0) return { kind: "nothing" };
  return { kind: "opaque", why: `\`${name}\` is not declared in this file`, location };
}

/** The module that a specifier names, or why there is none. */
function follow(
  modules: Modules,
  from: SourceModule,
  specifier: string,
  location: Location,
): SourceModule | Unresolved {
  const unresolved = (why: string, nearest?: string): Unresolved => ({
    kind: "unresolved",
    why,
    nearest,
    location,
  });
  if (modules.locate(from.file, specifier) === undefined) return unresolved(explainForeign(specifier));
  const file = modules.resolve(from.file, specifier);
  if (file === undefined) {
    const meant = modules.resolve(from.file, specifier, true);
    const missing = /\.(?:c[jt]s|json|[jt]sx)$/.test(specifier)
      ? `the exports of "${specifier}" can't be read`
      : `there is no file "${specifier}"`;
    if (meant === undefined || meant.endsWith(".d.ts")) return unresolved(missing);
    return unresolved(missing, toSpecifier(modules, from.file, specifier, meant));
  }
  return modules.get(file) ?? unresolved(`${file} can't be read`);
}

/** How a file is named in the place of a specifier that nearly names it; undefined where another alias would be needed. */
function toSpecifier(modules: Modules, from: string, specifier: string, file: string): string | undefined {
  if (isAlias(specifier)) {
    const ending = posix.extname(file);
    return [specifier + ending, specifier.replace(/\.m?js$/, ending), `${specifier}/index${ending}`].find(
      (one) => modules.resolve(from, one) === file,
    );
  }
  const path = posix.relative(posix.dirname(from), file);
  return path.startsWith("../") ? path : `./${path}`;
}
