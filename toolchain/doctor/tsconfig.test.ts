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

function findIn(root: string, files: Readonly<Record<string, unknown>>): string[] {
  for (const [file, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), JSON.stringify(value));
  }
  return checkTypeCheck(root, createFiles(root)).map(
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

test("of what a base may set only what is set otherwise is told", ({ root }) => {
  const compilerOptions = { noEmit: false };
  assert.equal(findIn(root, { "tsconfig.json": { extends: "@acme/tsconfig", compilerOptions } }), [
    "FW829 `noEmit`",
  ]);
});

test("an installed framework will do in place of a path", ({ root }) => {
  const { paths: _, ...compilerOptions } = WHOLE;
  assert.equal(findIn(root, { "tsconfig.json": { compilerOptions } }), ["FW829 `paths`"]);
  assert.equal(findIn(root, { "node_modules/framework/package.json": {} }), []);
});

test.run();
