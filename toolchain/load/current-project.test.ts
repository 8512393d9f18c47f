import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { frameworkPath } from "../framework-folder.ts";
import { readCurrentProject } from "./load.ts";
import { diagnoseOther } from "./other-framework.ts";

const test = suite<{ root: string }>("current project");

test.before.each((context) => {
  context.root = realpathSync(mkdtempSync(join(tmpdir(), "current-project-")));
  for (const name of ["a", "b", "a/inner"]) {
    mkdirSync(join(context.root, name, "vendor/framework"), { recursive: true });
    writeFileSync(join(context.root, name, "framework.toml"), "");
  }
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

function toStack(...files: readonly string[]): string {
  return ["Error", ...files.map((file) => `    at ${pathToFileURL(file).href}:4:26`)].join("\n");
}

test("an app is of the project whose module creates it, whatever the current folder is", async ({ root }) => {
  for (const name of ["a", "b", "a/inner"]) {
    const stack = toStack(
      join(frameworkPath(), "index.js"),
      "/nowhere/at.ts",
      join(root, name, "tests/x.ts"),
    );
    assert.is((await readCurrentProject(stack)).project.root, join(root, name));
  }
});

const LOCATION = { file: "app.ts", line: 4, column: 26 };

test("the framework of another project is refused where it creates the app", ({ root }) => {
  const found = diagnoseOther(join(root, "b"), join(root, "a/vendor/framework"), LOCATION);
  assert.is(found?.code, "FW845");
  assert.equal(found?.locations, [LOCATION]);
  assert.match(found?.message ?? "", "../a/vendor/framework");
});

test("a copy, a linked vendored folder and a project that has none of its own are no other framework", ({
  root,
}) => {
  const b = join(root, "b");
  mkdirSync(join(root, "node_modules/framework"), { recursive: true });
  assert.is(diagnoseOther(b, join(root, "node_modules/framework"), LOCATION), undefined);
  rmSync(join(b, "vendor/framework"), { recursive: true });
  assert.is(diagnoseOther(b, join(root, "a/vendor/framework"), LOCATION), undefined);
  symlinkSync(join(root, "a/vendor/framework"), join(b, "vendor/framework"), "junction");
  assert.is(diagnoseOther(b, join(root, "a/vendor/framework"), LOCATION), undefined);
});

test.run();
