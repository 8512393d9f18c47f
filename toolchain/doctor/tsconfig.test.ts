import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFiles } from "#convention/source/files";
import { checkTypeCheck } from "./tsconfig.ts";

const test = suite<{ root: string }>("type-check");

test.before.each((context) => {
  context.root = mkdtempSync(join(tmpdir(), "type-check-"));
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

const WHOLE = {
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  paths: { framework: ["./vendor/framework/index.d.ts"] },
};

function findIn(root: string, files: Readonly<Record<string, unknown>>, project: string = root): string[] {
  for (const [file, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), JSON.stringify(value));
  }
  return checkTypeCheck(project, createFiles(project)).map(
    ({ code, message }) => `${code} ${message.split(" ")[0]}`,
  );
}

test("with every option that is needed there is nothing to say", ({ root }) => {
  assert.equal(findIn(root, { "tsconfig.json": { compilerOptions: WHOLE } }), []);
});

test("without tsconfig.json, as in a container, that is no error", ({ root }) => {
  const [found] = checkTypeCheck(root, createFiles(root));
  assert.is(found?.code, "FW844");
  assert.is(found?.severity, "info");
});

test("each option that is missing or off is told", ({ root }) => {
  const { noEmit: _, ...compilerOptions } = { ...WHOLE, verbatimModuleSyntax: false };
  assert.equal(findIn(root, { "tsconfig.json": { compilerOptions } }), [
    "FW829 `verbatimModuleSyntax`",
    "FW829 `noEmit`",
  ]);
});

test("an option that comes to the same counts", ({ root }) => {
  const { noEmit: _, allowImportingTsExtensions: __, ...rest } = WHOLE;
  const compilerOptions = { ...rest, outDir: "build", rewriteRelativeImportExtensions: true };
  assert.equal(findIn(root, { "tsconfig.json": { compilerOptions } }), []);
});

test("what a base sets counts: by a path with or without its ending, above the project, and through several", ({
  root,
}) => {
  const { noEmit, paths, ...rest } = WHOLE;
  const files = {
    "project/tsconfig.json": { extends: ["../base.json", "./local"], compilerOptions: { paths } },
    "project/local.json": { compilerOptions: { noEmit } },
    "base.json": { extends: "./further.json" },
    "further.json": { compilerOptions: rest },
  };
  assert.equal(findIn(root, files, join(root, "project")), []);
});

test("what a base sets can be set otherwise", ({ root }) => {
  const found = findIn(root, {
    "tsconfig.json": { extends: "./base.json", compilerOptions: { noEmit: false } },
    "base.json": { compilerOptions: WHOLE },
  });
  assert.equal(found, ["FW829 `noEmit`"]);
});

test("a base of a package is found", ({ root }) => {
  const found = findIn(root, {
    "tsconfig.json": { extends: "@acme/tsconfig" },
    "node_modules/@acme/tsconfig/package.json": { name: "@acme/tsconfig", version: "1.0.0" },
    "node_modules/@acme/tsconfig/tsconfig.json": { compilerOptions: { ...WHOLE, noEmit: false } },
  });
  assert.equal(found, ["FW829 `noEmit`"]);
});

for (const base of ["@acme/not-installed", "./nowhere.json", "./tsconfig.json"]) {
  test(`nothing is said about a base that can't be read: ${base}`, ({ root }) => {
    assert.equal(findIn(root, { "tsconfig.json": { extends: base } }), []);
  });
}

test("an installed framework will do in place of a path", ({ root }) => {
  const { paths: _, ...compilerOptions } = WHOLE;
  assert.equal(findIn(root, { "tsconfig.json": { compilerOptions } }), ["FW829 `paths`"]);
  assert.equal(findIn(root, { "node_modules/framework/package.json": {} }), []);
});

test.run();
