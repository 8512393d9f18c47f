// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are types.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createRouter } from "#runtime/routing/router";
import type { WireModule } from "#runtime/wire/inputs";
import type { Project } from "../project.ts";
import { type Files, readViews } from "../views.fixture.ts";
import { inputsKey } from "../wire/code/names.ts";
import { textOf } from "../wire/code/wire.fixture.ts";
import { formatParamType } from "./splice.ts";
import { createTableRouter } from "./table-router.ts";

const IMPORTS = `import type {
  DateOnly, Email, From, int, Max, MaxItems, MaxLength, Min, MinLength, MultipleOf, Pattern, Query, Request, str, Uuid,
} from "framework";
`;

/** @param handlers of an app at /. */
function read(handlers: string, others: Files = {}): Project {
  return readViews(IMPORTS + handlers, { "apps/a/app.toml": '[app]\nprefix = "/"', ...others });
}

/** As in "GET /x id: Uuid", with the codes of the diagnostics behind it. */
function summarize({ routes, diagnostics }: Project): string {
  const lines = routes.map(({ method, pattern, segments }) => {
    const params = segments.filter((segment) => typeof segment !== "string");
    return [
      `${method} ${pattern}`,
      ...params.map((param) => `${param.name}: ${formatParamType(param)}`),
    ].join(" ");
  });
  return [...lines, ...diagnostics.map(({ code }) => code)].join("; ");
}

test("a param can be of any type whose values are all texts, or all whole numbers", () => {
  const types: [type: string, param: string][] = [
    ["int & Max<2147483647>", "int & Max<2147483647>"],
    ["number & Min<1> & MultipleOf<2>", "number & Min<1> & MultipleOf<2>"],
    ["string & Uuid", "Uuid"],
    ["str & MinLength<2> & MaxLength<9>", "string & MinLength<2> & MaxLength<9>"],
    ["string & DateOnly", "DateOnly"],
    ['string & Pattern<"^[a-z]+$">', 'string & Pattern<"^[a-z]+$">'],
    ["'asc' | 'desc'", '"asc" | "desc"'],
    ["'only'", '"only"'],
    ["1 | 2", "1 | 2"],
    ["`v${int}`", "`v${int}`"],
    ["Exclude<'a' | 'b' | 'c', 'b'>", '"a" | "c"'],
    ["Id", "int & Max<2147483647>"],
    ["Kind", '"book" | "film"'],
    ["Imported", '"far" | "near"'],
    ["string & {}", "string"],
  ];
  for (const [type, shown] of types) {
    const project = read(
      `import type { Imported } from "../../lib/types.ts";\ntype Id = int & Max<2147483647>;\ntype Kind = "book" | "film";\nexport function get_x(id: ${type}) {}`,
      { "lib/types.ts": "export type Imported = 'far' | 'near';" },
    );
    assert.is(summarize(project), `GET /x/<id> id: ${shown}`, type);
  }
});

test("the segments of a whole path can have constraints, and so can their number", () => {
  const cases: [type: string, read: string][] = [
    ["(string & Pattern<'^[a-z]+$'>)[]", 'path: (string & Pattern<"^[a-z]+$">)[]'],
    ["string[] & MaxItems<3>", "path: string[] & MaxItems<3>"],
    ["('a' | 'b')[]", 'path: ("a" | "b")[]'],
    ["readonly (string & Uuid)[]", "path: Uuid[]"],
  ];
  for (const [type, shown] of cases)
    assert.is(summarize(read(`export function get_$$path(path: ${type}) {}`)), `GET /*path ${shown}`, type);
  for (const type of ["int[]", "(1 | 2)[]", "string & Uuid", "{ a: string }[]"])
    assert.is(summarize(read(`export function get_$$path(path: ${type}) {}`)), "FW364", type);
});

test("what no segment can be is refused, with what can be written", () => {
  const cases: [type: string, code: string, hint: RegExp][] = [
    ["'a' | 1", "FW306", /Query<'a' \| 1>/],
    ["'a' | ''", "FW306", /Query/],
    ["1 | -1", "FW306", /Query/],
    ["boolean | 'a'", "FW306", /Query/],
    ["(string & Uuid)[]", "FW306", /Query/],
    ["Uuid", "FW330", /string & Uuid/],
    ["string & Max<3>", "FW330", /number/],
    ["int & Max<'a'>", "FW340", /number & Max<3>/],
    ["'a' | undefined", "FW306", /id\?: Query/],
    ["Own<'a'>", "FW306", /Query/],
    ["'a' | Deep[]", "FW306", /Body/],
  ];
  for (const [type, code, hint] of cases) {
    const { diagnostics } = read(
      `type Own<T = string> = T;\ntype Deep = 'a' | Deep[];\nexport function get_x(id: ${type}) {}`,
    );
    assert.equal(
      diagnostics.map((one) => one.code),
      [code],
      type,
    );
    assert.match(`${diagnostics[0]?.message} ${diagnostics[0]?.hint}`, hint, type);
  }
});

test("a path has the constraints of every function that takes its param, and two that differ are an error", () => {
  const user = "export function user(id: int & Max<9>) { return id; }\n";
  const cases: [source: string, read: string][] = [
    [`${user}export function get_x(me: From<typeof user>) {}`, "GET /x/<id> id: int & Max<9>"],
    [`${user}export function get_x(id: int, me: From<typeof user>) {}`, "GET /x/<id> id: int & Max<9>"],
    [`${user}export function get_x(me: From<typeof user>, id: int) {}`, "GET /x/<id> id: int & Max<9>"],
    [
      `${user}export function get_x(id: int & Max<9>, me: From<typeof user>) {}`,
      "GET /x/<id> id: int & Max<9>",
    ],
    [`${user}export function get_x(id: int & Max<8>, me: From<typeof user>) {}`, "FW361"],
    [`${user}export function get_x(id: string, me: From<typeof user>) {}`, "FW361"],
    [
      "export function any(id: int) { return id; }\nexport function get_x(id: 1 | 2, me: From<typeof any>) {}",
      "GET /x/<id> id: 1 | 2",
    ],
  ];
  for (const [source, shown] of cases) assert.is(summarize(read(source)), shown, source);
});

test("a guard's param is as wide as the route's, or the same", () => {
  const cases: [guard: string, handler: string, read: string][] = [
    ["int", "int & Max<9>", "GET /x/<id> id: int & Max<9>"],
    ["int & Max<9>", "int & Max<9>", "GET /x/<id> id: int & Max<9>"],
    ["int & Max<9>", "int", "GET /x/<id> id: int; FW363"],
  ];
  for (const [guard, handler, shown] of cases) {
    const hooks = { "_hooks.ts": `${IMPORTS}export function guard(id: ${guard}) {}` };
    assert.is(summarize(read(`export function get_x(id: ${handler}) {}`, hooks)), shown);
  }
});

test("two routes that differ only by the constraints of a param are a conflict", () => {
  const { diagnostics } = read(
    "export function get_x(kind: 'a' | 'b') {}\nexport function get_$kind(kind: 'c') {}\nexport function get_$id(id: string & Uuid) {}",
  );
  assert.equal(
    diagnostics.map(({ code, message, hint }) => [code, message, hint]),
    [
      [
        "FW401",
        "`get_$kind` in apps/a/views.ts and `get_$id` in apps/a/views.ts share the path GET /<kind>.",
        "Write one handler for all values: constraints don't tell two routes apart, only `int` and `string` do.",
      ],
    ],
  );
});

const TABLE = `type Id = int & Max<2147483647>;
export function get_items(id: Id) {}
export function delete_items(id: int) {}
export function put_items(id: string) {}
export function get_kinds(kind: "book" | "fi/lm") {}
export function head_kinds(kind: string) {}
export function all_kinds(kind: "all") {}
export function get_pages(slug: string & Pattern<"^[a-z-]+$"> & MaxLength<5>) {}
export function get_pages_$a_$b(a: 1 | 2, b: string & Uuid) {}
export function get_docs_$$path(path: (string & Pattern<"^[a-zé]+$">)[] & MaxItems<2>) {}
export function get_any_$$path(path: string[]) {}
export function get_any_$id_x(id: int & Min<5>) {}
`;

/** Each is asked with `GET` where it has no other method. */
const CASES: [request: string, found: string][] = [
  ["/items/2147483647", "get_items 2147483647"],
  ["/items/2147483648", "405 PUT,DELETE,OPTIONS"],
  ["/items/%37", "get_items 7"],
  ["OPTIONS /items/2147483648", "405 PUT,DELETE,OPTIONS"],
  ["DELETE /items/2147483648", "delete_items 2147483648"],
  ["/items/abc", "405 PUT,OPTIONS"],
  ["/kinds/book", 'get_kinds "book"'],
  ["/kinds/fi%2Flm", 'get_kinds "fi/lm"'],
  ["/kinds/all", 'all_kinds "all"'],
  ["/kinds/other", "405 HEAD,OPTIONS"],
  ["HEAD /kinds/book", 'head_kinds "book"'],
  ["PROPFIND /kinds/all", 'all_kinds "all"'],
  ["PROPFIND /kinds/book", "405 GET,HEAD,OPTIONS"],
  ["/pages/a-b/", 'get_pages "a-b"'],
  ["/pages/a-b-c-d", "no-match"],
  ["/pages/A", "no-match"],
  [
    "/pages/2/9b2f1f9e-7f0c-4c3a-9d55-0c1d2e3f4a5b",
    'get_pages_$a_$b 2 "9b2f1f9e-7f0c-4c3a-9d55-0c1d2e3f4a5b"',
  ],
  ["/pages/3/9b2f1f9e-7f0c-4c3a-9d55-0c1d2e3f4a5b", "no-match"],
  ["/pages/2/9b2f1f9e", "no-match"],
  ["/docs/a/%C3%A9", 'get_docs_$$path ["a","é"]'],
  ["/docs/a/b/c", "no-match"],
  ["/docs/a/B", "no-match"],
  ["/any/5/x", "get_any_$id_x 5"],
  ["/any/4/x", 'get_any_$$path ["4","x"]'],
];

test("what does not fit does not match, in the compiled checks and in those of the commands", async () => {
  const project = read(TABLE);
  assert.equal(project.diagnostics, []);
  const text = textOf(project.routes, project.definitions);
  const { pathChecks }: WireModule = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  const routers = [
    createRouter(project.routes.map((route) => ({ route, fits: pathChecks[inputsKey(route)] }))),
    createTableRouter(project),
  ];
  for (const [request, expected] of CASES) {
    const [path = "", method = "GET"] = request.split(" ").reverse();
    for (const router of routers) {
      const found = router.find(method, path);
      const shown =
        found.kind === "match"
          ? [found.item.route.handler, ...found.values.map((value) => JSON.stringify(value))].join(" ")
          : found.kind === "wrong-method"
            ? `405 ${found.allow.join(",")}`
            : found.kind;
      assert.is(shown, expected, request);
    }
  }
});

test.run();
