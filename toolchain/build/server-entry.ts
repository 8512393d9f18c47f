/** The modules of a built server that have no file: its start, and the route table with static imports of the handlers. */

import { join } from "node:path";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Project } from "#convention/project";
import { writeWireModule } from "#convention/wire/code/module";
import { formatExport, hasInputs, inputsKey } from "#convention/wire/code/names";
import { type Call, type FolderHooks, isNarrow, type TypedRoute } from "#convention/wire/typed-route";
import type { DocsFiles } from "#runtime/docs";
import { frameworkPath } from "../framework-folder.ts";
import { diagnoseMissing, diagnoseUnread, HOOKS } from "../load/compare.ts";
import { requireMainFile } from "../load/main-file.ts";
import { type Export, hooksFiles, projectModules, toRoute } from "../load/project-functions.ts";
import { ENTRY, type EntryModules, quoteFile, SOURCE, sourceThatThrows, toEntryModules } from "./entry.ts";

const START = "\0framework:start";
const PROJECT = "\0framework:project";
const WIRE = "\0framework:wire";
const quote = JSON.stringify;

/** @param docs what it shows of the contract, if anything. */
export function createServerModules(root: string, project: Project, docs?: DocsFiles): EntryModules {
  const wire = { runtime: frameworkPath("runtime/wire.js"), toSpecifier: (file: string) => join(root, file) };
  return toEntryModules({
    [ENTRY]: entrySource(requireMainFile(root)),
    // The handlers are imported when `createApp` asks for them: what the main file does before has effect on them.
    [START]: `import { beginStart } from ${quoteFile("runtime/built")};
beginStart(async () => (await import(${quote(PROJECT)})).project);
`,
    [PROJECT]: projectSource(root, project, docs),
    [WIRE]:
      writeWireModule(project, wire) ?? "export const pathChecks = {};\nexport const routeInputs = {};\n",
    [SOURCE]: sourceThatThrows("A built server holds one project: createApp() takes it."),
  });
}

/** In the order in which they run. The last lines come after everything that the main file awaits. */
function entrySource(mainFile: string): string {
  // Not named `fetch`, which would hide the global one. Not a `const`: it must exist to be exported, although a
  // main file that throws lets the minifier drop all that comes after it.
  return `import ${quote(START)};
export * from ${quote(mainFile)};
import { finishStart } from ${quoteFile("runtime/built")};
const started = finishStart();
function answer(request) { return started.fetch(request); }
export { answer as fetch };
export default started.served;
`;
}

/** Modules without a function are among the imports, as they are when the project is served from source. */
function projectSource(root: string, project: Project, docs: DocsFiles | undefined): string {
  const { cors, routes, served, settings, unmatched } = project;
  const names = new Names(project);
  const imports = projectModules(project).map(({ file, functions }) => {
    const taken = functions.map((one) => `${formatExport(one.exported)} as ${names.of(one)}`);
    return `import { ${taken.join(", ")} } from ${quote(join(root, file))};`;
  });
  const files = served && {
    folders: served.folders,
    fallback: served.fallback,
    immutable: served.immutable,
  };
  const members = [
    `settings: ${quote(settings)}`,
    `routes: [\n  ${routes.map((route) => routeSource(route, names)).join(",\n  ")},\n]`,
    unmatched && `unmatched: ${hooksSource([unmatched], names)}`,
    cors && `cors: createCors(${quote(cors)})`,
    docs && `docs: createDocs(${quote(docs)})`,
    files && `files: createFiles(${quote(files)}, import.meta.url)`,
  ];
  // The framework's modules run after the project's, as from source. The bundler leaves out those that nothing uses.
  return [
    ...imports,
    `import { createDocs } from ${quoteFile("runtime/app")};`,
    `import { requireExports } from ${quoteFile("runtime/built")};`,
    `import { chainHooks, createCors } from ${quoteFile("runtime/hooks")};`,
    `import { createFiles } from ${quoteFile("runtime/message")};`,
    `import { toServe } from ${quoteFile("runtime/wire")};`,
    `import { pathChecks, routeInputs } from ${quote(WIRE)};`,
    ...checksSource(root, project, names),
    ...names.constants,
    `export const project = { ${members.filter(Boolean).join(", ")} };`,
    "",
  ].join("\n");
}

/** That providers and hooks are what was read, as `bindRoutes` checks it: a missing one would leave open what it guards. */
function checksSource(root: string, project: Project, names: Names): string[] {
  const shared = projectModules(project)
    .flatMap(({ functions }) => functions)
    .filter(({ role }) => role !== "handler");
  const hooked = hooksFiles(project);
  if (shared.length === 0 && hooked.length === 0) return [];
  const toCheck = (isRight: string, { message, hint }: Diagnostic): string =>
    `[${isRight}, ${quote(message)}, ${quote(hint)}]`;
  const missing = shared.map((one) =>
    toCheck(`typeof ${names.of(one)} === "function"`, diagnoseMissing(one)),
  );
  const unread = hooked.flatMap((file, index) =>
    HOOKS.map((name) => {
      const hook = `hooks${index}.${name}`;
      return toCheck(`typeof ${hook} !== "function" || read.includes(${hook})`, diagnoseUnread(name, file));
    }),
  );
  return [
    ...hooked.map((file, index) => `import * as hooks${index} from ${quote(join(root, file))};`),
    `const read = [${shared.map((one) => names.of(one)).join(", ")}];`,
    `requireExports([\n  ${[...missing, ...unread].join(",\n  ")},\n]);`,
  ];
}

/** The names of the module: those that functions are imported under, and constants for what several routes have. */
class Names {
  readonly #functions: Map<string, string>;
  readonly #constants = new Map<string, string>();

  constructor({ routes }: Project) {
    this.#functions = new Map(
      routes.map(({ module, handler }, index) => [`${module}\n${handler}`, `handler${index}`]),
    );
  }

  of({ module, exported }: Export): string {
    const key = `${module}\n${exported}`;
    const name = this.#functions.get(key) ?? `shared${this.#functions.size}`;
    this.#functions.set(key, name);
    return name;
  }

  /** @returns the name of a constant with this value. */
  constant(stem: string, expression: string): string {
    const name = this.#constants.get(expression) ?? `${stem}${this.#constants.size}`;
    this.#constants.set(expression, name);
    return name;
  }

  get constants(): string[] {
    return [...this.#constants].map(([expression, name]) => `const ${name} = ${expression};`);
  }
}

function routeSource(typed: TypedRoute, names: Names): string {
  const { calls, hooks, limits, provided } = typed;
  const route = toRoute(typed);
  const key = quote(inputsKey(typed));
  const shared = calls.length > 0 ? `, ${callsSource(calls, names)}, ${quote(provided)}` : "";
  const members = [
    `route: ${quote(route)}`,
    `handler: ${names.of({ module: route.module, exported: route.handler })}`,
    isNarrow(typed) && `fits: pathChecks[${key}]`,
    hasInputs(typed) && `serve: toServe(routeInputs[${key}]${shared})`,
    hooks.length > 0 && `hooks: ${hooksSource(hooks, names)}`,
    limits && `limits: ${quote(limits)}`,
  ];
  return `{ ${members.filter(Boolean).join(", ")} }`;
}

function callsSource(calls: readonly Call[], names: Names): string {
  const bound = calls.map((call) => {
    const { kind, name, isEarly, provided, location } = call;
    const data = quote({ kind, name, isEarly, provided, location });
    return names.constant("call", `{ run: ${names.of(call)}, ${data.slice(1)}`);
  });
  return names.constant("calls", `[${bound.join(", ")}]`);
}

function hooksSource(hooks: readonly FolderHooks[], names: Names): string {
  const folders = hooks.map(({ folder, middleware, error }) => {
    const members = [
      `folder: ${quote(folder)}`,
      middleware && `middleware: ${names.of(middleware)}`,
      error && `error: ${names.of(error)}`,
    ];
    return `{ ${members.filter(Boolean).join(", ")} }`;
  });
  return names.constant("chain", `chainHooks([${folders.join(", ")}])`);
}
