import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import handlebars from "handlebars";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { fc } from "../runtime/fast-check.fixture.ts";
import { databaseEdits } from "./database-template.ts";
import type { PackageManager } from "./package-managers.ts";
import { escapeHandlebars, isLeftOut, type SampleApp, toView, type Values } from "./template.ts";

const TEMPLATE = fileURLToPath(new URL("../template", import.meta.url));

const VALUES: Values = {
  project: "shop",
  description: undefined,
  author: undefined,
  license: undefined,
  apps: [],
  bare: false,
  database: undefined,
  pm: "npm",
};

test("each line that a database changes is one of the template", () => {
  const read = (): string => "";
  for (const [file, edits] of Object.entries(databaseEdits({ database: "sqlite", pm: "npm", read })))
    for (const [line] of edits) assert.match(readFileSync(join(TEMPLATE, file), "utf8"), line);
});

test("Handlebars renders text that was escaped for it to the text itself", () => {
  const braces = fc.string({ unit: fc.constantFrom("{", " }", "\\", "a", "/") });
  fc.assert(
    fc.property(braces, (text) => {
      const render = handlebars.compile(escapeHandlebars(text), { noEscape: true });
      return render(toView(VALUES)) === text;
    }),
    { examples: [["{\\{{"]] },
  );
});

const LEFT_OUT: readonly [
  file: string,
  apps: readonly SampleApp[],
  pm: PackageManager,
  isLeftOut: boolean,
  bare?: boolean,
][] = [
  ["apps/users/views.ts", ["products"], "npm", true],
  ["tests/users.test.ts", ["products"], "npm", true],
  ["apps/products/views.ts", ["products"], "npm", false],
  ["tests/items.test.ts", [], "npm", false],
  ["routes/index.ts", [], "npm", false],
  [".yarnrc.yml", [], "npm", true],
  [".yarnrc.yml", [], "yarn", false],
  ["routes/index.ts", [], "npm", true, true],
  ["tests/items.test.ts", [], "npm", true, true],
  ["apps/users/app.toml", [], "npm", true, true],
  ["tests/app.test.ts", [], "npm", false, true],
  ["app.ts", [], "npm", false, true],
];

for (const [file, apps, pm, expected, bare = false] of LEFT_OUT) {
  const samples = bare ? "no samples" : apps.join() || "no sample apps";
  test(`${file} is ${expected ? "left out" : "there"} with ${samples} and ${pm}`, () => {
    assert.is(isLeftOut(file, { apps, bare, pm }), expected);
  });
}

test.run();
