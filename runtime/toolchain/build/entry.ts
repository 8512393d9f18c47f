/** The modules of a built server that have no file: its entry, and the route table with static imports of the handlers. */

import { dirname, join, resolve } from "node:path";
import type { Project } from "#runtime/convention/project";
import { writeWireModule } from "#runtime/convention/wire/code/module";
import { takerName } from "#runtime/convention/wire/code/names";
import type { Route } from "#runtime/core/routing/route";
import type { TypedRoute } from "#runtime/core/wire/take";
import { frameworkPath } from "../framework-folder.ts";
import { handlerModules } from "../load/load.ts";
import { requireMainFile } from "../load/main-file.ts";

/** What serves from source. All else of the framework is for any platform, and does without. */
const TOOLCHAIN = frameworkPath("toolchain/");

// By the NUL the bundler knows that there is no file, and leaves them out of the source map.
export const ENTRY = "\0framework:entry";
const START = "\0framework:start";
const PROJECT = "\0framework:project";
const WIRE = "\0framework:wire";
const SOURCE = "\0framework:source";

export interface EntryModules {
  /** Texts by module. */
  readonly sources: Readonly<Record<string, string>>;
  /** @returns the module that this name means, where it is another than the one that the bundler would find. */
  resolve(specifier: string, importer: string | undefined): string | undefined;
}

export function createEntryModules(root: string, project: Project): EntryModules {
  const sources: EntryModules["sources"] = {
    [ENTRY]: entrySource(requireMainFile(root)),
    [START]: startSource(),
    [PROJECT]: projectSource(root, project),
    [WIRE]: wireSource(root, project),
    [SOURCE]:
      'export function loadProject() { throw new Error("A built server holds one project: createApp() takes it."); }',
  };
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

/** What a project calls the framework. */
const PUBLIC: ReadonlyMap<string, string> = new Map([
  ["framework", frameworkPath("index.js")],
  ["framework/http", frameworkPath("http.js")],
]);

/** In the order in which they run. The last lines come after everything that the main file awaits. */
function entrySource(mainFile: string): string {
  return [
    `import ${JSON.stringify(START)};`,
    `export * from ${JSON.stringify(mainFile)};`,
    `import { finishStart } from ${quoteFile("built")};`,
    "const started = finishStart();",
    // Not named `fetch`, which would hide the global one. Not a `const`: it must exist to be exported, although a
    // main file that throws lets the minifier drop all that comes after it.
    "function answer(request) { return started.fetch(request); }",
    "export { answer as fetch };",
    "export default started.served;",
    "",
  ].join("\n");
}

/** The handlers are imported when `createApp` asks for them: what the main file does before has effect on them. */
function startSource(): string {
  return [
    `import { beginStart } from ${quoteFile("built")};`,
    `beginStart(async () => (await import(${JSON.stringify(PROJECT)})).project);`,
    "",
  ].join("\n");
}

/** Modules without a handler are among the imports, as they are when the project is served from source. */
function projectSource(root: string, project: Project): string {
  const { settings } = project;
  const names = new Map<Route, string>(project.routes.map((route, index) => [route, `handler${index}`]));
  const imports = handlerModules(project).map(({ file, routes }) => {
    const taken = routes.map((route) => `${route.handler} as ${names.get(route)}`);
    return `import { ${taken.join(", ")} } from ${JSON.stringify(join(root, file))};`;
  });
  const bound = project.routes.map((route) => boundSource(route, names.get(route) ?? ""));
  return [
    ...imports,
    ...(project.routes.some(takesSomething) ? wireImports() : []),
    `export const project = { settings: ${JSON.stringify(settings)}, routes: [\n  ${bound.join(",\n  ")},\n] };`,
    "",
  ].join("\n");
}

function boundSource(typed: TypedRoute, handler: string): string {
  const { takes: _, ...route } = typed;
  const serve = takesSomething(typed) ? `, serve: toServe(takers[${JSON.stringify(takerName(route))}])` : "";
  return `{ route: ${JSON.stringify(route)}, handler: ${handler}${serve} }`;
}

function takesSomething({ takes }: TypedRoute): boolean {
  return takes.length > 0;
}

/** They run after the handlers' modules, as they do when the project is served from source. */
function wireImports(): string[] {
  return [
    `import { toServe } from ${quoteFile("core/wire")};`,
    `import { takers } from ${JSON.stringify(WIRE)};`,
  ];
}

function wireSource(root: string, { routes, definitions }: Project): string {
  const specifiers = {
    runtime: frameworkPath("core/wire.js"),
    toSpecifier: (file: string) => join(root, file),
  };
  return writeWireModule({ routes, definitions }, specifiers) ?? "";
}

function quoteFile(name: string): string {
  return JSON.stringify(frameworkPath(`${name}.js`));
}
