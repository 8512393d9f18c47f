/** The modules of a built server that stand in no file: its entry, and the route table with static imports of the handlers. */

import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Project } from "../../convention/project.ts";
import { requireMainFile } from "../main-file.ts";

/** As the framework is vendored; in its own repository it runs from source. */
const FRAMEWORK = fileURLToPath(new URL("../..", import.meta.url));
const EXTENSION = extname(import.meta.filename);

// By the NUL the bundler knows that there is no file, and leaves them out of the source map.
export const ENTRY = "\0framework:entry";
const START = "\0framework:start";
const PROJECT = "\0framework:project";
const SOURCE = "\0framework:source";

export interface EntryModules {
  /** Texts by module. */
  readonly sources: Readonly<Record<string, string>>;
  /** What these names mean to the modules of a built server, by specifier. */
  readonly aliases: Readonly<Record<string, string>>;
}

export function createEntryModules(root: string, project: Project): EntryModules {
  return {
    sources: {
      [ENTRY]: entrySource(requireMainFile(root)),
      [START]: `import { beginStart } from ${quoteFile("built")};\nbeginStart();\n`,
      [PROJECT]: projectSource(root, project),
      [SOURCE]:
        'export function loadFromSource() { throw new Error("A built server holds one project: createApp() takes it."); }',
    },
    aliases: {
      framework: frameworkFile("index"),
      "framework/http": frameworkFile("http"),
      [`./toolchain/source${EXTENSION}`]: SOURCE,
    },
  };
}

/** In the order in which they run. The last lines come after everything that the main file awaits. */
function entrySource(mainFile: string): string {
  return [
    `import ${JSON.stringify(START)};`,
    `import ${JSON.stringify(PROJECT)};`,
    `export * from ${JSON.stringify(mainFile)};`,
    `import { finishStart } from ${quoteFile("built")};`,
    // Not a `const fetch`, which would stand before the global one.
    "const started = finishStart();",
    "const answer = started.fetch;",
    "export { answer as fetch };",
    "export default started.served;",
    "",
  ].join("\n");
}

function projectSource(root: string, { routes, settings }: Project): string {
  const imports = routes.map(
    (route, index) =>
      `import { ${route.handler} as handler${index} } from ${JSON.stringify(join(root, route.module))};`,
  );
  const bound = routes.map((route, index) => `{ route: ${JSON.stringify(route)}, handler: handler${index} }`);
  return [
    `import { setLaunch } from ${quoteFile("launch")};`,
    ...imports,
    `setLaunch({ project: { settings: ${JSON.stringify(settings)}, routes: [\n  ${bound.join(",\n  ")},\n] } });`,
    "",
  ].join("\n");
}

function frameworkFile(name: string): string {
  return join(FRAMEWORK, `${name}${EXTENSION}`);
}

function quoteFile(name: string): string {
  return JSON.stringify(frameworkFile(name));
}
