/** That commands which change a project at once wait for each other: nothing that one of them writes is lost by another. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { copyProject, type Project } from "./harness/project.ts";

/** As many at once as two processors start within their patience. */
const AT_ONCE = 10;

async function framework(project: Project, line: string): Promise<void> {
  const { status, stdout, stderr } = await project.framework(line.split(" "));
  assert.is(status, 0, `${line}: ${stdout}${stderr}`);
}

async function listHandlers(project: Project): Promise<string[]> {
  const { stdout } = await project.framework(["routes", "list", "--json"]);
  return (JSON.parse(stdout) as { handler: string }[]).map(({ handler }) => handler);
}

test("forty apps, generated ten at once, are all in framework.toml, and serve", async () => {
  const project = await copyProject();
  const names = Array.from({ length: 40 }, (_, index) => `app${index}`);
  for (let from = 0; from < names.length; from += AT_ONCE) {
    const batch = names.slice(from, from + AT_ONCE);
    await Promise.all(batch.map((name) => framework(project, `generate app ${name}`)));
  }
  const text = project.read("framework.toml");
  assert.equal(
    names.filter((name) => !text.includes(`"${name}"`)),
    [],
  );
  await framework(project, "routes check");
  assert.is((await listHandlers(project)).filter((handler) => handler === "get_index").length, 41);
  assert.not(project.has(".framework"));
});

test("two handlers generated at once for one views.ts are both there, and so are their tests", async () => {
  const project = await copyProject();
  const names = ["put_first", "put_second"];
  await Promise.all(names.map((name) => framework(project, `generate handler ${name} --app products`)));
  const handlers = await listHandlers(project);
  for (const name of names) {
    assert.ok(handlers.includes(name), name);
    assert.match(project.read("tests/products.test.ts"), name.replace("put_", "PUT /products/"));
  }
});

test("the same asked for by four at once is made once", async () => {
  const project = await copyProject();
  await Promise.all(
    Array.from({ length: 4 }, () => framework(project, "generate handler put_once --app products")),
  );
  assert.is((await listHandlers(project)).filter((handler) => handler === "put_once").length, 1);
});

test.run();
