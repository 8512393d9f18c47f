import { test } from "uvu";
import * as assert from "uvu/assert";
import { formatPattern } from "#convention/pattern";
import { fc } from "#runtime/fast-check.fixture";
import { runs } from "#runtime/random.fixture";
import { METHODS, type Method, type Segment } from "#runtime/routing/route";
import { createTableRouter } from "../rule/table-router.ts";
import { NOTHING_TYPED, type TypedRoute, type TypedSegment } from "../wire/typed-route.ts";
import { type Explanation, explain as explainTable } from "./explain.ts";
import { formatExplanation } from "./prose.ts";

function explain(routes: readonly TypedRoute[], method: string, path: string): Explanation {
  return explainTable({ routes, definitions: {} }, method, path);
}

/** @example route("GET /users/<id:int>/<name>") */
function route(text: string): TypedRoute {
  const [method = "", path = ""] = text.split(" ");
  const segments = path.split("/").filter(Boolean).map(toSegment);
  return toRoute(method as Method, segments);
}

function toSegment(text: string): Segment {
  const [, name, type] = /^<(\w+)(:int)?>$/.exec(text) ?? [];
  return name === undefined ? text : { name, type: type ? "int" : "str" };
}

function toRoute(method: Method, segments: readonly TypedSegment[]): TypedRoute {
  const location = { file: "views.ts", line: 1, column: 1 };
  const rest = { handler: "h", module: "views.ts", app: null, convention: "views", location } as const;
  return {
    method,
    pattern: formatPattern(segments, false),
    segments,
    arguments: [],
    ...rest,
    ...NOTHING_TYPED,
  };
}

const TABLE = [
  "GET /",
  "POST /items",
  "GET /items/<item_id>",
  "GET /products",
  "POST /products",
  "GET /products/all",
  "GET /products/featured/items",
  "DELETE /products/item",
  "GET /users/by/id/<user_id:int>",
  "GET /users/by/username/<username>",
  "GET /Größe",
].map(route);

const CASES: readonly [request: string, lines: readonly string[]][] = [
  ["GET /products/all", ["GET /products/all is served by `h` in views.ts."]],
  [
    "GET /users/by/id/abc",
    [
      "No route serves GET /users/by/id/abc.",
      "GET /users/by/id/<user_id>: `abc` is not digits, and `user_id` is int.",
      "GET /users/by/username/<username>: `id` is not `username`.",
    ],
  ],
  [
    "GET /users/by/id",
    [
      "No route serves GET /users/by/id.",
      "GET /users/by/id/<user_id>: The route has one segment more, `<user_id>`.",
      "GET /users/by/username/<username>: The route has one segment more, `username`: did you mean /users/by/username/id?",
    ],
  ],
  [
    "GET /users",
    [
      "No route serves GET /users.",
      "GET /users/by/id/<user_id>: The route has 3 segments more, `by`, `id` and `<user_id>`.",
      "GET /users/by/username/<username>: The route has 3 segments more, `by`, `username` and `<username>`.",
    ],
  ],
  [
    "GET /users/by/id/9007199254740992",
    [
      "No route serves GET /users/by/id/9007199254740992.",
      "GET /users/by/id/<user_id>: `9007199254740992` is above 9007199254740991, and `user_id` is int.",
      "GET /users/by/username/<username>: `id` is not `username`.",
    ],
  ],
  [
    "PUT /items",
    [
      "No route serves PUT /items: only POST and OPTIONS are served there.",
      "POST /items: The path fits, but the route serves POST and not PUT.",
    ],
  ],
  [
    "GET /items/",
    [
      "No route serves GET /items/: only POST and OPTIONS are served there.",
      "POST /items: The path fits, but the route serves POST and not GET.",
      "GET /items/<item_id>: The route has one segment more, `<item_id>`.",
    ],
  ],
  [
    "PATCH /products",
    [
      "No route serves PATCH /products: only GET, POST, HEAD and OPTIONS are served there.",
      "GET /products: The path fits, but the route serves GET and not PATCH.",
      "POST /products: The path fits, but the route serves POST and not PATCH.",
    ],
  ],
  [
    "OPTIONS /items",
    ["No handler serves OPTIONS /items, so the server answers without one: 204, Allow: POST, OPTIONS."],
  ],
  [
    "POST /users/by/id/abc",
    [
      "No route serves POST /users/by/id/abc.",
      "GET /users/by/id/<user_id>: `abc` is not digits, and `user_id` is int; the route serves GET and not POST.",
      "GET /users/by/username/<username>: `id` is not `username`; the route serves GET and not POST.",
    ],
  ],
  [
    "HEAD /usres/by/id/7",
    [
      "No route serves HEAD /usres/by/id/7.",
      "GET /users/by/id/<user_id>: `usres` is not `users`: did you mean /users/by/id/7?",
    ],
  ],
  [
    "GET /Products/all",
    [
      "No route serves GET /Products/all.",
      "GET /products/all: `Products` is not `products`, because case counts: did you mean /products/all?",
      "GET /products: `Products` is not `products`, because case counts; the route has no segment for `all`.",
    ],
  ],
  [
    "GET /users/id/7",
    [
      "No route serves GET /users/id/7.",
      "GET /users/by/id/<user_id>: The route has one segment more, `by`: did you mean /users/by/id/7?",
    ],
  ],
  [
    "GET /api/items/a%2Fb",
    [
      "No route serves GET /api/items/a%2Fb.",
      "GET /items/<item_id>: The route has no segment for `api`: did you mean /items/a%2Fb?",
    ],
  ],
  [
    "GET /items/1/2",
    ["No route serves GET /items/1/2.", "GET /items/<item_id>: The route has no segment for `2`."],
  ],
  [
    "GET /Gr%C3%B6sse",
    [
      "No route serves GET /Gr%C3%B6sse.",
      "GET /Größe: `Grösse` is not `Größe`: did you mean /Gr%C3%B6%C3%9Fe?",
    ],
  ],
  ["GET /nowhere", ["No route serves GET /nowhere."]],
  [
    "GET //products//all",
    ["The path has an empty segment (`//`), and no route has one. Did you mean /products/all?"],
  ],
  [
    "GET /items/../products/all",
    ["The path can't be read: it holds a dot segment. Did you mean /products/all?"],
  ],
  [
    "GET /Größe",
    [
      "The path can't be read: it holds a character that must be percent-encoded. Did you mean /Gr%C3%B6%C3%9Fe?",
    ],
  ],
  ["GET /items/%", ["The path can't be read: its percent-encoding is malformed or not UTF-8."]],
];

for (const [request, lines] of CASES) {
  test(`${request} is explained`, () => {
    const space = request.indexOf(" ");
    const explanation = explain(TABLE, request.slice(0, space), request.slice(space + 1));
    assert.is(formatExplanation(explanation), lines.join("\n"));
  });
}

test("a match tells each param's value as the handler gets it", () => {
  const explanation = explain([route("GET /a/<id:int>/<name>")], "GET", "/a/007/x%20y");
  assert.ok(explanation.kind === "match");
  assert.equal(
    explanation.values.map(({ param, value }) => [param.name, param.type, value]),
    [
      ["id", "int", 7],
      ["name", "str", "x y"],
    ],
  );
});

test("without routes everything is a miss without near ones", () => {
  for (const path of ["/", "/a", "//", "/%"]) {
    const explanation = explain([], "GET", path);
    assert.ok(explanation.kind !== "match");
    assert.equal(explanation.near, []);
  }
});

test("of many near routes the five nearest are told", () => {
  const routes = Array.from({ length: 30 }, (_, index) => route(`GET /files/name${index + 10}`));
  const explanation = explain(routes, "GET", "/files/name1");
  assert.ok(explanation.kind === "no-match");
  assert.is(explanation.near.length, 5);
});

test("a path of thousands of segments or letters is explained too, and quoted short", () => {
  const long = explain(TABLE, "GET", `/users/by/id/${"x".repeat(10_000)}`);
  assert.match(formatExplanation(long), `\`${"x".repeat(40)}…\` is not digits`);
  const deep = explain(TABLE, "GET", "/a".repeat(5_000));
  assert.ok(deep.kind === "no-match" && deep.near.length === 0);
});

const SMALL: TypedSegment = { name: "small", type: "int", shape: { kind: "number", max: 100 } };
const KIND: TypedSegment = {
  name: "kind",
  type: "str",
  shape: { kind: "literal", values: ["items", "a b"] },
};

test("a value that does not fit the constraint of a param is told with what the param must be", () => {
  const routes = [
    toRoute("GET", ["pages", SMALL]),
    toRoute("DELETE", ["pages", { name: "id", type: "int" }]),
    toRoute("GET", ["kinds", KIND]),
    toRoute("GET", [
      "docs",
      { name: "path", type: "str[]", shape: { kind: "array", items: { kind: "string", maxLength: 2 } } },
    ]),
  ];
  const cases: [request: string, lines: readonly string[]][] = [
    ["GET /pages/100", ["GET /pages/100 is served by `h` in views.ts."]],
    [
      "GET /pages/101",
      [
        "No route serves GET /pages/101: only DELETE and OPTIONS are served there.",
        "DELETE /pages/<id>: The path fits, but the route serves DELETE and not GET.",
        "GET /pages/<small>: `101` does not fit, because `small` must be at most 100.",
      ],
    ],
    [
      "GET /kinds/b%20c",
      [
        "No route serves GET /kinds/b%20c.",
        "GET /kinds/<kind>: `b c` does not fit, because `kind` must be one of items, a b.",
      ],
    ],
    [
      "GET /docs/ab/abc",
      [
        "No route serves GET /docs/ab/abc.",
        "GET /docs/*path: `abc` does not fit, because `path` must be at most 2 characters.",
      ],
    ],
  ];
  for (const [request, lines] of cases) {
    const [method = "", path = ""] = request.split(" ");
    assert.is(formatExplanation(explain(routes, method, path)), lines.join("\n"));
  }
});

const name = fc.constantFrom("items", "item", "itmes", "Items", "users", "by", "7", "größe", "a b");
const segment = fc.oneof(
  { weight: 3, arbitrary: name },
  fc.constantFrom<TypedSegment>({ name: "id", type: "int" }, { name: "word", type: "str" }, SMALL, KIND),
);
const table = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...METHODS), fc.array(segment, { maxLength: 4 })), {
    maxLength: 12,
    selector: ([method, segments]) => `${method} ${JSON.stringify(segments)}`,
  })
  .map((rows) => rows.map(([method, segments]) => toRoute(method, segments)));
const piece = fc.oneof(
  { weight: 6, arbitrary: name.map(encodeURIComponent) },
  fc.constantFrom("007", "99999999999999999999", "%2F", "abc", "", ".", "..", "%2e", "%", "ö", "<id>", "+"),
);
const path = fc
  .tuple(fc.array(piece, { maxLength: 5 }), fc.boolean())
  .map(([pieces, slash]) => `/${pieces.join("/")}${slash ? "/" : ""}`);
const method = fc.constantFrom(...METHODS, "PROPFIND");

test("it finds what the router finds, in every table and for every path", () => {
  fc.assert(
    fc.property(table, method, path, (routes, verb, target) => {
      const found = createTableRouter({ routes, definitions: {} }).find(verb, target);
      const explanation = explain(routes, verb, target);
      assert.is(explanation.kind, found.kind);
      if (explanation.kind === "match" && found.kind === "match") {
        assert.is(explanation.route, found.item.route);
        assert.equal(
          explanation.values.map(({ value }) => value),
          found.values,
        );
      }
      if (explanation.kind === "wrong-method" && found.kind === "wrong-method")
        assert.equal(explanation.allow, found.allow);
    }),
    { numRuns: runs(300, 30_000) },
  );
});

test("a near miss is no match, and there are at most five", () => {
  fc.assert(
    fc.property(table, method, path, (routes, verb, target) => {
      const explanation = explain(routes, verb, target);
      if (explanation.kind === "match") return;
      assert.ok(explanation.near.length <= 5);
      for (const { route: near, reason } of explanation.near) {
        assert.is.not(
          createTableRouter({ routes: [near], definitions: {} }).find(verb, target).kind,
          "match",
        );
        assert.match(reason, /^.+[.?]$/);
      }
    }),
    { numRuns: runs(300, 30_000) },
  );
});

test("what it suggests is served there", () => {
  fc.assert(
    fc.property(table, method, path, (routes, verb, target) => {
      const explanation = explain(routes, verb, target);
      if (explanation.kind === "match") return;
      const router = createTableRouter({ routes, definitions: {} });
      for (const { suggestion } of [explanation, ...explanation.near])
        if (suggestion !== null) assert.is(router.find(verb, suggestion).kind, "match", suggestion);
    }),
    { numRuns: runs(300, 30_000) },
  );
});

test("the routes that a 405 is about are told before all others", () => {
  fc.assert(
    fc.property(table, method, path, (routes, verb, target) => {
      const explanation = explain(routes, verb, target);
      if (explanation.kind !== "wrong-method" || verb === "OPTIONS") return;
      assert.match(explanation.near[0]?.reason ?? "", "The path fits, but the route serves");
    }),
    { numRuns: runs(100, 10_000) },
  );
});

test.run();
