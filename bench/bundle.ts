/** How large the smallest app is: two handlers and the core, in one minified file, as `framework build` puts it together. */

import { join } from "node:path";
import { rolldown } from "rolldown";
import { DEFAULT_SETTINGS } from "#runtime/core/settings";
import { REPOSITORY } from "../e2e/harness/workspace.ts";

const RUNTIME = join(REPOSITORY, "runtime");

function toRoute(method: string): string {
  const location = { file: "routes/index.ts", line: 1, column: 17 };
  return JSON.stringify({
    method: method.toUpperCase(),
    pattern: "/",
    segments: [],
    arguments: method === "get" ? [] : ["request"],
    handler: method,
    module: "routes/index.ts",
    app: null,
    convention: "routes",
    location,
  });
}

const SOURCES: Readonly<Record<string, string>> = {
  entry: 'import "project";\nexport * from "app";\n',
  app: 'import { createApp } from "framework";\nexport const app = await createApp();\nawait app.listen();\n',
  handlers:
    'export function get() { return { message: "hello" }; }\nexport async function post(request) { return request.json(); }\n',
  project: `
    import { setLaunch } from ${JSON.stringify(join(RUNTIME, "launch.ts"))};
    import { get, post } from "handlers";
    setLaunch({ project: { settings: ${JSON.stringify(DEFAULT_SETTINGS)}, routes: [
      { route: ${toRoute("get")}, handler: get },
      { route: ${toRoute("post")}, handler: post },
    ] } });`,
  nothing: 'export function loadProject() { throw new Error("A built server holds one project."); }\n',
};

const ELSEWHERE: Readonly<Record<string, string>> = {
  framework: join(RUNTIME, "index.ts"),
  "./toolchain/load.ts": "nothing",
};

/** @returns bytes. */
export async function measureBundle(): Promise<number> {
  const bundle = await rolldown({
    input: "entry",
    platform: "node",
    logLevel: "warn",
    plugins: [
      {
        name: "smallest-app",
        resolveId: (id) => ELSEWHERE[id] ?? (Object.hasOwn(SOURCES, id) ? id : undefined),
        load: (id) => SOURCES[id],
      },
    ],
  });
  const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false });
  await bundle.close();
  return output.reduce((sum, chunk) => sum + (chunk.type === "chunk" ? Buffer.byteLength(chunk.code) : 0), 0);
}

if (process.argv[1] === import.meta.filename) console.log(`${await measureBundle()} bytes`);
