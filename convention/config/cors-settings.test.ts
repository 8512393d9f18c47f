import { test } from "uvu";
import * as assert from "uvu/assert";
import { createFiles } from "../source/files.ts";
import { type Config, readConfig } from "./config.ts";

function read(toml: string): Config {
  return readConfig(createFiles("/nowhere", new Map([["framework.toml", toml]])));
}

/** `FW104 2:12` for each diagnostic. */
function summarize({ diagnostics }: Config): string {
  return diagnostics
    .map(({ code, locations: [place] }) => `${code} ${place?.line}:${place?.column}`)
    .join("; ");
}

test("every setting of [cors] is read, and what is not set has its default", () => {
  const all = read(`[cors]
origins = ["https://shop.example", "http://localhost:5173"]
credentials = true
max_age = 86400
expose = ["X-Total-Count", "etag"]`);
  assert.equal(all.diagnostics, []);
  assert.equal(all.cors, {
    origins: ["https://shop.example", "http://localhost:5173"],
    credentials: true,
    maxAge: 86_400,
    expose: ["X-Total-Count", "etag"],
  });
  const defaults = { credentials: false, maxAge: 600, expose: [] };
  assert.equal(read('[cors]\norigins = ["*"]').cors, { ...defaults, origins: ["*"] });
  assert.equal(read('cors.origins = ["*"]\ncors.max_age = 0').cors, {
    ...defaults,
    origins: ["*"],
    maxAge: 0,
  });
  assert.is(read("apps = []").cors, undefined);
});

test("an origin is what a browser sends", () => {
  const origins = [
    "https://shop.example",
    "http://localhost",
    "http://localhost:5173",
    "https://shop.example:8443",
    "http://shop.example:443",
    "https://xn--bcher-kva.example",
    "http://127.0.0.1:3000",
    "http://[::1]:3000",
    "capacitor://localhost",
    "chrome-extension://abcdefghijklmnop",
    "*",
  ];
  for (const origin of origins) {
    const { cors, diagnostics } = read(`[cors]\norigins = ["${origin}"]`);
    assert.equal(diagnostics, [], origin);
    assert.equal(cors?.origins, [origin]);
  }
});

test("an origin in another form is refused with the right one", () => {
  const cases: readonly [origin: string, right: string][] = [
    ["https://shop.example/", "https://shop.example"],
    ["https://shop.example/api/", "https://shop.example"],
    ["https://shop.example?a=1", "https://shop.example"],
    ["https://shop.example#a", "https://shop.example"],
    ["HTTPS://Shop.example", "https://shop.example"],
    ["https://shop.example:443", "https://shop.example"],
    ["http://shop.example:80/", "http://shop.example"],
    ["https:/shop.example", "https://shop.example"],
    ["https://bücher.example", "https://xn--bcher-kva.example"],
    ["https://me:secret@shop.example", "https://shop.example"],
    ["http://127.1:3000", "http://127.0.0.1:3000"],
    [" https://shop.example", "https://shop.example"],
  ];
  for (const [origin, right] of cases) {
    const { cors, diagnostics } = read(`[cors]\norigins = ["${origin}"]`);
    assert.is(
      diagnostics[0]?.message,
      `\`cors.origins\` can't list \`${origin}\`: browsers send it in another form.`,
    );
    assert.is(diagnostics[0]?.hint, `Did you mean \`${right}\`?`);
    assert.is(cors, undefined);
    assert.equal(read(`[cors]\norigins = ["${right}"]`).diagnostics, [], right);
  }
});

test("what no form could make an origin is refused with what to write", () => {
  const origins = [
    "null",
    "shop.example",
    "//shop.example",
    "localhost:5173",
    "[::1]:5173",
    "file:///home/me/index.html",
    "https://*.shop.example",
    "https://shop.example:*",
    "https://a.example, https://b.example",
    "https://a.example https://b.example",
    "https://a.example\\r\\nSet-Cookie: a=1",
    "",
    "https://",
    "https://shop.example:99999",
    "/shop\\\\.example$/",
    "https://\\u001b[31m",
  ];
  for (const origin of origins) {
    const config = read(`[cors]\norigins = ["${origin}"]`);
    assert.is(summarize(config), "FW104 2:12", origin);
    assert.match(config.diagnostics[0]?.message ?? "", /it is not an origin/);
    assert.match(config.diagnostics[0]?.hint ?? "", '"https://shop.example"');
  }
});

test("what is wrong in [cors] is reported at its place", () => {
  const cases: readonly [toml: string, expected: string][] = [
    ["", "FW104 1:2"],
    ["origins = []", "FW104 1:2"],
    ["credentials = true", "FW104 1:2"],
    ['origins = "https://shop.example"', "FW104 2:11"],
    ['origins = ["https://shop.example", 1]', "FW104 2:36"],
    ['origins = ["https://a.example", "https://b.example/"]', "FW104 2:33"],
    ['origins = ["https://a.example", "https://a.example"]', "FW107 2:33"],
    ['origins = ["https://a.example", "*"]', "FW104 2:33"],
    ['origins = ["*"]\ncredentials = true', "FW104 2:12"],
    ['origins = ["*"]\ncredentials = false', ""],
    ['origins = ["*"]\nexpose = ["*"]', ""],
    ['origins = ["https://a.example"]\ncredentials = true\nexpose = ["*"]', "FW104 4:11"],
    ['origins = ["*"]\nexpose = ["*", "X-A"]', "FW104 3:11"],
    ['origins = ["*"]\nexpose = ["X-A", "X-A"]', "FW107 3:18"],
    ['origins = ["*"]\nexpose = ["X A"]', "FW104 3:11"],
    ['origins = ["*"]\nexpose = ["X-A: 1"]', "FW104 3:11"],
    ['origins = ["*"]\nexpose = [""]', "FW104 3:11"],
    ['origins = ["*"]\nexpose = ["X\\r\\nSet-Cookie"]', "FW104 3:11"],
    ['origins = ["*"]\nexpose = "X-A"', "FW104 3:10"],
    ['origins = ["*"]\ncredentials = "true"', "FW104 3:15"],
    ['origins = ["*"]\nmax_age = -1', "FW104 3:11"],
    ['origins = ["*"]\nmax_age = 86401', "FW104 3:11"],
    ['origins = ["*"]\nmax_age = 600.5', "FW104 3:11"],
    ['origins = ["*"]\nmax_age = "10m"', "FW104 3:11"],
    ['origin = ["*"]', "FW103 2:1; FW104 1:2"],
    ['origins = ["*"]\nmethods = ["GET"]', "FW103 3:1"],
    ['origins = ["*"]\nport = 1', "FW103 3:1"],
    ['origins = ["*"]\napps = []', "FW103 3:1"],
  ];
  for (const [toml, expected] of cases) assert.is(summarize(read(`[cors]\n${toml}`)), expected, toml);
  assert.is(summarize(read("cors = true")), "FW104 1:8");
  assert.is(summarize(read('[[cors]]\norigins = ["*"]')), "FW104 1:3");
});

test("credentials with `*` are reported at both places", () => {
  const [found] = read('[cors]\ncredentials = true\norigins = ["*"]').diagnostics;
  assert.equal(
    found?.locations.map(({ line, column }) => [line, column]),
    [
      [3, 12],
      [2, 1],
    ],
  );
});

test("a hint shows the right form, and where a key belongs", () => {
  const cases: readonly [toml: string, hint: string][] = [
    ['[cors]\norigins = "https://a.example"', 'Write it like this: origins = ["https://a.example"]'],
    ["[cors]\norigins = true", 'Write it like this: origins = ["https://shop.example"]'],
    ['[cors]\norigins = ["*"]\nexpose = "ETag"', 'Write it like this: expose = ["ETag"]'],
    ['[cors]\norigins = ["*"]\nmax_age = "x"', "Write it like this: max_age = 600"],
    ['[cors]\norigins = ["*"]\nmaxAge = 1', "Did you mean `max_age`?"],
    ['[cors]\norigins = ["*"]\nport = 1', "Write it below `[server]`."],
    ['[cors]\norigins = ["*"]\nopen = []', "Write it below `[exposure]`."],
    ['[cors]\norigins = ["*"]\napps = []', "Write it above every `[table]`."],
    ['[server]\norigins = ["*"]', "Write it below `[cors]`."],
    ['origins = ["*"]', "Write it below `[cors]`."],
    ["[cros]", "Did you mean `cors`?"],
    ["cors = true", "Write it like this: [cors]"],
  ];
  for (const [toml, hint] of cases) assert.is(read(toml).diagnostics[0]?.hint, hint, toml);
});

test("in app.toml, a table of framework.toml is reported with its place", () => {
  const hints: readonly [toml: string, hint: string][] = [
    ['[app]\norigins = ["*"]', "Write it below `[cors]` in framework.toml."],
    ["[app]\nopen = []", "Write it below `[exposure]` in framework.toml."],
  ];
  for (const [toml, hint] of hints) {
    const files = { "framework.toml": 'apps = ["a"]', "apps/a/app.toml": toml, "apps/a/views.ts": "" };
    const { diagnostics } = readConfig(createFiles("/nowhere", new Map(Object.entries(files))));
    assert.is(diagnostics[0]?.hint, hint, toml);
  }
});

test.run();
