import { test } from "uvu";
import * as assert from "uvu/assert";

import { mayBeInerasable } from "./erasure.ts";

const ERASABLE: readonly string[] = [
  "// GET /users/by/id/<user_id>: digits only",
  "// DELETE /<id>",
  "  // GET /a/<b>/<c>",
  '  "GET /users/<id>",',
  "/** As in `/users/by/id/<user_id>`. */",
  "const a = b < c || d<e>(f) || g[h] < j;",
  "const a = 1 << b << 2;",
  'import { type a } from "b";\nexport { type c } from "./d.ts";',
];

test("what generated and usual code is full of spares a file the parser", () => {
  for (const text of ERASABLE) assert.not(mayBeInerasable(text), text);
});

const NO_PATTERN: readonly string[] = ["4 /<any>2", "a/b/<any>c", "a / b / <any> c", "/* c */<any>a"];

test("a division by an assertion is not taken for a route's pattern", () => {
  for (const text of NO_PATTERN) assert.ok(mayBeInerasable(text), text);
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
];

test("a text of 5 MB that everywhere begins like a sign is gone through once", () => {
  for (const part of REPEATED) assert.not(mayBeInerasable(part.repeat(5_000_000 / part.length)), part);
});

test.run();
