/** Holds the layout of the house: who may import whom (Biome forbids cycles), and that every test file runs its tests, the same ones each time. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { CATALOGUE } from "#convention/diagnostics/catalogue";
import { COMMANDS } from "#toolchain/cli/commands";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * The rooms in layers, the lowest first: a file imports only from its own room and from rooms that stand before it. A room is a
 * folder, what is directly in it and not in a deeper room, or a single file of plain data that several rooms share.
 */
const LAYERS: readonly string[] = [
  "convention/deps/",
  "toolchain/docs-page/",
  "runtime/problem.ts",
  "runtime/settings.ts",
  "runtime/platform.ts",
  "runtime/worker.ts",
  "runtime/escape.ts",
  "runtime/routing/",
  "runtime/log/",
  "runtime/message/",
  "runtime/wire/",
  "runtime/files/",
  "runtime/hooks/",
  "runtime/node/",
  "runtime/",
  "runtime/database/engine/",
  "runtime/database/sqlite/",
  "runtime/database/postgres/",
  "runtime/database/",
  "runtime/database.ts",
  "convention/layout.ts",
  "convention/refusal.ts",
  "convention/pattern.ts",
  "convention/diagnostics/",
  "convention/source/",
  "convention/wire/",
  "convention/config/",
  "convention/rule/",
  "convention/explain/",
  "convention/",
  "convention/contract/",
  "generators/refused.ts",
  "generators/changes/",
  "generators/edit/",
  "generators/code/",
  "generators/target/",
  "generators/",
  "generators/migration/",
  "generators/resource/",
  "generators/database/",
  "toolchain/",
  "toolchain/load/",
  "toolchain/node20/",
  "toolchain/load/modules.ts",
  "toolchain/contract/",
  "toolchain/build/",
  "toolchain/start/",
  "toolchain/dev/",
  "toolchain/test.ts",
  "toolchain/uvu.ts",
  "toolchain/upgrade/",
  "toolchain/doctor/",
  "toolchain/cli/",
  "toolchain/cli/routes/",
  "toolchain/cli/generate/",
  "toolchain/cli/upgrade/",
  "toolchain/cli/dev/",
  "toolchain/cli/contract/",
  "create/",
];

/** Rooms that know nothing of those before them, but for what is named here. */
const ALONE: Readonly<Record<string, readonly string[]>> = {
  "runtime/": [],
  "toolchain/docs-page/": [],
  "convention/": ["runtime/"],
  "generators/": ["runtime/", "convention/"],
  "create/": ["runtime/escape.ts", "convention/diagnostics/system-error.ts"],
};

/**
 * The size of the house: lines of TypeScript in each room, without tests and fixtures (a file counts for its innermost room), codes and
 * commands. Each is what was there after the last issue; it only goes down until these numbers are reached: 5,500 lines in runtime
 * (7,500 with the features that come after) and 1,900 in runtime/database, 13,000 in convention, 11,500 in toolchain with cli and
 * docs-page, 4,000 in generators, 2,000 in create, 38,000 in all, and 120 codes. Whoever raises one says in the commit what a user gets
 * for it. `e2e/package.test.ts` holds the vendored files and the package.
 */
const SIZES: Readonly<Record<string, number>> = {
  "runtime/": 8511,
  "runtime/database/": 2909,
  "convention/": 18298,
  "toolchain/": 11125,
  "toolchain/cli/": 3299,
  "toolchain/docs-page/": 1809,
  "generators/": 5502,
  "create/": 3180,
  codes: 120,
  commands: 21,
};

const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s)?"([^"]+)"|import\("([^"]+)"\)/g;

const sources = ["runtime", "convention", "toolchain", "generators", "create"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => toPath(join(entry.parentPath, entry.name))),
);

const modules = sources.filter((file) => !file.endsWith(".test.ts"));

function toPath(file: string): string {
  return relative(root, file).split(sep).join("/");
}

/** Those that a file can't load without. What it imports only when it is needed, as a command's file, may be above it. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(IMPORT)].flatMap(([, specifier = ""]) => {
    if (specifier.startsWith("#")) return [`${specifier.slice(1)}.ts`];
    return specifier.startsWith(".") ? [toPath(resolve(root, dirname(file), specifier))] : [];
  });
}

/** The place of a file's innermost room among the layers; -1 for a file of another program. */
function layerOf(file: string): number {
  return LAYERS.indexOf(innermost(file, LAYERS) ?? "");
}

function innermost(file: string, rooms: readonly string[]): string | undefined {
  const around = rooms.filter((room) => file.startsWith(room));
  return around.sort((one, other) => other.length - one.length)[0];
}

/** The imports of all modules that a rule forbids, as sentences. */
function importsAgainst(isForbidden: (file: string, target: string) => boolean): string[] {
  return modules.flatMap((file) =>
    importsOf(file)
      .filter((target) => isForbidden(file, target))
      .map((target) => `${file} imports ${target}`),
  );
}

test("a room imports only from the rooms below it", () => {
  assert.equal(
    importsAgainst((file, target) => layerOf(target) > layerOf(file)),
    [],
  );
});

for (const [house, others] of Object.entries(ALONE)) {
  test(`${house} imports only ${["itself", ...others].join(", ")}`, () => {
    const known = [house, ...others];
    const wrong = importsAgainst(
      (file, target) => file.startsWith(house) && !known.some((place) => target.startsWith(place)),
    );
    assert.equal(wrong, []);
  });
}

test("the runtime loads nothing else by itself: one import() serves a project from its sources", () => {
  const dynamic = modules
    .filter((file) => file.startsWith("runtime/"))
    .flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/import\("(#[^"]+)"\)/g)].map(
        ([, target]) => `${file} imports ${target}`,
      ),
    );
  assert.equal(dynamic, ["runtime/source.ts imports #toolchain/load/load"]);
});

test("what answers requests touches no file and no package", () => {
  const allowed = new Set(["node:http", "node:net", "node:stream", "node:stream/web"]);
  const touching = [
    "runtime/database",
    "runtime/project-root.ts",
    "runtime/files/",
    "runtime/message/upload.ts",
  ];
  const foreign = modules
    .filter((file) => file.startsWith("runtime/") && !file.endsWith(".fixture.ts"))
    .filter((file) => !touching.some((place) => file.startsWith(place)))
    .flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(IMPORT)]
        .map(([, from, dynamic]) => from ?? dynamic ?? "")
        .filter((specifier) => !/^[.#]/.test(specifier) && !allowed.has(specifier))
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

test("the house does not grow: lines in each room, codes, commands", () => {
  const sizes: Record<string, number> = Object.fromEntries(Object.keys(SIZES).map((name) => [name, 0]));
  for (const file of modules.filter((name) => !name.endsWith(".fixture.ts"))) {
    const room = innermost(file, Object.keys(SIZES)) ?? file;
    sizes[room] = (sizes[room] ?? 0) + readFileSync(join(root, file), "utf8").trimEnd().split("\n").length;
  }
  sizes.codes = Object.keys(CATALOGUE).length;
  sizes.commands = Object.keys(COMMANDS).length;
  const grown = Object.keys(sizes).filter((name) => (sizes[name] ?? 0) > (SIZES[name] ?? 0));
  assert.equal(grown, [], formatSizes(sizes));
});

test("no file has more than 400 lines", () => {
  const long = modules
    .filter((file) => !file.endsWith(".fixture.ts"))
    .filter((file) => readFileSync(join(root, file), "utf8").trimEnd().split("\n").length > 400);
  assert.equal(long, []);
});

function formatSizes(sizes: Readonly<Record<string, number>>): string {
  const rows = Object.entries(sizes).map(([name, size]) => `  ${name}: ${size}, at most ${SIZES[name]}`);
  return ["The house has grown:", ...rows].join("\n");
}

test.run();
