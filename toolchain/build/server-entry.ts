/** The modules of a built server that have no file: its start, and the route table with static imports of the handlers. */

import { join } from "node:path";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Project } from "#convention/project";
import { writeWireModule } from "#convention/wire/code/module";
import { formatExport, hasInputs, inputsKey } from "#convention/wire/code/names";
import { type Call, type FolderHooks, isNarrow, type TypedRoute } from "#convention/wire/typed-route";
import type { DocsFiles } from "#runtime/docs";
import type { Route } from "#runtime/routing/route";
import type { FilesSettings } from "#runtime/settings";
import { frameworkPath } from "../framework-folder.ts";
import { diagnoseMissing, diagnoseUnread, HOOKS } from "../load/compare.ts";
import { requireMainFile } from "../load/main-file.ts";
import { type Export, hooksFiles, projectModules, toRoute } from "../load/project-functions.ts";
import { ENTRY, type EntryModules, quoteFile, SOURCE, sourceThatThrows, toEntryModules } from "./entry.ts";

const START = "\0framework:start";
const PROJECT = "\0framework:project";
const WIRE = "\0framework:wire";

/** @param docs what it shows of the contract, if anything. */
export function createServerModules(root: string, project: Project, docs?: DocsFiles): EntryModules {
  return toEntryModules({
    [ENTRY]: entrySource(requireMainFile(root)),
    [START]: startSource(),
    [PROJECT]: projectSource(root, project, docs),
    [WIRE]: wireSource(root, project),
    [SOURCE]: sourceThatThrows("A built server holds one project: createApp() takes it."),
  });
}

/** In the order in which they run. The last lines come after everything that the main file awaits. */
function entrySource(mainFile: string): string {
  return [
    `import ${JSON.stringify(START)};`,
    `export * from ${JSON.stringify(mainFile)};`,
    `import { finishStart } from ${quoteFile("runtime/built")};`,
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
    `import { beginStart } from ${quoteFile("runtime/built")};`,
    `beginStart(async () => (await import(${JSON.stringify(PROJECT)})).project);`,
    "",
  ].join("\n");
}

/** Modules without a function are among the imports, as they are when the project is served from source. */
function projectSource(root: string, project: Project, docs: DocsFiles | undefined): string {
  const { cors, routes, served, settings, unmatched } = project;
  const names = nameFunctions(project);
  const imports = projectModules(project).map(({ file, functions }) => {
    const taken = functions.map((one) => `${formatExport(one.exported)} as ${names(one)}`);
    return `import { ${taken.join(", ")} } from ${JSON.stringify(join(root, file))};`;
  });
  const constants = new Constants();
  const bound = routes.map((route) => boundSource(route, names, constants));
  const members = [
    `settings: ${JSON.stringify(settings)}`,
    `routes: [\n  ${bound.join(",\n  ")},\n]`,
    ...(unmatched ? [`unmatched: ${hooksSource([unmatched], names, constants)}`] : []),
    ...(cors ? [`cors: createCors(${JSON.stringify(cors)})`] : []),
    ...(docs ? [`docs: createDocs(${JSON.stringify(docs)})`] : []),
    ...(served ? [`files: createFiles(${filesSource(served)}, import.meta.url)`] : []),
  ];
  // The framework's modules run after the project's, as from source. The bundler leaves out those that nothing uses.
  return [
    ...imports,
    `import { createDocs } from ${quoteFile("runtime/app")};`,
    `import { requireExports } from ${quoteFile("runtime/built")};`,
    `import { chainHooks, createCors } from ${quoteFile("runtime/hooks")};`,
    `import { createFiles } from ${quoteFile("runtime/message")};`,
    `import { toServe } from ${quoteFile("runtime/wire")};`,
    `import { pathChecks, routeInputs } from ${JSON.stringify(WIRE)};`,
    ...checksSource(root, project, names),
    ...constants.lines,
    `export const project = { ${members.join(", ")} };`,
    "",
  ].join("\n");
}

function filesSource({ fallback, folders, immutable }: FilesSettings): string {
  return JSON.stringify({ folders, fallback, immutable });
}

/** That providers and hooks are what was read, as `bindRoutes` checks it: a missing one would leave open what it guards. */
function checksSource(root: string, project: Project, names: Names): string[] {
  const shared = projectModules(project)
    .flatMap(({ functions }) => functions)
    .filter(({ role }) => role !== "handler");
  const hooked = hooksFiles(project);
  if (shared.length === 0 && hooked.length === 0) return [];
  const read = `[${shared.map(names).join(", ")}]`;
  const checks = [
    ...shared.map((one) => checkSource(`typeof ${names(one)} === "function"`, diagnoseMissing(one))),
    ...hooked.flatMap((file, index) =>
      HOOKS.map((name) => {
        const hook = `hooks${index}.${name}`;
        const isRight = `typeof ${hook} !== "function" || read.includes(${hook})`;
        return checkSource(isRight, diagnoseUnread(name, file));
      }),
    ),
  ];
  return [
    ...hooked.map((file, index) => `import * as hooks${index} from ${JSON.stringify(join(root, file))};`),
    `const read = ${read};`,
    `requireExports([\n  ${checks.join(",\n  ")},\n]);`,
  ];
}

function checkSource(isRight: string, { message, hint }: Diagnostic): string {
  return `[${isRight}, ${JSON.stringify(message)}, ${JSON.stringify(hint)}]`;
}

/** @returns what gives each function the name that it is imported under. */
function nameFunctions(project: Project): (one: Export) => string {
  const names = new Map(project.routes.map((route, index) => [keyOf(toExport(route)), `handler${index}`]));
  return (one) => {
    const name = names.get(keyOf(one)) ?? `shared${names.size}`;
    names.set(keyOf(one), name);
    return name;
  };
}

function toExport({ module, handler }: Route): Export {
  return { module, exported: handler };
}

function keyOf({ module, exported }: Export): string {
  return `${module}\n${exported}`;
}

/** What several routes have is written once. */
class Constants {
  readonly #names = new Map<string, string>();

  /** @returns the name of a constant with this value. */
  name(stem: string, expression: string): string {
    const name = this.#names.get(expression) ?? `${stem}${this.#names.size}`;
    this.#names.set(expression, name);
    return name;
  }

  get lines(): string[] {
    return [...this.#names].map(([expression, name]) => `const ${name} = ${expression};`);
  }
}

type Names = ReturnType<typeof nameFunctions>;

function boundSource(typed: TypedRoute, names: Names, constants: Constants): string {
  const route = toRoute(typed);
  const members = [
    `route: ${JSON.stringify(route)}`,
    `handler: ${names(toExport(route))}`,
    ...(isNarrow(typed) ? [`fits: pathChecks[${JSON.stringify(inputsKey(typed))}]`] : []),
    ...(hasInputs(typed) ? [`serve: toServe(${serveSource(typed, names, constants)})`] : []),
    ...(typed.hooks.length > 0 ? [`hooks: ${hooksSource(typed.hooks, names, constants)}`] : []),
    ...(typed.limits ? [`limits: ${JSON.stringify(typed.limits)}`] : []),
  ];
  return `{ ${members.join(", ")} }`;
}

function serveSource(typed: TypedRoute, names: Names, constants: Constants): string {
  const { calls, provided } = typed;
  const inputs = `routeInputs[${JSON.stringify(inputsKey(typed))}]`;
  if (calls.length === 0) return inputs;
  return `${inputs}, ${callsSource(calls, names, constants)}, ${JSON.stringify(provided)}`;
}

function callsSource(calls: readonly Call[], names: Names, constants: Constants): string {
  const bound = calls.map((call) => {
    const { kind, name, isEarly, provided, location } = call;
    const data = JSON.stringify({ kind, name, isEarly, provided, location });
    return constants.name("call", `{ run: ${names(call)}, ${data.slice(1)}`);
  });
  return constants.name("calls", `[${bound.join(", ")}]`);
}

function hooksSource(hooks: readonly FolderHooks[], names: Names, constants: Constants): string {
  const folders = hooks.map(({ folder, middleware, error }) => {
    const bound = [
      `folder: ${JSON.stringify(folder)}`,
      ...(middleware ? [`middleware: ${names(middleware)}`] : []),
      ...(error ? [`error: ${names(error)}`] : []),
    ];
    return `{ ${bound.join(", ")} }`;
  });
  return constants.name("chain", `chainHooks([${folders.join(", ")}])`);
}

function wireSource(root: string, { routes, definitions }: Project): string {
  const specifiers = {
    runtime: frameworkPath("runtime/wire.js"),
    toSpecifier: (file: string) => join(root, file),
  };
  return (
    writeWireModule({ routes, definitions }, specifiers) ??
    "export const pathChecks = {};\nexport const routeInputs = {};\n"
  );
}
