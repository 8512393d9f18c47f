import { test } from "uvu";
import * as assert from "uvu/assert";
import { createFolder } from "#convention/folder.fixture";
import { createFiles } from "#convention/source/files";
import { checkEngines, checkNode } from "./node.ts";

const VERSIONS: readonly [version: string, code: string | undefined, says: RegExp][] = [
  ["18.20.8", "FW825", /20\.19\.0 or newer/],
  ["20.18.3", "FW825", /20\.19\.0 or newer/],
  ["20.19.0", undefined, /^$/],
  ["27.0.0-nightly20261101abcdef", undefined, /^$/],
];

for (const [version, code, says] of VERSIONS) {
  test(`Node.js ${version} is ${code === undefined ? "as it should be" : `told by ${code}`}`, () => {
    const [diagnostic] = checkNode(version);
    assert.is(diagnostic?.code, code);
    assert.match(diagnostic === undefined ? "" : `${diagnostic.message} ${diagnostic.hint}`, says);
  });
}

test("what package.json asks for by engines counts, at its place, and a range that is not known does not", () => {
  const check = (node: unknown): string[] => {
    const root = createFolder({ "package.json": JSON.stringify({ engines: { node } }, null, 2) });
    return checkEngines("22.22.2", createFiles(root)).map(
      ({ severity, message, locations: [place] }) => `${severity} ${place?.file}:${place?.line} ${message}`,
    );
  };
  const told = "warning package.json:3 Node.js 22.22.2 does not fit: `engines` in package.json asks for";
  for (const range of [">=24", ">= 22.22.3", "^23 || >=24", "24", "24.x", "~22.23"])
    assert.equal(check(range), [`${told} ${range}.`]);
  for (const range of [
    ">=20.19",
    "^20 || ^22",
    "^22.22.2",
    "22",
    "18 - 24",
    "<25",
    "*",
    "lts/*",
    22,
    undefined,
  ])
    assert.equal(check(range), []);
});

test.run();
