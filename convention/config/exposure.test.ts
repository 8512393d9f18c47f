import { test } from "uvu";
import * as assert from "uvu/assert";
import { createFiles } from "../source/files.ts";
import { type Config, readConfig } from "./config.ts";
import { formatEntry } from "./exposure.ts";

function read(toml: string): Config {
  return readConfig(createFiles("/nowhere", new Map([["framework.toml", toml]])));
}

function readEntry(entry: string): Config {
  return read(`[exposure]\nopen = [${JSON.stringify(entry)}]`);
}

test("an entry is a method and a pattern as lists print it, or a pattern for every method", () => {
  const entries = [
    "GET /",
    "/",
    "/docs",
    "/products/",
    "GET /users/<id>",
    "DELETE /items/<item_id>/parts/<größe>",
    "OPTIONS /a-b_c.d~e",
    "HEAD /.well-known/x",
    "/a:b",
    "/café",
    "/a%20b",
    "/a%2Fb",
    "/files/*path",
    "/files/*größe",
    "ALL /rpc/*path",
    "/%2Aa",
  ];
  for (const entry of entries) {
    const { diagnostics, exposure } = readEntry(entry);
    assert.equal(diagnostics, [], entry);
    assert.equal(exposure?.open.map(formatEntry), [entry]);
  }
});

test("an entry knows its place, and so does the table", () => {
  const { exposure } = read('[exposure]\nopen = [\n  "GET /",\n  "/docs",\n]');
  assert.equal(exposure, {
    open: [
      { method: "GET", pattern: "/", location: { file: "framework.toml", line: 3, column: 3 } },
      { method: null, pattern: "/docs", location: { file: "framework.toml", line: 4, column: 3 } },
    ],
    location: { file: "framework.toml", line: 1, column: 2 },
  });
});

test("without [exposure] there is none, and with an empty one nothing is open", () => {
  assert.is(read("apps = []").exposure, undefined);
  for (const toml of ["[exposure]", "[exposure]\nopen = []", "exposure.open = []"]) {
    const { diagnostics, exposure } = read(toml);
    assert.equal(diagnostics, [], toml);
    assert.equal(exposure?.open, [], toml);
  }
});

test("an entry in another form is refused", () => {
  for (const entry of [
    "get /",
    "docs",
    "GET docs",
    "",
    "GET\t/docs ",
    "GET,POST /x",
    "/a b",
    "GET https://a.example/x",
  ]) {
    const { diagnostics, exposure } = readEntry(entry);
    const [found] = diagnostics;
    assert.match(
      found?.message ?? "",
      "`exposure.open` must be an array of routes as `routes list` prints them",
    );
    assert.is(found?.hint, 'Write it like this: open = ["GET /"]');
    assert.equal(found?.locations, [{ file: "framework.toml", line: 2, column: 9 }]);
    assert.equal(exposure?.open, []);
  }
});

test("a method that there is not is refused with those that there are", () => {
  for (const method of ["GTE", "ANY"]) {
    const [found] = readEntry(`${method} /`).diagnostics;
    assert.match(found?.message ?? "", `there is no method ${method}.`);
    assert.match(found?.hint ?? "", /^The methods are GET, .* and OPTIONS\.$/);
  }
});

test("what is wrong with the list itself is reported at its place", () => {
  const cases: readonly [toml: string, code: string, place: string, hint: string][] = [
    ['open = ["/a", "/b", "/a"]', "FW107", "2:21", "Remove one of the two."],
    ['open = "GET /docs"', "FW104", "2:8", 'Write it like this: open = ["GET /docs"]'],
    ["open = true", "FW104", "2:8", 'Write it like this: open = ["GET /"]'],
    ['open = ["/", 1]', "FW104", "2:14", 'Write it like this: open = ["GET /"]'],
    ['opne = ["/"]', "FW103", "2:1", "Did you mean `open`?"],
    ['public = ["/"]', "FW103", "2:1", "The settings here are open."],
    ['origins = ["/"]', "FW103", "2:1", "Write it below `[cors]`."],
  ];
  for (const [toml, code, place, hint] of cases) {
    const [found, ...others] = read(`[exposure]\n${toml}`).diagnostics;
    const [location] = found?.locations ?? [];
    assert.equal([found?.code, `${location?.line}:${location?.column}`, found?.hint], [code, place, hint]);
    assert.equal(others, [], toml);
  }
  const [found] = read('exposure = ["GET /"]').diagnostics;
  assert.is(found?.message, "`exposure` must be a table, but this is an array.");
});

test.run();
