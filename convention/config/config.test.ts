import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { findProjectRoot } from "#runtime/project-root";
import { DEFAULT_SETTINGS } from "#runtime/settings";
import { createFiles } from "../source/files.ts";
import { type Config, readConfig } from "./config.ts";
import { parseSize } from "./settings.ts";

const APP = { "apps/a/app.toml": "", "apps/a/views.ts": "" };

function read(toml: string, others: Readonly<Record<string, string>> = APP): Config {
  return readConfig(createFiles("/nowhere", new Map(Object.entries({ "framework.toml": toml, ...others }))));
}

/** `FW103 2:1` for each diagnostic; the file too where it is not framework.toml. */
function summarize({ diagnostics }: Config): string {
  return diagnostics
    .map(({ code, locations: [location] }) => {
      const file = location?.file === "framework.toml" ? "" : `${location?.file}:`;
      return `${code} ${file}${location?.line}:${location?.column}`;
    })
    .join("; ");
}

test("every setting of [server] is read, and what is not set has its default", () => {
  const { settings, diagnostics } = read(`
apps = ["a"]
[server]
host = "0.0.0.0"
port = 3000
body_limit = "512 KiB"
headers_timeout = 5
request_timeout = 30.5
handler_timeout = 0
keep_alive_timeout = 10
shutdown_timeout = 20
health = "/internal/healthz"
access_log = true
docs = true
compression = true
decompress = true
etag = true
trust_proxy = ["10.0.0.0/8", "::1", "loopback"]
`);
  assert.equal(diagnostics, []);
  assert.equal(settings, {
    host: "0.0.0.0",
    port: 3000,
    bodyLimit: 512 * 1024,
    headersTimeout: 5,
    requestTimeout: 30.5,
    handlerTimeout: 0,
    keepAliveTimeout: 10,
    shutdownTimeout: 20,
    health: "/internal/healthz",
    accessLog: true,
    docs: true,
    compression: true,
    decompress: true,
    etag: true,
    trustProxy: ["10.0.0.0/8", "::1", "loopback"],
  });
  assert.equal(read('apps = ["a"]').settings, DEFAULT_SETTINGS);
  assert.equal(read('apps = ["a"]\nserver = { port = 1 }').settings, { ...DEFAULT_SETTINGS, port: 1 });
  assert.equal(read('apps = ["a"]\nserver.port = 1').settings, { ...DEFAULT_SETTINGS, port: 1 });
});

test("a request timeout below the default headers timeout takes it along", () => {
  const { settings, diagnostics } = read("[server]\nrequest_timeout = 5", {});
  assert.equal(diagnostics, []);
  assert.is(settings.headersTimeout, 5);
});

test("apps come in the order of framework.toml, with the prefix of app.toml or their name", () => {
  const { apps, diagnostics } = read('apps = ["shop", "a", "root", "slash"]', {
    ...APP,
    "apps/shop/app.toml": '[app]\nprefix = "/api/v1/shop"',
    "apps/shop/views.ts": "",
    "apps/root/app.toml": 'app = { prefix = "" }',
    "apps/root/views.ts": "",
    "apps/slash/app.toml": "app.prefix = '/'",
    "apps/slash/views.ts": "",
  });
  assert.equal(diagnostics, []);
  assert.equal(
    apps.map(({ name, folder, prefix }) => [name, folder, prefix]),
    [
      ["shop", "apps/shop", "/api/v1/shop"],
      ["a", "apps/a", "/a"],
      ["root", "apps/root", ""],
      ["slash", "apps/slash", ""],
    ],
  );
  assert.equal(apps[0]?.location, { file: "framework.toml", line: 1, column: 9 });
});

test("an app's label is the name in app.toml, or else its folder's", () => {
  const cases: [toml: string, label: string][] = [
    ["", "a"],
    ["[app]", "a"],
    ['[app]\nprefix = "/x"', "a"],
    ['[app]\nname = "a"', "a"],
    ['[app]\nname = "Orders & returns"', "Orders & returns"],
    ["[app]\nname = '  Orders '", "Orders"],
    ['[app]\nname = "注文 📦"', "注文 📦"],
    ['app.name = "Orders"', "Orders"],
    [`[app]\nname = "${"📦".repeat(100)}"`, "📦".repeat(100)],
  ];
  for (const [toml, label] of cases) {
    const { apps, diagnostics } = read('apps = ["a"]', { ...APP, "apps/a/app.toml": toml });
    assert.equal(diagnostics, [], toml);
    assert.equal([apps[0]?.name, apps[0]?.label], ["a", label], toml);
  }
});

test("two apps may have the same label, since their folders tell them apart", () => {
  const { apps, diagnostics } = read('apps = ["a", "b"]', {
    ...APP,
    "apps/a/app.toml": '[app]\nname = "Orders"',
    "apps/b/app.toml": '[app]\nname = "Orders"',
    "apps/b/views.ts": "",
  });
  assert.equal(diagnostics, []);
  assert.equal(
    apps.map(({ label }) => label),
    ["Orders", "Orders"],
  );
});

test("what is wrong in framework.toml is told with its line and column", () => {
  const cases: [toml: string, expected: string][] = [
    ["", "FW112 apps/a/app.toml:1:1"],
    ['apps = ["a"]\n', ""],
    ["apps = [", "FW102 1:9"],
    ['apps = ["a"', "FW102 1:12"],
    ["apps = ", "FW102 1:8"],
    ["apps = \n", "FW102 1:8"],
    ['apps = ["a"\r\n', "FW102 1:12"],
    ["apps", "FW102 1:5"],
    ['apps = ["a"]\napps = ["a"]', "FW102 2:1"],
    ['apps = ["a"]\n[server\nport = 1', "FW102 2:8"],
    ["apps =\n[server]", "FW102 1:7"],
    ['apps = ["a"]\n[server]\n[server]', "FW102 3:2"],
    ['apps = "a', "FW102 1:10"],
    ["apps = [1979-13-01]", "FW102 1:18"],
    ["a = \u0000", "FW102 1:5"],
    ["a = \x1b[31m", "FW102 1:5"],
    [`a = ${"[".repeat(5000)}`, "FW102 1:5005"],
    ["x".repeat(70_000), "FW102 1:1"],
    ['app = ["a"]', "FW103 1:1; FW112 apps/a/app.toml:1:1"],
    ['apps = ["a"]\n[sever]\nport = 1', "FW103 2:2"],
    ['apps = ["a"]\n[server]\nprot = 1', "FW103 3:1"],
    ['apps = ["a"]\n[server]\naccess_log = "true"', "FW104 3:14"],
    ['apps = ["a"]\nserver.prot = 1', "FW103 2:8"],
    ['apps = ["a"]\n[server]\ntrust_proxy = "loopback"', "FW104 3:15"],
    ['apps = ["a"]\n[server]\ntrust_proxy = ["10.0.0.0/33"]', "FW104 3:15"],
    ['apps = ["a"]\n[server]\ntrust_proxy = ["nginx"]', "FW104 3:15"],
    ['apps = ["a"]\n[server]\ntrust_proxy = ["::/0", 1]', "FW104 3:15"],
    ['apps = ["a"]\n[server]\ntrust_proxy = -1', "FW104 3:15"],
    ['apps = ["a"]\n[server.port]\nx = 1', "FW104 2:9"],
    ['apps = ["a"]\n[[server]]\nport = 1', "FW104 2:3"],
    ['apps = ["a"]\nserver = 1', "FW104 2:10"],
    ["apps = 'a'", "FW104 1:8; FW112 apps/a/app.toml:1:1"],
    ["apps = { a = 1 }", "FW104 1:8; FW112 apps/a/app.toml:1:1"],
    ['apps = ["a", 1]', "FW104 1:14"],
    ['apps = [["a"]]', "FW104 1:9; FW112 apps/a/app.toml:1:1"],
    ['apps = ["a", "a"]', "FW107 1:14"],
    ['apps = ["a", "b"]', "FW109 1:14"],
    ['apps = ["a", "../a"]', "FW104 1:14"],
    ['apps = ["a", "a/b"]', "FW104 1:14"],
    ['apps = ["a", ""]', "FW104 1:14"],
    ['apps = ["a", "."]', "FW104 1:14"],
    ['apps = ["a", "my app"]', "FW104 1:14"],
    ['apps = ["a", "-x"]', "FW104 1:14"],
    ['apps = ["a", "_x"]', "FW104 1:14"],
    ['apps = ["a", "caf\u00e9"]', "FW104 1:14"],
    ['apps = ["a", "\\u001b[31m"]', "FW104 1:14"],
    ['apps = ["a", "__proto__"]', "FW104 1:14"],
    ['apps = ["a", "constructor"]', "FW109 1:14"],
    ['apps = ["a", "node_modules"]', "FW104 1:14"],
    ['apps = ["a", "dist"]', "FW104 1:14"],
    ['apps = ["a", "DIST"]', "FW104 1:14"],
    ['apps = ["a", "con"]', "FW104 1:14"],
    ['apps = ["a", "Lpt1"]', "FW104 1:14"],
    [`apps = ["a", "${"x".repeat(101)}"]`, "FW104 1:14"],
    ['apps = ["a", "vendor"]', "FW109 1:14"],
    ['apps = ["a", "console"]', "FW109 1:14"],
    ['apps = ["A"]', "FW109 1:9; FW112 apps/a/app.toml:1:1"],
    ['\ufeffapps = ["a"]', ""],
    ['apps = ["a"]\r\n[server]\r\nport = "x"\r\n', "FW104 3:8"],
  ];
  for (const [toml, expected] of cases) assert.is(summarize(read(toml)), expected, toml.slice(0, 80));
});

test("a bracket or a value that is missing at the end of a line is told there", () => {
  const cases: [toml: string, why: string][] = [
    ["[server", "the `]` is missing"],
    ["[server\nport = 1", "the `]` is missing"],
    ["apps = []\n[server\nport = 1", "the `]` is missing"],
    ["apps =\n[server]", "the value is missing"],
  ];
  for (const [toml, why] of cases)
    assert.is(read(toml).diagnostics[0]?.message, `This is not TOML: ${why}.`, toml);
});

test("a key below the wrong table's name is told where it belongs", () => {
  const hints: [toml: string, hint: RegExp][] = [
    ['[server]\nport = 1\napps = ["a"]', /above every `\[table\]`/],
    ['apps = ["a"]\nport = 1', /below `\[server\]`/],
    ['[server]\nport = 1\n[apps]\nnames = ["a"]', /apps = \["products"\], above every `\[table\]`/],
    ['[server]\nport = 1\n[[apps]]\nname = "a"', /apps = \["products"\], above every `\[table\]`/],
  ];
  for (const [toml, hint] of hints) assert.match(read(toml).diagnostics[0]?.hint ?? "", hint);
});

test("a name that can't be an app's is told with the reason", () => {
  const reasons: [name: string, said: string][] = [
    ["my app", "letters, digits"],
    [".x", "letters, digits"],
    ["node_modules", "does not erase types"],
    ["dist", ".gitignore"],
    ["aux", "Windows"],
    ["x".repeat(101), "100 characters"],
  ];
  for (const [name, said] of reasons) {
    const [found] = read(`apps = ["a", "${name}"]`).diagnostics;
    assert.ok(`${found?.message} ${found?.hint}`.includes(said), `${found?.message} ${found?.hint}`);
  }
});

test("a setting of a wrong type or out of range is told at its value", () => {
  const values: [setting: string, ...values: string[]][] = [
    [
      "port",
      '"8000"',
      "-1",
      "65536",
      "80.5",
      "true",
      "[1]",
      "{ a = 1 }",
      "1979-05-27",
      "nan",
      "99999999999999999999",
    ],
    ["host", "1", '""', '"a b"', '"localhost:8000"', '"http://x"', '"a\\u001bb"', "false", '["a"]'],
    [
      "body_limit",
      "-1",
      "1.5",
      '"1 XiB"',
      '"MiB"',
      '"-1 MiB"',
      '"1.5 B"',
      '""',
      '"9999999999 GiB"',
      "true",
      '"1e6"',
    ],
    ["headers_timeout", "0", "-5", '"15"', "inf", "nan", "3000000", "true"],
    ["request_timeout", "0", '"60 s"'],
    ["keep_alive_timeout", "-1"],
    ["handler_timeout", "-1", "inf", '"0"', "3000000"],
    ["health", "1", '"healthz"', '"/"', '"/a/"', '"/a//b"', '"/a/.."', '"/%61"', '"/a?b"', '"/a b"'],
    ["shutdown_timeout", "-0.5", "1979-05-27"],
  ];
  for (const [setting, ...bad] of values) {
    for (const value of bad) {
      const config = read(`[server]\n${setting} = ${value}`, {});
      assert.match(summarize(config), new RegExp(`^FW104 2:${setting.length + 4}$`), `${setting} = ${value}`);
      assert.equal(config.settings, DEFAULT_SETTINGS);
    }
  }
  assert.is(summarize(read("[server]\nrequest_timeout = 10\nheaders_timeout = 20", {})), "FW104 3:19");
});

test("hosts and ports that can be used are taken", () => {
  for (const host of [
    "localhost",
    "0.0.0.0",
    "::",
    "::1",
    "[::1]",
    "fe80::1%eth0",
    "my-host.example.org",
    "::ffff:127.0.0.1",
  ]) {
    assert.is(summarize(read(`[server]\nhost = "${host}"`, {})), "", host);
  }
  for (const port of ["0", "1", "65535", "0x1F90", "8_000"])
    assert.is(summarize(read(`[server]\nport = ${port}`, {})), "", port);
});

test("what is wrong with a health path is among what is told", () => {
  const wrong = ['"healthz"', '"/products/"', '"/up?now"'];
  const told = / a path of letters, digits, .* without a slash at its end/;
  for (const value of wrong)
    assert.match(read(`[server]\nhealth = ${value}`).diagnostics[0]?.message ?? "", told);
});

test("a health path that is empty is none", () => {
  const { settings, diagnostics } = read('[server]\nhealth = ""', {});
  assert.equal(diagnostics, []);
  assert.is(settings.health, "");
});

test("a size is a number of bytes with or without a unit", () => {
  const cases: [string, number | undefined][] = [
    ["0", 0],
    ["100", 100],
    ["100 B", 100],
    ["1 KiB", 1024],
    ["1kib", 1024],
    ["10MB", 10_000_000],
    ["1.5 MiB", 1_572_864],
    ["2 GiB", 2_147_483_648],
    ["1 TB", undefined],
    ["1,5 MiB", undefined],
    ["one", undefined],
    ["0.1 B", undefined],
    ["constructor", undefined],
  ];
  for (const [text, bytes] of cases) assert.is(parseSize(text), bytes, text);
});

test("what is wrong in app.toml is told with its line and column", () => {
  const cases: [toml: string, expected: string][] = [
    ['[app]\nprefix = "/a"', ""],
    ["[app]\nprefix = ", "FW102 2:10"],
    ["[app]\n[app]", "FW102 2:2"],
    ["[app", "FW102 1:5"],
    ["[app\n", "FW102 1:5"],
    ['[App]\nprefix = "/b"', "FW103 1:2"],
    ['[apps]\nprefix = "/b"', "FW103 1:2"],
    ['[app]\nprefx = "/b"', "FW103 2:1"],
    ['[app]\nlabel = "B"', "FW103 2:1"],
    ["[app]\nport = 1", "FW103 2:1"],
    ["[app.server]\nport = 1", "FW103 1:6"],
    ['prefx = "/b"', "FW103 1:1"],
    ['app = "x"', "FW104 1:7"],
    ['app = ["x"]', "FW104 1:7"],
    ['[[app]]\nprefix = "/b"', "FW104 1:3"],
    ["[app]\nprefix = 1", "FW104 2:10"],
    ['[app]\nprefix = ["/b"]', "FW104 2:10"],
    ['[app.prefix]\nx = "/b"', "FW104 1:6"],
    ["[app]\nname = 1", "FW104 2:8"],
    ['[app]\nname = ["b"]', "FW104 2:8"],
    ["[app.name]", "FW104 1:6"],
    ['[app]\nname = ""', "FW104 2:8"],
    ['[app]\nname = " \\t\u3000"', "FW104 2:8"],
    ['[app]\nname = "B\\nC"', "FW104 2:8"],
    ['[app]\nname = "\\u001b[31mB"', "FW104 2:8"],
    ['[app]\nname = "B\\u009b2J"', "FW104 2:8"],
    ['[app]\nname = "B\\u2028C"', "FW104 2:8"],
    [`[app]\nname = "${"b".repeat(101)}"`, "FW104 2:8"],
    ['[app]\nprefix = "b"', "FW104 2:10"],
    ['[app]\nprefix = "/b/"', "FW104 2:10"],
    ['[app]\nprefix = "/a//b"', "FW104 2:10"],
    ['[app]\nprefix = "/a b"', "FW104 2:10"],
    ['[app]\nprefix = "/<id>"', "FW104 2:10"],
    ['[app]\nprefix = "/a/.."', "FW104 2:10"],
    ['[app]\nprefix = "/%61"', "FW104 2:10"],
    ['prefix = "/b"', "FW103 1:1"],
    ["prefix = 7", "FW103 1:1"],
    ['name = "B"', "FW103 1:1"],
    ['# ours\r\nprefix = "/b"\r\n\r\nname = "B"\r\n', "FW103 2:1; FW103 4:1"],
    ['prefix = "/b"\n[app]\nprefix = "/a"', "FW103 1:1"],
    ['prefix = "/b"\nprefx = "/b"', "FW103 1:1; FW103 2:1"],
    ['[prefix]\nx = "/b"', "FW103 1:2"],
  ];
  for (const [toml, expected] of cases) {
    const config = read('apps = ["a"]', { ...APP, "apps/a/app.toml": toml });
    assert.is(summarize(config).replaceAll("apps/a/app.toml:", ""), expected, toml);
    assert.equal([config.apps[0]?.label, config.apps[0]?.prefix], ["a", "/a"], toml);
  }
});

test("did-you-mean is given for the table of app.toml and for its keys, wherever they are", () => {
  const cases: [toml: string, hint: string][] = [
    ["[App]", "Did you mean `app`?"],
    ["[apps]", "Did you mean `app`?"],
    ['[app]\nperfix = "/b"', "Did you mean `prefix`?"],
    ["[app]\nzzz = 1", "The settings here are name and prefix."],
    ["[zzz]", "The settings here are app."],
    ['prefix = "/b"', "Write it below `[app]`."],
    ["[app]\nport = 1", "Write it below `[server]` in framework.toml."],
    ["port = 1", "Write it below `[server]` in framework.toml."],
    ['app = "x"', "Write it like this: [app]"],
    ["[app]\nname = 1", 'Write it like this: name = "Orders"'],
    ['[app]\nname = ""', 'Write it like this: name = "Orders"'],
    ["[app]\nprefix = 1", 'Write it like this: prefix = "/orders"'],
  ];
  for (const [toml, hint] of cases) {
    const { diagnostics } = read('apps = ["a"]', { ...APP, "apps/a/app.toml": toml });
    assert.is(diagnostics[0]?.hint, hint, toml);
  }
});

test("[build] external lists packages by their names, each once", () => {
  const names = ["sharp", "@scope/a.b", "./lib/a.ts", "sharp/lib", "node:fs", "sharp"];
  const config = read(`apps = ["a"]\n[build]\nexternal = ${JSON.stringify(names)}`, APP);
  assert.equal(
    config.build?.external.map(({ value }) => value),
    ["sharp", "@scope/a.b"],
  );
  assert.is(summarize(config), "FW104 3:34; FW104 3:47; FW104 3:59; FW107 3:69");
});

test("[build] copy lists paths below the project's folder, and nothing that a build or a package manager makes", () => {
  const paths = ["public", "./web/*.html", "words/", "../x", "/x", "a\\\\b", ".", "dist", "node_modules/a"];
  const config = read(`apps = ["a"]\n[build]\ncopy = [${paths.map((path) => `"${path}"`).join(", ")}]`, APP);
  assert.equal(
    config.build?.copy.map(({ value }) => value),
    ["public", "web/*.html", "words"],
  );
  assert.is(config.diagnostics.length, 6);
});

test("a missing app.toml is told at the app's place in the list", () => {
  assert.is(summarize(read('apps = ["a"]', { "apps/a/views.ts": "" })), "FW109 1:9");
});

test("a file that is nearly called app.toml may be meant by it, and others may not", () => {
  const hints: [file: string, hint: RegExp][] = [
    ["apps.toml", /^Did you mean apps\/a\/apps\.toml\? Rename it to app\.toml\.$/],
    ["ap.toml/x", /^Create apps\/a\/app\.toml\. It may be empty/],
    ["notes.md", /^Create apps\/a\/app\.toml\. It may be empty/],
  ];
  for (const [file, hint] of hints) {
    const [found] = read('apps = ["a"]', { "apps/a/views.ts": "", [`apps/a/${file}`]: "" }).diagnostics;
    assert.match(found?.hint ?? "", hint, file);
  }
});

test("did-you-mean is given for keys and for apps whose folder is named otherwise", () => {
  const cases: [string, string][] = [
    ["[server]\nprot = 1", "Did you mean `port`?"],
    ["[server]\nbodyLimit = 1", "Did you mean `body_limit`?"],
    ["[sever]", "Did you mean `server`?"],
    ["[server]\nzzz = 1", "The settings here are host, port"],
    ['apps = ["prodcuts"]', "Did you mean `products`?"],
    ['apps = ["orders"]', "framework generate app orders"],
  ];
  for (const [toml, hint] of cases) {
    const { diagnostics } = read(toml, { "apps/products/app.toml": "", "apps/products/views.ts": "" });
    assert.match(diagnostics.find(({ severity }) => severity === "error")?.hint ?? "", hint, toml);
  }
});

test("folders of apps/ that are no apps, or hidden, are not missed on the list", () => {
  const others = {
    "apps/README.md": "",
    "apps/shared/lib.ts": "",
    "apps/_old/views.ts": "",
    "apps/.x/app.toml": "",
  };
  assert.is(summarize(read("apps = []", others)), "");
});

test("without framework.toml that is all that is told", () => {
  const config = readConfig(createFiles("/nowhere"));
  assert.is(summarize(config), "FW101 1:1");
  assert.equal(config.apps, []);
});

test("the project root is the nearest folder upwards that holds framework.toml", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "framework-config-")));
  try {
    mkdirSync(join(folder, "project", "apps", "deep"), { recursive: true });
    assert.is(findProjectRoot(join(folder, "project")), undefined);
    writeFileSync(join(folder, "project", "framework.toml"), "");
    assert.is(findProjectRoot(join(folder, "project", "apps", "deep")), join(folder, "project"));
    assert.is(findProjectRoot(join(folder, "project")), join(folder, "project"));
    assert.is(findProjectRoot(folder), undefined);
    assert.is(findProjectRoot(join(folder, "missing")), undefined);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
