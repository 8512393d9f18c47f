/** What several routes share, over a socket: `dev`, `start` and the built server answer alike, and dev serves what changes in it. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { builtCopy } from "./harness/build.ts";
import { type Answer, ask, askUntil } from "./harness/client.ts";
import { once } from "./harness/once.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { DEV, START, serve } from "./harness/server.ts";
import { SHARED_CASES, SHARED_FILES } from "./harness/shared.ts";

const sharingProject = once("project that shares", async (): Promise<Project> => {
  const project = await copyProject();
  for (const [file, text] of Object.entries(SHARED_FILES)) project.write(file, text);
  return project;
});

const builtProject = once("built project that shares", () => builtCopy(SHARED_FILES));

const BUILT: readonly string[] = [process.execPath, "dist/server.js"];

const SERVERS: readonly [name: string, words: readonly string[], project: () => Promise<Project>][] = [
  ["framework dev", DEV, sharingProject],
  ["framework start", START, sharingProject],
  ["dist/server.js", BUILT, builtProject],
];

/** Without what only `dev` tells: the stack, and why no route matched. */
function contentOf({ text }: Answer): unknown {
  const content: unknown = text.startsWith("{") ? JSON.parse(text) : text;
  if (typeof content !== "object") return content;
  const { stack: _, detail: __, ...rest } = content as Readonly<Record<string, unknown>>;
  return rest;
}

for (const [name, words, project] of SERVERS) {
  test(`${name} answers ${SHARED_CASES.length} requests to routes that share`, async () => {
    const server = await serve((await project()).folder, words);
    for (const { line, question, status, answer, headers = {} } of SHARED_CASES) {
      const answered = await ask(server.url, line, question);
      assert.equal([answered.status, contentOf(answered)], [status, answer], line);
      for (const [header, value] of Object.entries(headers))
        assert.is(answered.headers[header], value, `${header} of ${line}`);
    }
    await server.stop();
  });
}

const GUARD = `import { HttpError } from "framework";

export function guard() {
  throw new HttpError(403, "closed");
}
`;

test("dev serves a _hooks.ts that appears, changes, breaks and goes, and a change of a provider", async () => {
  const project = await copyProject();
  project.write("lib/word.ts", 'export const word = () => "first";\n');
  project.write(
    "routes/admin/word.ts",
    'import type { From } from "framework";\nimport type { word } from "../../lib/word.ts";\nexport const get = (it: From<typeof word>) => it;\n',
  );
  const server = await serve(project.folder, DEV);
  const until = (status: number, text: string): Promise<Answer[]> =>
    askUntil(
      server.url,
      "GET /admin/word",
      (answer) => answer.status === status && answer.text.includes(text),
    );
  await until(200, "first");
  project.write("lib/word.ts", 'export const word = () => "second";\n');
  await until(200, "second");
  project.write("routes/admin/_hooks.ts", GUARD);
  await until(403, "closed");
  project.edit("routes/admin/_hooks.ts", "closed", "shut");
  await until(403, "shut");
  project.edit("routes/admin/_hooks.ts", "throw", "throw throw");
  await until(500, "routes/admin/_hooks.ts:4:9");
  await server.waitFor(/4 \| +throw throw new HttpError/);
  project.write("routes/admin/_hooks.ts", GUARD);
  await until(403, "closed");
  project.remove("routes/admin/_hooks.ts");
  await until(200, "second");
  project.remove("lib/word.ts");
  await until(500, "lib/word.ts");
  await server.stop();
});

test("a new _hooks.ts makes a built server out of date, and start serves from source then", async () => {
  const project = await builtCopy();
  project.write("_hooks.ts", GUARD);
  const server = await serve(project.folder, START);
  assert.is((await ask(server.url, "GET /")).status, 403);
  await server.stop();
});

test("a built server without hooks has nothing of core/hooks in it, and one without CORS nothing of that", async () => {
  assert.not.match((await builtCopy()).read("dist/server.js"), /core\/hooks|toAround|createCors/);
  const project = await builtCopy({ "_hooks.ts": GUARD });
  assert.not.match(
    project.read("dist/server.js"),
    /core\/hooks|toAround|createCors/,
    "a guard is no hook around",
  );
  const hooked = await builtCopy({ "_hooks.ts": "export const error = () => undefined;\n" });
  assert.match(hooked.read("dist/server.js"), "toAround");
  assert.not.match(hooked.read("dist/server.js"), "createCors");
});

test.run();
