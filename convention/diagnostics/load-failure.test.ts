import { test } from "uvu";
import * as assert from "uvu/assert";
import { diagnose } from "./catalogue.ts";

const FAILED: [why: string, hint: string | null][] = [
  ["Error: There is no price list", null],
  [
    "Error: Cannot find module '/shop/apps/products/prices' imported from /shop/apps/products/views.ts",
    "Name the file with its ending: `prices.ts`.",
  ],
  [
    "Error: Cannot find module 'C:\\shop\\prices.v2' imported from C:\\shop\\views.ts",
    "Name the file with its ending: `prices.v2.ts`.",
  ],
  [
    "Error: Cannot find module '/shop/prices.js' imported from /shop/views.ts",
    "Name the file with its ending: `prices.ts`.",
  ],
  [
    "Error: Cannot find module '/shop/prices.ts' imported from /shop/views.ts",
    "Check the path and the case of its letters: there is no such file.",
  ],
  [
    "Error: Directory import '/shop/prices' is not supported resolving ES modules imported from /shop/views.ts",
    "Name the file with its ending: `prices/index.ts`.",
  ],
  ["Error: Cannot find module '/shop/node_modules/a/b.js' imported from /shop/node_modules/a/index.js", null],
  [
    "Error: Cannot find package 'undici' imported from /shop/views.ts",
    "Install it: `npm install undici`. To import a file of the project, begin its path with `./`, `../` or `#`.",
  ],
  [
    "Error: Cannot find package 'kysely' imported from /shop/vendor/framework/database.js",
    "Run `npm install`, or `npm install kysely` if package.json does not name it.",
  ],
  [
    "Error: Cannot find package '@scope/name' imported from /shop/views.ts",
    "Install it: `npm install @scope/name`. To import a file of the project, begin its path with `./`, `../` or `#`.",
  ],
  [
    "Error: Cannot find package '@/prices' imported from /shop/views.ts",
    "To import a file of the project, begin its path with `./`, `../` or `#`.",
  ],
  [
    "SyntaxError: The requested module './prices.ts' does not provide an export named 'Price'",
    "If `Price` is a type, write `import type { Price }`; if not, check what the module exports.",
  ],
  [
    "SyntaxError: The requested module './prices.ts' does not provide an export named 'default'",
    "Import by name: the module has no default export.",
  ],
];

for (const [why, hint] of FAILED) {
  test(`FW503: what to do is read from: ${why.slice(0, 80)}`, () => {
    assert.is(diagnose("FW503", { module: "apps/products/views.ts", why }).hint, hint);
  });
}

test("FW401 speaks of params only where the two routes have some", () => {
  const details = { handlers: ["`a`", "`b`"], clash: "serve the same requests" };
  assert.is(diagnose("FW401", { ...details, apart: "texts" }).hint, "Rename or remove one.");
  assert.match(diagnose("FW401", { ...details, apart: "names" }).hint ?? "", "names of params");
});

test.run();
