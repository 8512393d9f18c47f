/** Holds the layout of the house: who may import whom (Biome forbids cycles), and that every test file runs its tests, the same ones each time. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A room, and the rooms that its files may import. The files directly in `runtime/` are the public doors. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "runtime/core": [],
  "runtime/deps": [],
  "runtime/convention": ["runtime/core", "runtime/deps"],
  "runtime/toolchain": ["runtime/core", "runtime/convention", "runtime/deps", "runtime"],
  runtime: ["runtime/core", "runtime/toolchain"],
  generators: ["runtime/core", "runtime/convention", "runtime/deps"],
  "runtime/cli": ["runtime/core", "runtime/convention", "runtime/toolchain", "runtime/deps", "generators"],
  "generators/project": [],
};

const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s)?"([^"]+)"|import\("([^"]+)"\)/g;

const sources = ["runtime", "generators"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => toPath(join(entry.parentPath, entry.name))),
);

const modules = sources.filter((file) => !file.endsWith(".test.ts"));

function toPath(file: string): string {
  return relative(root, file).split(sep).join("/");
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(IMPORT)].flatMap(([, from, dynamic]) => {
    const specifier = from ?? dynamic ?? "";
    if (specifier.startsWith("#")) return [`${specifier.slice(1)}.ts`];
    return specifier.startsWith(".") ? [toPath(resolve(root, dirname(file), specifier))] : [];
  });
}

/** The innermost room that a file stands in. */
function roomOf(file: string): string {
  const rooms = Object.keys(MAY_IMPORT).filter((room) => file.startsWith(`${room}/`));
  return rooms.sort((a, b) => b.length - a.length)[0] ?? "";
}

test("a room imports only the rooms it may", () => {
  const wrong = modules.flatMap((file) =>
    importsOf(file)
      .filter((target) => roomOf(target) !== roomOf(file))
      .filter((target) => !MAY_IMPORT[roomOf(file)]?.includes(roomOf(target)))
      .map((target) => `${file} imports ${target}`),
  );
  assert.equal(wrong, []);
});

test("core touches no file and no package", () => {
  const allowed = new Set(["node:http", "node:net", "node:stream", "node:stream/web"]);
  const foreign = modules
    .filter((file) => roomOf(file) === "runtime/core")
    .flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(IMPORT)]
        .map(([, from, dynamic]) => from ?? dynamic ?? "")
        .filter((specifier) => !specifier.startsWith(".") && !allowed.has(specifier))
        .map((specifier) => `${file} imports ${specifier}`),
    );
  assert.equal(foreign, []);
});

test("every test file runs its tests: uvu passes over one that does not", () => {
  const silent = sources.filter(
    (file) => file.endsWith(".test.ts") && !/\.run\(\)/.test(readFileSync(join(root, file), "utf8")),
  );
  assert.equal(silent, []);
});

test("examples at random come from where their seed is set, so that no test fails by chance", () => {
  const direct = sources.filter((file) =>
    /^import .* from "fast-check";$/m.test(readFileSync(join(root, file), "utf8")),
  );
  assert.equal(direct, ["runtime/fast-check.fixture.ts"]);
});

test.run();
