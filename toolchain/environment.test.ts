import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DEFAULT_SETTINGS } from "#runtime/settings";
import { readAddress, readEnvironment } from "./environment.ts";

const root = mkdtempSync(join(tmpdir(), "framework-environment-"));
test.after(() => rmSync(root, { recursive: true }));

function read(text: string): Readonly<Record<string, string>> {
  writeFileSync(join(root, ".env"), text);
  return readEnvironment(root);
}

test("a project without .env sets nothing", () => {
  assert.equal({ ...readEnvironment(join(root, "nothing")) }, {});
});

const SOUND: readonly [text: string, variables: Readonly<Record<string, string>>][] = [
  ["", {}],
  ["\n# nothing = here\n  \n", {}],
  ["A=1", { A: "1" }],
  ["\ufeffA=1\r\nB=2\r\n", { A: "1", B: "2" }],
  ["A = 1 # one\nexport B=2\n", { A: "1", B: "2" }],
  ["A=\nB=it's\nC='it''s'\n", { A: "", B: "it's", C: "it" }],
  ['A="x=1\n# no comment\ny"\nB=2\n', { A: "x=1\n# no comment\ny", B: "2" }],
  ["A=`x\n\"y'`\n", { A: "x\n\"y'" }],
  ["a.b-c=1\n", { "a.b-c": "1" }],
  ["# it's ='x\nA='y' # z'\n", { A: "y" }],
];
for (const [text, variables] of SOUND) {
  test(`${JSON.stringify(text)} is read`, () => assert.equal({ ...read(text) }, variables));
}

const MISTAKEN: readonly [text: string, says: string][] = [
  ["A", ".env:1 does not set a variable."],
  ["A=1\n\nsecret words\n", ".env:3 does not set a variable."],
  ["=1\n", ".env:1 does not set a variable."],
  ['A="x\ny"\nB\n', ".env:3 does not set a variable."],
];
for (const [text, says] of MISTAKEN) {
  test(`${JSON.stringify(text)} is told with its line, and without what stands there`, () => {
    assert.throws(
      () => read(text),
      (error: Error) => error.message === says,
    );
  });
}

test("PORT and HOST of .env override framework.toml, and must be a port and a name", () => {
  const readHere = (text: string): string => {
    writeFileSync(join(root, ".env"), text);
    const { host, port } = readAddress(root, DEFAULT_SETTINGS);
    return `${host}:${port}`;
  };
  const { HOST, PORT } = process.env;
  delete process.env.HOST;
  delete process.env.PORT;
  try {
    assert.is(readHere("PORT=8123\nHOST=0.0.0.0\n"), "0.0.0.0:8123");
    assert.is(readHere("PORT=\nHOST=\n"), "localhost:8000");
    assert.throws(() => readHere("PORT=http\n"), /^PORT is "http": a port is a whole number/);
  } finally {
    Object.assign(process.env, HOST !== undefined && { HOST }, PORT !== undefined && { PORT });
  }
});

test.run();
