import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Handler, handlerCode, NOTHING_TAKEN } from "../code/handlers.ts";
import { orRefused, Refused } from "../refused.ts";
import { addCode } from "./code.ts";
import { DEFAULT_STYLE, type Style } from "./style.ts";

const GET: Handler = {
  ...NOTHING_TAKEN,
  method: "GET",
  name: "get_by_id",
  segments: [],
  pattern: "/orders/by/id/<id>",
  parameters: [{ name: "id", type: "int" }],
};
const POST: Handler = {
  ...GET,
  method: "POST",
  name: "post_index",
  pattern: "/orders/",
  parameters: [],
};

function add(text: string | null, handlers: readonly Handler[], style: Style = DEFAULT_STYLE): string {
  return addCode("apps/orders/views.ts", text, handlers.map(handlerCode), "handler", style);
}

function extend(text: string, ...handlers: Handler[]): string {
  return add(text, handlers);
}

function refusal(text: string): Refused {
  const refused = orRefused(() => extend(text, GET));
  if (refused instanceof Refused) return refused;
  throw new Error(refused);
}

const ADDED = `export function get_by_id(id: int) {
  return { id };
}
`;

const COMMENTED = `// GET /orders/by/id/<id>\n${ADDED}`;

test("a new file imports what its handlers name, and says their routes", () => {
  assert.is(
    add(null, [GET, POST], DEFAULT_STYLE),
    `import type { int, Request } from "framework";

// GET /orders/by/id/<id>
${ADDED}
// POST /orders/
export async function post_index(request: Request) {
  const item = await request.json();
  return [{ item }, 201];
}
`,
  );
});

const HANDLER = "export function get_all() {}\n";

const IMPORTS: [title: string, before: string, after: string][] = [
  [
    "joins a type import, in its order",
    'import type { Request } from "framework";',
    'import type { int, Request } from "framework";',
  ],
  [
    "carries the word type where the others do",
    'import { type Request } from "framework";',
    'import { type int, type Request } from "framework";',
  ],
  [
    "carries the word beside real values",
    'import { HttpError } from "framework";',
    'import { HttpError, type int } from "framework";',
  ],
  [
    "keeps the quotes",
    "import type { Request } from 'framework'",
    "import type { int, Request } from 'framework'",
  ],
  [
    "keeps a trailing comma",
    'import type { App, } from "framework";',
    'import type { App, int, } from "framework";',
  ],
  [
    "gets a line where the others have one",
    'import type {\n  App,\n  Request,\n} from "framework";',
    'import type {\n  App,\n  int,\n  Request,\n} from "framework";',
  ],
  [
    "joins the other public module",
    'import type { Request } from "framework/http";',
    'import type { int, Request } from "framework/http";',
  ],
  ["is not repeated", 'import type { int } from "framework";', 'import type { int } from "framework";'],
  [
    "prefers the import of types",
    'import { HttpError } from "framework";\nimport type { Request } from "framework";',
    'import { HttpError } from "framework";\nimport type { int, Request } from "framework";',
  ],
  [
    "joins the names beside a default",
    'import own, { type App } from "framework";',
    'import own, { type App, type int } from "framework";',
  ],
  [
    "has its own line beside a default alone",
    'import own from "framework";',
    'import own from "framework";\nimport type { int } from "framework";',
  ],
  [
    "does not join an import with a comment",
    'import type {\n  App, // the app\n  Request,\n} from "framework";',
    'import type {\n  App, // the app\n  Request,\n} from "framework";\nimport type { int } from "framework";',
  ],
  [
    "stands behind node modules",
    'import { join } from "node:path";',
    'import { join } from "node:path";\nimport type { int } from "framework";',
  ],
  [
    "stands before paths",
    'import { a } from "./a.ts";',
    'import type { int } from "framework";\nimport { a } from "./a.ts";',
  ],
];

for (const [title, before, after] of IMPORTS) {
  test(`an imported type ${title}`, () => {
    assert.is(extend(`${before}\n\n${HANDLER}`, GET).split(HANDLER)[0], `${after}\n\n`);
  });
}

const IMPORT = 'import type { int } from "framework";\n\n';

/** What is above the new import, and what is below it. */
const HEADS: [title: string, above: string, below: string][] = [
  ["a file without imports", "", HANDLER],
  ["a comment that heads the file", "/** Orders. */\n\n", HANDLER],
  ["a comment that belongs to the first statement", "", `/** All. */\n${HANDLER}`],
  ["a directive with a comment behind it", '"use strict"; // why\n\n', HANDLER],
  ["a byte order mark", "\uFEFF", HANDLER],
];

for (const [title, above, below] of HEADS) {
  test(`a handler is added to ${title}`, () =>
    assert.is(extend(above + below, GET), `${above}${IMPORT}${below}\n${COMMENTED}`));
}

test("a handler is added to a file that is empty, or has only comments", () => {
  assert.is(extend("", GET), IMPORT + COMMENTED);
  assert.is(extend("// orders\n", GET), `// orders\n\n${IMPORT}${COMMENTED}`);
});

test("a handler takes on the layout of its file, whose every other byte stays", () => {
  const before =
    "\uFEFFimport type { Request } from 'framework'\r\n\r\n// GET /a\r\nexport function get_a() {\r\n\treturn { a: '1' }\r\n}";
  assert.is(
    extend(before, GET),
    "\uFEFFimport type { int, Request } from 'framework'\r\n\r\n// GET /a\r\nexport function get_a() {\r\n\treturn { a: '1' }\r\n}\r\n\r\n" +
      "// GET /orders/by/id/<id>\r\nexport function get_by_id(id: int) {\r\n\treturn { id }\r\n}",
  );
});

test("a handler uses the name under which its file imports a type", () => {
  const text = extend('import type { Request as Req, int as whole } from "framework";\n', GET, POST);
  assert.match(text, "get_by_id(id: whole)");
  assert.match(text, "post_index(request: Req)");
});

test("a name that the file uses otherwise is not imported over it", () => {
  const text = extend("type int = 1 | 2;\nclass Request {}\n", GET, POST);
  assert.match(text, 'import type { int as FrameworkInt, Request as FrameworkRequest } from "framework";');
  assert.match(text, "get_by_id(id: FrameworkInt)");
  assert.match(text, "post_index(request: FrameworkRequest)");
});

test("the system's own Request, where the file uses it, stays what it is", () => {
  const text = extend('export const ping = new Request("http://localhost/");\n', POST);
  assert.match(text, 'import type { Request as FrameworkRequest } from "framework";');
  assert.match(text, "post_index(request: FrameworkRequest)");
});

test("to add a handler to a file gives the file that both had been written into at once, in every layout", () => {
  const patch: Handler = { ...GET, method: "PATCH", name: "patch_by_id" };
  const pairs = [
    [GET, POST],
    [POST, GET],
    [patch, POST],
    [{ ...GET, parameters: [] }, POST],
  ] as const;
  let count = 0;
  for (const style of layouts()) {
    for (const [first, second] of pairs) {
      for (const frame of FRAMES) {
        const both = frame(add(null, [first, second], style));
        const added = add(frame(add(null, [first], style)), [second], style);
        assert.is(added, both);
        count++;
      }
    }
  }
  assert.is(count, 384);
});

/** As it is, with a byte order mark, without a line end at its end, and both. */
const FRAMES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `\uFEFF${text}`,
  (text) => text.trimEnd(),
  (text) => `\uFEFF${text.trimEnd()}`,
];

/** Every combination of the properties of a layout. */
function layouts(): Style[] {
  let styles: Style[] = [DEFAULT_STYLE];
  const vary = <Key extends keyof Style>(key: Key, values: readonly Style[Key][]): void => {
    styles = styles.flatMap((style) => values.map((value) => ({ ...style, [key]: value })));
  };
  vary("indent", ["  ", "    ", "\t"]);
  vary("quote", ['"', "'"]);
  vary("semicolons", [true, false]);
  vary("eol", ["\n", "\r\n"]);
  return styles;
}

const TAKEN = [
  "const get_by_id = 1;",
  "import { get_by_id } from './x.ts';",
  "const { a: [get_by_id] } = x;",
  "type get_by_id = 1;",
];

for (const text of TAKEN) {
  test(`a name that is taken is refused with its line: ${text}`, () => {
    const [refused] = refusal(`\n${text}\n`).diagnostics;
    assert.is(refused?.code, "FW608");
    assert.equal(refused?.locations, [{ file: "apps/orders/views.ts", line: 2, column: 1 }]);
  });
}

test("a file with a syntax error is refused with its place", () => {
  const [refused] = refusal("export function get_a( {\n").diagnostics;
  assert.is(refused?.code, "FW612");
  assert.is(refused?.locations[0]?.line, 2);
});

test.run();
