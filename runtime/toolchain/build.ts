/** Makes `dist/server.js`: one file with the project, its dependencies and its route table, that needs nothing else to run. */

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isError } from "../convention/diagnostics.ts";
import { type Project, readProject } from "../convention/project.ts";
import { Problem } from "../core/problem.ts";
import { BUILT_SERVER, writeBuildRecord } from "./build-record.ts";
import { requireMainFile } from "./main-file.ts";
import { ProjectError } from "./project-error.ts";

const FRAMEWORK = fileURLToPath(new URL("..", import.meta.url));
const ENTRY = "\0framework:entry";
const PROJECT = "\0framework:project";
const NO_SOURCE = "\0framework:no-source";

/** What of the bundler is used here: it is the project's own, so its types are not at hand. */
interface Bundler {
  rolldown(options: object): Promise<{
    write(options: object): Promise<{ output: { moduleIds?: string[]; code?: string }[] }>;
    close(): Promise<void>;
  }>;
}

export interface BuildResult {
  readonly file: string;
  readonly routes: number;
  /** Bytes. */
  readonly size: number;
}

/** @throws {ProjectError} when the project has errors; {Problem} when the bundler is not installed. */
export async function buildProject(root: string): Promise<BuildResult> {
  const project = readProject(root);
  if (project.diagnostics.some(isError)) throw new ProjectError(root, project.diagnostics);
  const { rolldown } = await importBundler(root);
  const bundle = await rolldown({
    input: ENTRY,
    cwd: root,
    platform: "node",
    logLevel: "warn",
    plugins: [projectModules(root, project)],
  });
  const { output } = await bundle.write({
    file: join(root, BUILT_SERVER),
    format: "esm",
    sourcemap: true,
    codeSplitting: false,
  });
  await bundle.close();
  const inputs = output
    .flatMap((chunk) => chunk.moduleIds ?? [])
    .filter((id) => existsSync(id) && !id.includes(`${sep}node_modules${sep}`))
    .map((id) => relative(root, id).split(sep).join("/"));
  writeBuildRecord(root, [...inputs, ...project.files]);
  return {
    file: BUILT_SERVER,
    routes: project.routes.length,
    size: output.reduce((sum, chunk) => sum + (chunk.code?.length ?? 0), 0),
  };
}

async function importBundler(root: string): Promise<Bundler> {
  try {
    const path = createRequire(join(root, "package.json")).resolve("rolldown");
    return await import(pathToFileURL(path).href);
  } catch (error) {
    throw new Problem("The build needs the project's devDependencies.", "Run `npm install` first.", {
      cause: error,
    });
  }
}

/** Gives the bundler the modules that stand in no file: the entry, and the route table with static imports of the handlers. */
function projectModules(root: string, project: Project): object {
  const sources: Record<string, string> = {
    [ENTRY]: `import ${JSON.stringify(PROJECT)};\nexport * from ${JSON.stringify(requireMainFile(root))};\n`,
    [PROJECT]: projectSource(root, project),
    [NO_SOURCE]:
      'export function loadProject() { throw new Error("A built server holds one project: createApp() takes it."); }',
  };
  const files: Record<string, string> = {
    framework: join(FRAMEWORK, "index.js"),
    "framework/http": join(FRAMEWORK, "http.js"),
    "./toolchain/load.js": NO_SOURCE,
  };
  return {
    name: "framework-project",
    resolveId: (id: string) => files[id] ?? (Object.hasOwn(sources, id) ? id : undefined),
    load: (id: string) => sources[id],
  };
}

function projectSource(root: string, { routes, settings }: Project): string {
  const imports = routes.map(
    (route, index) =>
      `import { ${route.handler} as handler${index} } from ${JSON.stringify(join(root, route.module))};`,
  );
  const bound = routes.map((route, index) => `{ route: ${JSON.stringify(route)}, handler: handler${index} }`);
  return [
    `import { setLaunch } from ${JSON.stringify(join(FRAMEWORK, "launch.js"))};`,
    ...imports,
    `setLaunch({ project: { settings: ${JSON.stringify(settings)}, routes: [\n  ${bound.join(",\n  ")},\n] } });`,
    "",
  ].join("\n");
}
