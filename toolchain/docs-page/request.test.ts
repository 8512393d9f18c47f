import { spawnSync } from "node:child_process";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { fc } from "#runtime/fast-check.fixture";
import type { Operation, Parameter, Schema } from "./document.ts";
import {
  type Draft,
  formatCall,
  formatCurl,
  formatLiteral,
  type Given,
  type GivenBody,
  type HeaderPair,
  type Sent,
  toRequest,
} from "./request.ts";

function operation(method: string, path: string): Operation {
  return { id: "getThing", method, path, group: "", text: "" };
}

/** A parameter with what was typed for it. */
function given(place: Parameter["in"], name: string, texts: readonly string[], schema: Schema = {}): Given {
  return { parameter: { name, in: place, schema }, texts, isObject: schema.type === "object" };
}

function draft(line: string, parts: readonly Given[] = [], more: Partial<Draft> = {}): Draft {
  const [method = "", path = ""] = line.split(" ");
  const server = "http://localhost:8000/v1";
  return {
    operation: operation(method, path),
    server,
    given: parts,
    credentials: [],
    body: undefined,
    ...more,
  };
}

const INTEGER: Schema = { type: "integer" };
const TEXTS: Schema = { type: "array", items: { type: "string" } };
const picture = new File(["1"], 'a";b.png', { type: "image/png" });

const WHOLE_PATH: Given = {
  parameter: { name: "path", in: "path", "x-whole-path": true },
  texts: ["b c/d?"],
  isObject: false,
};

const URLS: readonly (readonly [what: string, draft: Draft, path: string])[] = [
  [
    "a path's values are encoded",
    draft("GET /a/{id}", [given("path", "id", ["x/y ?#é"])]),
    "/a/x%2Fy%20%3F%23%C3%A9",
  ],
  ["a segment of dots stays one", draft("GET /a/{id}", [given("path", "id", [".."])]), "/a/%2E%2E"],
  ["a whole path keeps its slashes", draft("GET /a/{path}", [WHOLE_PATH]), "/a/b%20c/d%3F"],
  ["a value that is missing shows its name", draft("GET /a/{id}"), "/a/{id}"],
  [
    "a list repeats its name",
    draft("GET /a", [given("query", "tag", ["a b", "c&d"], TEXTS)]),
    "/a?tag=a+b&tag=c%26d",
  ],
  [
    "an object has keys of its own",
    draft("GET /a", [given("query", "others", ["k=v=w", "alone"], { type: "object" })]),
    "/a?k=v%3Dw&alone=",
  ],
];

for (const [what, one, path] of URLS) {
  test(`URLs: ${what}`, () => assert.is(toRequest(one).url, `http://localhost:8000/v1${path}`));
}

test("a request has its credentials, its headers and the type of its body, but a browser names that of a multipart form", () => {
  const credentials: HeaderPair[] = [["authorization", "Bearer t"]];
  const parts = [given("header", "x-a", ["1"]), given("cookie", "c", ["2"])];
  const text: GivenBody = { media: "application/json", text: "{}" };
  const sent = toRequest(draft("POST /a", parts, { credentials, body: text }));
  assert.equal(sent.headers, [...credentials, ["x-a", "1"], ["content-type", "application/json"]]);
  assert.equal(sent.cookies, [["c", "2"]]);
  const fields = [{ name: "a b", value: "c&d" }];
  const form: GivenBody = { media: "application/x-www-form-urlencoded", fields };
  assert.is(toRequest(draft("POST /a", [], { body: form })).body, "a+b=c%26d");
  const multipart = toRequest(draft("POST /a", [], { body: { media: "multipart/form-data", fields } }));
  assert.equal([multipart.headers, multipart.body], [[], fields]);
});

/** The words that a shell gives to `curl`. */
function wordsOf(command: string): string[] {
  const { stdout, status } = spawnSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }; ${command}`], {
    encoding: "utf8",
  });
  assert.is(status, 0, command);
  return stdout.split("\0").slice(0, -1);
}

const GET: Sent = { method: "GET", url: "http://a.example/", headers: [], cookies: [], body: undefined };
const HOME = "http://a.example/";

const COMMANDS: readonly (readonly [sent: Sent, words: readonly string[]])[] = [
  [GET, [HOME]],
  [{ ...GET, method: "HEAD" }, [HOME, "--head"]],
  [
    {
      ...GET,
      method: "POST",
      headers: [["content-type", "application/json"]],
      body: `{"it's": "$HOME \`ls\` \\n"}`,
    },
    [
      HOME,
      "--request",
      "POST",
      "--header",
      "content-type: application/json",
      "--data-raw",
      `{"it's": "$HOME \`ls\` \\n"}`,
    ],
  ],
  [{ ...GET, headers: [["x-empty", ""]] }, [HOME, "--header", "x-empty;"]],
  [
    {
      ...GET,
      cookies: [
        ["a", "1"],
        ["b", "2"],
      ],
    },
    [HOME, "--header", "cookie: a=1; b=2"],
  ],
  [
    {
      ...GET,
      method: "PUT",
      body: [
        { name: "text", value: "@/etc/passwd" },
        { name: "file", value: picture },
      ],
    },
    [
      HOME,
      "--request",
      "PUT",
      "--form-string",
      "text=@/etc/passwd",
      "--form",
      'file=@"a\\";b.png";type=image/png',
    ],
  ],
];

for (const [sent, words] of COMMANDS) {
  test(`a shell reads curl's words: ${words.join(" ")}`, () =>
    assert.equal(wordsOf(formatCurl(sent)), words));
}

test("no text of a request gets out of its word", () => {
  const text = fc.string({ unit: "grapheme" }).map((one) => one.replaceAll("\0", ""));
  const many = fc.sample(
    fc.tuple(
      text,
      text.filter((one) => one !== ""),
    ),
    40,
  );
  const commands = many.map(([body, value]) => formatCurl({ ...GET, headers: [["x", value]], body }));
  const wanted = many.flatMap(([body, value]) => [HOME, "--header", `x: ${value}`, "--data-raw", body]);
  assert.equal(wordsOf(commands.join("\n")), wanted);
});

const CALLS: readonly (readonly [draft: Draft, call: string])[] = [
  [draft("GET /a"), "getThing()"],
  [draft("GET /a", [given("query", "q", [], INTEGER)]), "getThing()"],
  [draft("GET /{id}", [given("path", "id", ["7"], INTEGER)]), "getThing({ path: { id: 7 } })"],
  [
    draft("GET /{id}", [given("path", "id", ["007"], { type: "string" })]),
    'getThing({ path: { id: "007" } })',
  ],
  [
    draft("GET /a", [
      given("query", "tag", ["a"], TEXTS),
      given("query", "on", ["true"], { type: "boolean" }),
      given("header", "x-page", ["2"], INTEGER),
      given("cookie", "c", ["d"]),
    ]),
    'getThing({\n  query: { tag: ["a"], on: true },\n  headers: { "x-page": 2 },\n  cookies: { c: "d" },\n})',
  ],
  [draft("GET /a/{path}", [WHOLE_PATH]), 'getThing({ path: { path: ["b c", "d?"] } })'],
  [
    draft("POST /a", [], { body: { media: "application/json", text: '{"name":"lamp","n":[1,null]}' } }),
    'getThing({ body: { name: "lamp", n: [1, null] } })',
  ],
  [draft("POST /a", [], { body: { media: "application/json", text: "{" } }), 'getThing({ body: "{" })'],
  [draft("POST /a", [], { body: { media: "application/json", text: "null" } }), "getThing({ body: null })"],
  [
    draft("PUT /a", [], {
      body: {
        media: "multipart/form-data",
        fields: [
          { name: "file", value: picture },
          { name: "tag", value: "a" },
          { name: "tag", value: "b" },
          { name: "count", value: "3", schema: INTEGER },
          { name: "sure", value: "true", schema: { type: "boolean" } },
          { name: "size", value: "3", schema: { type: "string" } },
          { name: "names", value: "a", schema: TEXTS },
        ],
      },
    }),
    'getThing({\n  body: {\n    file: file,\n    tag: ["a", "b"],\n    count: 3,\n    sure: true,\n    size: "3",\n    names: ["a"],\n  },\n})',
  ],
];

for (const [one, call] of CALLS) {
  test(`the client's call: ${call}`, () => assert.is(formatCall(one), `const answer = await api.${call};`));
}

test("a literal is JSON to a program", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const literal = formatLiteral(value).replaceAll(/(?<= )__proto__(?=: )/g, "[`__proto__`]");
      const read: unknown = Function(`return ${literal}`)();
      assert.equal(JSON.stringify(read), JSON.stringify(value));
    }),
    { examples: [[{ " __proto__": false }], [JSON.parse('{ "__proto__": 1 }')]] },
  );
});

test.run();
