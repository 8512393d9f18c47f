/** docs/configuration.md names every key with what it takes and its default, and every variable that is read. */

import { readdirSync, readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";

import { DEFAULT_SETTINGS } from "#runtime/settings";
import { createFiles } from "../source/files.ts";
import { type Config, readConfig } from "./config.ts";

const repository = new URL("../../", import.meta.url);
const page = readFileSync(new URL("docs/configuration.md", repository), "utf8");

/** The cells of the table below a heading, without those of its own head. */
function readTable(heading: string): string[][] {
  const [, section = ""] = page.split(`\n${heading}\n`);
  const table = /^\|.*(?:\n\|.*)*/m.exec(section)?.[0] ?? "";
  const rows = table.split("\n").slice(2);
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The words that are set as code in the first cells. */
function namesOf(rows: readonly string[][]): string[] {
  return rows.flatMap(([first = ""]) => [...first.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
}

function read(toml: string, appToml = ""): Config {
  const files = { "framework.toml": toml, "apps/a/app.toml": appToml, "apps/a/views.ts": "" };
  return readConfig(createFiles("/nowhere", new Map(Object.entries(files))));
}

/** What the diagnostic about an unknown key says that there is. */
function knownKeys({ diagnostics }: Config): string[] {
  const [, keys = ""] = /^The settings? here (?:are|is) (.+)\.$/.exec(diagnostics[0]?.hint ?? "") ?? [];
  return keys.split(/, | and /);
}

const settings = readTable("### [server]");
const cors = readTable("### [cors]");
const exposure = readTable("### [exposure]");
const contract = readTable("### [contract]");
const build = readTable("### [build]");
const files = readTable("### [files]");
const dev = readTable("### [dev]");

test("the tables have the keys that there are, in their order", () => {
  assert.equal(namesOf(readTable("## framework.toml")), knownKeys(read('apps = ["a"]\nqqqqqq = 1')));
  assert.equal(namesOf(settings), knownKeys(read('apps = ["a"]\n[server]\nqqqqqq = 1')));
  assert.equal(namesOf(cors), knownKeys(read('apps = ["a"]\n[cors]\norigins = ["*"]\nqqqqqq = 1')));
  assert.equal(namesOf(exposure), knownKeys(read('apps = ["a"]\n[exposure]\nqqqqqq = 1')));
  assert.equal(namesOf(contract), knownKeys(read('apps = ["a"]\n[contract]\nqqqqqq = 1')));
  assert.equal(namesOf(build), knownKeys(read('apps = ["a"]\n[build]\nqqqqqq = 1')));
  assert.equal(namesOf(files), knownKeys(read('apps = ["a"]\n[files]\nqqqqqq = 1')));
  assert.equal(namesOf(dev), knownKeys(read('apps = ["a"]\n[dev]\nqqqqqq = 1')));
  assert.equal(namesOf(readTable("## app.toml")), knownKeys(read('apps = ["a"]', "[app]\nqqqqqq = 1")));
});

test("the defaults of the page, written into framework.toml, are the defaults", () => {
  const lines = settings.map(([key, , value]) => `${key} = ${value}`.replaceAll("`", ""));
  const { diagnostics, settings: given } = read(`apps = ["a"]\n[server]\n${lines.join("\n")}`);
  assert.equal(diagnostics, []);
  assert.equal(given, DEFAULT_SETTINGS);
  assert.is(lines.length, Object.keys(DEFAULT_SETTINGS).length);
});

test("the defaults of [cors], [exposure] and [build] are those of the page", () => {
  const [origins, ...others] = cors.map(([key, , value]) => `${key} = ${value}`.replaceAll("`", ""));
  assert.is(origins, "origins = required");
  const toml = 'apps = ["a"]\n[cors]\norigins = ["*"]';
  assert.equal(read(`${toml}\n${others.join("\n")}`).cors, read(toml).cors);
  const [open = []] = exposure;
  assert.equal([open[2], read('apps = ["a"]\n[exposure]').exposure?.open], ["`[]`", []]);
  assert.equal(
    build.map(([, , value]) => value),
    ["`[]`", "`[]`"],
  );
  assert.equal(read('apps = ["a"]\n[build]').build, { external: [], copy: [] });
});

const TABLES = Object.entries({ server: settings, cors, exposure, contract, build, files, dev });

for (const [table, rows] of TABLES) {
  for (const [key = "", takes = ""] of rows) {
    test(`${key} of [${table}] takes what the page says`, () => {
      const wrong = takes.includes("array") ? "true" : "[]";
      const { diagnostics } = read(`apps = ["a"]\n[${table}]\n${key.replaceAll("`", "")} = ${wrong}`);
      assert.match(diagnostics[0]?.message ?? "", `must be ${takes}, but`);
    });
  }
}

test("an app's name takes what the page says", () => {
  const [[, takes = ""] = []] = readTable("## app.toml");
  const { diagnostics } = read('apps = ["a"]', '[app]\nname = ""');
  assert.match(diagnostics[0]?.message ?? "", `must be ${takes}, but`);
});

test("the table of variables has all that the runtime reads", () => {
  const files = ["runtime", "convention", "toolchain"].flatMap((room) =>
    readdirSync(new URL(room, repository), { recursive: true, encoding: "utf8" }).map(
      (file) => `${room}/${file}`,
    ),
  );
  const sources = files.filter((file) => file.endsWith(".ts") && !/\.(?:test|fixture)\.ts$/.test(file));
  const read = new Set(
    sources.flatMap((file) => variablesOf(readFileSync(new URL(file, repository), "utf8"))),
  );
  assert.ok(read.has("PORT") && read.has("HOST"));
  assert.equal(namesOf(readTable("## The environment")).sort(), [...read].sort());
});

/** As in `process.env.PORT`, `env.CI` and `const { HOST, PORT } = environment`. */
function variablesOf(source: string): string[] {
  const members = [...source.matchAll(/\benv(?:ironment)?\??\.([A-Z][A-Z_]*)\b/g)].map(
    ([, name = ""]) => name,
  );
  const taken = [...source.matchAll(/\{([A-Z_, ]+)\} = env/g)].flatMap(([, names = ""]) => names.split(","));
  return [...members, ...taken.map((name) => name.trim())];
}

test.run();
