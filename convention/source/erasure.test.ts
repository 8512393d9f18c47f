import { test } from "uvu";
import * as assert from "uvu/assert";
import { runs } from "#runtime/random.fixture";

import { mayBeInerasable } from "./erasure.ts";
import { parseModule } from "./reader.ts";

const ERASABLE: readonly string[] = [
  "// GET /users/by/id/<user_id>: digits only",
  "// DELETE /<id>",
  "  // GET /a/<b>/<c>",
  '  "GET /users/<id>",',
  "/** As in `/users/by/id/<user_id>`. */",
  "const a = b < c || d<e>(f) || g[h] < j;",
  "const a = 1 << b << 2;",
  'import { type a } from "b";\nexport { type c } from "./d.ts";',
  'import a from "@scope/a";\n/** @returns one */\n/**\n * @param b of ann@b.example\n */\nexport class A {}',
];

test("what generated and usual code is full of spares a file the parser", () => {
  for (const text of ERASABLE) assert.not(mayBeInerasable(text), text);
});

const NO_PATTERN: readonly string[] = ["4 /<any>2", "a/b/<any>c", "a / b / <any> c", "/* c */<any>a"];

test("a division by an assertion is not taken for a route's pattern", () => {
  for (const text of NO_PATTERN) assert.ok(mayBeInerasable(text), text);
});

const DECORATED: readonly string[] = [
  "@sealed class A {}",
  "@sealed\nexport class A {}",
  "export @sealed class A {}",
  "export default @(sealed()) class {}",
  "class A { @bound b() {} }",
  "class A {\n  @column() b = 1;\n}",
  "const a = @sealed class {};",
];

test("a decorator is found wherever it may be: types are erased around it, and no engine runs it", () => {
  for (const text of DECORATED) {
    const { inerasable } = parseModule(text, "a.ts");
    assert.equal(
      inerasable.map(({ what }) => what),
      ["a decorator"],
      text,
    );
  }
});

const REPEATED: readonly string[] = [
  " ",
  "\n",
  "\r\n",
  "import ",
  "export\n",
  "<",
  "( ",
  "< ",
  "a/",
  "/a/<b>",
  "class ( ",
];

test("a text of megabytes that everywhere begins like a sign is gone through once", () => {
  for (const part of REPEATED)
    assert.not(mayBeInerasable(part.repeat(runs(1_000_000, 5_000_000) / part.length)), part);
});

test.run();
