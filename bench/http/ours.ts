/** Our server: a small project as `npm create` lays it out, built by `framework build`. */

import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runWell } from "../../e2e/harness/command.ts";
import { isolatedEnvironment } from "../../e2e/harness/environment.ts";
import { packOnce } from "../../e2e/harness/package.ts";
import { createFolder, REPOSITORY } from "../../e2e/harness/workspace.ts";

const FILES: Readonly<Record<string, string>> = {
  "package.json": '{ "type": "module" }\n',
  "framework.toml": 'apps = ["users"]\n',
  "app.ts": `import { createApp } from "framework";

export const app = await createApp();
await app.listen();
`,
  "apps/users/app.toml": '[app]\nprefix = "/users"\n',
  "apps/users/views.ts": `import type { int } from "framework";

export function get_by_id(id: int) {
  return { user: { id, name: "Ada" } };
}
`,
  "routes/index.ts": `export function get() {
  return { message: "Hello, world" };
}
`,
  "routes/page.ts": `import { page } from "../page.mjs";

export function get() {
  return page;
}
`,
  "routes/items.ts": `import type { Request } from "framework";

export async function post(request: Request) {
  const { name } = await request.json();
  return [{ message: \`Item \${name} created\` }, 201];
}
`,
  "routes/signups.ts": `import type { Body, int, Max, MaxLength, Min, MinLength } from "framework";
import { toSignupAnswer } from "../signup.mjs";

type Text<Least extends number, Most extends number> = string & MinLength<Least> & MaxLength<Most>;

interface Address {
  street: Text<1, 200>;
  city: Text<1, 100>;
  postcode: Text<1, 20>;
}

interface Signup {
  name: Text<1, 80>;
  email: Text<3, 254>;
  age: int & Min<0> & Max<150>;
  newsletter: boolean;
  plan: "free" | "team" | "business";
  tags: string[];
  address: Address;
  credit: number;
  language: string;
  referrer?: string;
}

export function post(body: Body<Signup>) {
  return [toSignupAnswer(body), 201];
}
`,
  "routes/signups/unchecked.ts": `import type { Request } from "framework";
import { toSignupAnswer } from "../../signup.mjs";

export async function post(request: Request) {
  return [toSignupAnswer(await request.json()), 201];
}
`,
  "routes/documents.ts": `import type { Request } from "framework";

export async function post(request: Request) {
  const { lines } = await request.json();
  return { lines: lines.length };
}
`,
  "routes/uploads.ts": `import type { Request } from "framework";

export async function post(request: Request) {
  return { bytes: (await request.bytes()).length };
}
`,
};

/** The runtime as it is vendored: of this repository, built if its sources are newer. */
export async function currentFramework(): Promise<string> {
  await packOnce();
  return join(REPOSITORY, "dist/framework");
}

/** @param framework a folder with the runtime that the project gets. @returns the file to run. */
export async function buildOurs(framework: string): Promise<string> {
  const folder = createFolder("ours");
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  for (const file of ["page.mjs", "signup.mjs"])
    cpSync(join(REPOSITORY, "bench/http/peers", file), join(folder, file));
  cpSync(framework, join(folder, "vendor/framework"), { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(REPOSITORY, "node_modules/rolldown"), join(folder, "node_modules/rolldown"));
  const words = [process.execPath, "vendor/framework", "build"];
  await runWell(words, { cwd: folder, env: isolatedEnvironment() });
  return join(folder, "dist/server.js");
}
