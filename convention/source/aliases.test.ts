import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createFolder } from "../folder.fixture.ts";
import { createAliases } from "./aliases.ts";

const IMPORTS = {
  "#*": "./*",
  "#lib/*": "./library/*",
  "#lib/*.css": "./styles/*.css",
  "#auth": "./lib/auth.ts",
  "#twice/*": "./*/*.ts",
  "#private/*": null,
  "#conditions": { browser: "./browser.ts", node: "./node.ts", default: "./other.ts" },
  "#nested": { import: { browser: "./browser.ts", default: "./import.ts" }, require: "./require.cjs" },
  "#nothing": { browser: "./browser.ts" },
  "#closed": { node: null, default: "./other.ts" },
  "#types": { types: "./types.d.ts", default: "./types.js" },
  "#list": ["../outside.ts", "./first.ts", "./second.ts"],
  "#package": "undici",
  "#builtin": "node:fs",
  "#outside": "./../outside.ts",
  "#installed": "./node_modules/x/index.js",
  "#number": 7,
  "#empty": {},
};

/** Resolves a specifier to a path in the project, or undefined. */
const CASES: readonly (readonly [specifier: string, path: string | undefined])[] = [
  ["#app.ts", "app.ts"],
  ["#apps/users/db.ts", "apps/users/db.ts"],
  ["#lib/auth.ts", "library/auth.ts"],
  ["#lib/a.css", "styles/a.css"],
  ["#lib/a/b.css", "styles/a/b.css"],
  ["#lib", "lib"],
  ["#lib/", undefined],
  ["#auth", "lib/auth.ts"],
  ["#twice/a", "a/a.ts"],
  ["#private/a.ts", undefined],
  ["#conditions", "node.ts"],
  ["#nested", "import.ts"],
  ["#nothing", undefined],
  ["#closed", undefined],
  ["#types", "types.js"],
  ["#list", "first.ts"],
  ["#package", undefined],
  ["#builtin", undefined],
  ["#outside", undefined],
  ["#installed", undefined],
  ["#number", undefined],
  ["#empty", undefined],
  ["#../app.ts", undefined],
  ["#a/../app.ts", undefined],
  ["#a/node_modules/b.ts", undefined],
  ["#", undefined],
];

test("an alias leads where Node says that it leads", () => {
  const root = createFolder({
    "package.json": JSON.stringify({ type: "module", imports: IMPORTS }),
    "routes/deep/ask.js": `for (const specifier of ${JSON.stringify(CASES.map(([specifier]) => specifier))}) {
  try { console.log(import.meta.resolve(specifier)); } catch { console.log("none"); }
}`,
  });
  try {
    const answers = execFileSync(process.execPath, ["--no-warnings", join(root, "routes/deep/ask.js")], {
      encoding: "utf8",
    }).split("\n");
    const { find } = createAliases((file) =>
      file === "package.json" ? JSON.stringify({ imports: IMPORTS }) : undefined,
    );
    for (const [index, [specifier, path]] of CASES.entries()) {
      const answer = answers[index] ?? "";
      const isOurs = answer.startsWith("file:") && !answer.includes("/node_modules/");
      assert.is(find("routes/deep/ask.js", specifier), path, specifier);
      assert.is(isOurs ? fileURLToPath(answer) : undefined, path && join(root, path), `Node: ${specifier}`);
    }
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("a type checker sees the condition `types`", () => {
  const { find } = createAliases(() => JSON.stringify({ imports: IMPORTS }));
  assert.is(find("app.ts", "#types", true), "types.d.ts");
});

test("the nearest package.json counts, and one that is no JSON has no aliases", () => {
  const files: Record<string, string> = {
    "/shop/package.json": '\ufeff{"imports":{"#*":"./*"}}',
    "/shop/apps/users/package.json": '{"imports":{"#db":"./db.ts"}}',
    "/shop/apps/broken/package.json": "{",
    "/shop/apps/list/package.json": "[]",
  };
  const { find } = createAliases((file) => files[file]);
  assert.is(find("/shop/apps/shop/views.ts", "#db"), "/shop/db");
  assert.is(find("/shop/apps/users/views.ts", "#db"), "/shop/apps/users/db.ts");
  assert.is(find("/shop/apps/users/views.ts", "#lib/a.ts"), undefined);
  assert.is(find("/shop/apps/broken/views.ts", "#db"), undefined);
  assert.is(find("/shop/apps/list/views.ts", "#db"), undefined);
  assert.is(find("/elsewhere/views.ts", "#db"), undefined);
});

test.run();
