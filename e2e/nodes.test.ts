/** A created project on each Node that it promises to run on, with nothing installed. A commit is tried on one of them. */

import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ask, askUntil } from "./harness/client.ts";
import { run } from "./harness/command.ts";
import { isolatedEnvironment, withNode } from "./harness/environment.ts";
import { findNode, tried } from "./harness/nodes.ts";
import { unpackOnce } from "./harness/package.ts";
import { copyProject, openProject } from "./harness/project.ts";
import { checkSamples } from "./harness/samples.ts";
import { serve } from "./harness/server.ts";
import { createFolder } from "./harness/workspace.ts";

for (const name of tried) {
  const program = await findNode(name);
  const testOnNode = program === undefined ? test.skip : test;
  const node = program ?? "";

  testOnNode(`on ${name} a project is created, listed, served, extended and edited`, async () => {
    const env = withNode(isolatedEnvironment(), node);
    const cwd = createFolder(name);
    const words = [node, join(await unpackOnce(), "dist/create.cjs"), "my-app", "--yes", "--no-git"];
    const made = await run(words, { cwd, env });
    assert.is(made.status, 0, made.stderr);
    assert.is(made.stderr, "");

    const project = openProject(join(cwd, "my-app"));
    assert.equal(project.tree(), (await copyProject()).tree());
    const framework = async (...words: string[]): Promise<string> => {
      const outcome = await run([node, "vendor/framework", ...words], { cwd: project.folder, env });
      assert.is(outcome.status, 0, outcome.stderr);
      assert.is(outcome.stderr, "", "nothing is warned about");
      return outcome.stdout;
    };
    assert.is(JSON.parse(await framework("routes", "list", "--json")).length, 10);
    assert.is((await project.framework(["generate", "app", "orders"])).status, 0);
    project.write("lib/main.ts", "export const isMain = (main: unknown): boolean => main === true;\n");
    project.write(
      "main.ts",
      'import { HttpError } from "framework";\nimport { isMain } from "#lib/main.ts";\nconst { main } = import.meta as { main?: boolean };\nconsole.log(HttpError.name, process.argv[2], main === undefined || isMain(main));\n',
    );
    assert.is(await framework("run", "main.ts", "--word"), "HttpError --word true\n");

    for (const command of ["start", "dev"]) {
      const server = await serve(project.folder, [node, "vendor/framework", command]);
      await checkSamples(server.url);
      await askUntil(server.url, "GET /orders/", ({ status }) => status === 200);
      if (command === "dev") {
        project.write(
          "routes/added.ts",
          'import { Request, int } from "framework";\nexport const get = (request: Request, id: int) => ({ id });\n',
        );
        await askUntil(server.url, "GET /added/7", ({ text }) => text === '{"id":7}');
      }
      assert.not.match(server.output(), /Warning/, "nothing is warned about");
      assert.is((await server.stop()).status, 0);
    }
  });

  testOnNode(`on ${name} the contract is printed, and served with its page`, async () => {
    const env = withNode(isolatedEnvironment(), node);
    const project = await copyProject();
    project.write("framework.toml", 'apps = ["products", "users"]\n[server]\ndocs = true\n');
    const printed = await run([node, "vendor/framework", "openapi"], { cwd: project.folder, env });
    assert.is(printed.status, 0, printed.stderr);
    assert.not.match(printed.stderr, /Warning/, "nothing is warned about");
    assert.ok(JSON.parse(printed.stdout).paths["/users/by/id/{user_id}"]);

    const server = await serve(project.folder, [node, "vendor/framework", "start"]);
    assert.is((await ask(server.url, "GET /openapi.json")).text, printed.stdout);
    for (const path of ["/docs", "/docs/page.js", "/docs/page.css"])
      assert.is((await ask(server.url, `GET ${path}`)).status, 200, path);
    assert.match((await ask(server.url, "GET /docs")).text, "./docs/page.js");
    assert.not.match(server.output(), /Warning/, "nothing is warned about");
    assert.is((await server.stop()).status, 0);
  });
}

test.run();
