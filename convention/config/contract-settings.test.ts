import { test } from "uvu";
import * as assert from "uvu/assert";
import { createFiles } from "../source/files.ts";
import { type Config, readConfig } from "./config.ts";

function read(toml: string): Config {
  return readConfig(createFiles("/nowhere", new Map([["framework.toml", toml]])));
}

/** Of the first diagnostic. */
function explain(toml: string): string {
  const [first] = read(`[contract]\n${toml}`).diagnostics;
  return `${first?.code} ${first?.locations[0]?.line} ${first?.message} ${first?.hint}`;
}

test("every setting of [contract] is read, and what is not set is left out", () => {
  const { contract, diagnostics } = read(`[contract]
title = " Shop "
version = "2026-11"
description = """
Products.

- and *orders*
"""
client = "../web/src/api.ts"
servers = ["https://api.shop.example/v1", "http://localhost:8000", "/v1", "/"]`);
  assert.equal(diagnostics, []);
  assert.equal(contract, {
    title: "Shop",
    version: "2026-11",
    description: "Products.\n\n- and *orders*",
    client: "../web/src/api.ts",
    servers: ["https://api.shop.example/v1", "http://localhost:8000", "/v1", "/"],
  });
  assert.equal(read("[contract]").contract, {});
  assert.equal(read('contract.title = "Shop"').contract, { title: "Shop" });
  assert.is(read("apps = []").contract, undefined);
});

const WRONG: readonly [toml: string, ...words: string[]][] = [
  ["titel = 'Shop'", "FW103", "`contract.titel`", "Did you mean `title`?"],
  ["name = 'Shop'", "FW103", "`contract.name`", "Write it below `[app]` in app.toml."],
  ["port = 1", "FW103", "Write it below `[server]`."],
  [
    "title = 1",
    "FW104 2",
    "must be one line of 1 to 100 printable characters, but this is 1",
    'title = "Shop"',
  ],
  ["title = ''", "FW104", 'but this is ""'],
  ["title = 'a\tb'", "FW104"],
  ["version = 1.0", "FW104", 'version = "1.0.0"'],
  ["description = []", "FW104", "must be a text in Markdown, but this is an array"],
  ["description = ' '", "FW104"],
  ["client = 'api.js'", "FW104", "the path of a TypeScript file", 'client = "../web/src/api.ts"'],
  ["client = '../web/.ts'", "FW104"],
  ["servers = 'https://a.example'", "FW104", 'servers = ["https://a.example"]'],
  ["servers = [1]", "FW104", "a whole number in it"],
  ["servers = ['/v1', '/v1']", "FW107"],
];

for (const [toml, ...words] of WRONG)
  test(`${toml} is reported`, () => {
    for (const word of words) assert.match(explain(toml), word);
  });

const SERVERS = [
  ...[
    "https://api.example/",
    "/v1/",
    "https://api.example/v1/?a=1",
    "api.example",
    "//api.example",
    "localhost:8000",
  ],
  ...[" /v1", "https://a b.example", "https://ada:secret@api.example", "https://{region}.api.example"],
  ...["ftp://api.example", "v1", "", "https://api.example:99999"],
];

for (const server of SERVERS)
  test(`the server "${server}" is reported`, () => {
    const toml = `servers = [${JSON.stringify(server)}, "/good"]`;
    for (const part of ["FW104 2", "without a slash at their end", '"https://api.example"'])
      assert.match(explain(toml), part);
    assert.equal(read(`[contract]\n${toml}`).contract, { servers: ["/good"] });
  });

test.run();
