/** How large the smallest app is: two handlers and the core, in the one minified file that `framework build` makes. */

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFolder, REPOSITORY } from "../e2e/harness/workspace.ts";

const FILES: Readonly<Record<string, string>> = {
  "package.json": '{ "type": "module" }\n',
  "framework.toml": "apps = []\n",
  "app.ts":
    'import { createApp } from "framework";\nexport const app = await createApp();\nawait app.listen();\n',
  "routes/index.ts": `import type { Request } from "framework";
export function get() {
  return { message: "hello" };
}
export async function post(request: Request) {
  return request.json();
}
`,
};

/** @returns bytes. */
export async function measureBundle(): Promise<number> {
  const root = createFolder("smallest");
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  symlinkSync(join(REPOSITORY, "node_modules"), join(root, "node_modules"));
  // Bundled is what is vendored: of it, and not of the sources.
  const built: string = join(REPOSITORY, "dist/framework/tools/contract.js");
  const { buildProject } = await import(built);
  return (await buildProject(root, { minify: true })).size;
}

if (process.argv[1] === import.meta.filename) console.log(`${await measureBundle()} bytes`);
