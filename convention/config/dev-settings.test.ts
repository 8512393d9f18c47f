import { test } from "uvu";
import * as assert from "uvu/assert";
import { createFiles } from "../source/files.ts";
import { type Config, readConfig } from "./config.ts";

function read(toml: string): Config {
  return readConfig(createFiles("/nowhere", new Map([["framework.toml", toml]])));
}

test("a host is a name as a browser shows it, or a dot before one", () => {
  const hosts = ["app.local", ".example.test", "My_Box", "xn--bcher-kva.test", "web"];
  const { dev, diagnostics } = read(`[dev]\nhosts = ${JSON.stringify(hosts)}`);
  assert.equal([dev, diagnostics], [{ hosts, watch: [] }, []]);
});

test("without [dev] there are no other hosts, and a file that can't be read does not say which", () => {
  assert.equal(read("apps = []").dev, { hosts: [], watch: [] });
  assert.is(read("apps = [").dev, undefined);
});

const EXAMPLE = 'Write it like this: hosts = ["app.local"]';
const WRONG = [
  "app.local:8000",
  "https://App.local/",
  "*.example.test",
  "app.local.",
  "*",
  "",
  ".",
  "a b",
  "bücher.test",
];
for (const host of WRONG) {
  test(`"${host}" is not a host name`, () => {
    const { dev, diagnostics } = read(`[dev]\nhosts = ["web", ${JSON.stringify(host)}]`);
    assert.equal(dev, { hosts: ["web"], watch: [] });
    assert.equal(
      diagnostics.map(({ code, hint }) => [code, hint]),
      [["FW104", EXAMPLE]],
    );
  });
}

test("a host that is listed twice, or is not in an array, is reported", () => {
  const codes = (value: string): string[] =>
    read(`[dev]\nhosts = ${value}`).diagnostics.map(({ code }) => code);
  assert.equal([codes('["web", "web"]'), codes('"web"'), codes("[1]")], [["FW107"], ["FW104"], ["FW104"]]);
});

test("files to watch are paths in the project, with * and **", () => {
  const watch = ["web/*.html", "mail/**/*.txt", "words.csv"];
  assert.equal(read(`[dev]\nwatch = ${JSON.stringify(watch)}`).dev, { hosts: [], watch });
  const wrong = ["/web/*.html", "../web/*.html", "./a.html", "web/", "web\\\\a.html", ""];
  for (const one of wrong) {
    const { dev, diagnostics } = read(`[dev]\nwatch = [${JSON.stringify(one)}]`);
    assert.equal([dev?.watch, diagnostics.map(({ code }) => code)], [[], ["FW104"]], one);
  }
});

test.run();
