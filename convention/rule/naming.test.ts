import { test } from "uvu";
import * as assert from "uvu/assert";
import { METHODS } from "#runtime/routing/route";
import { formatPattern, formatPrefix, parsePrefix } from "../pattern.ts";
import { formatRouteFile, parseRouteFile, type RouteFile } from "./file-naming.ts";
import {
  formatHandlerName,
  formatMethodExport,
  type HandlerName,
  isHandlerName,
  parseHandlerName,
  parseMethodExport,
} from "./naming.ts";
import { isBadName, type NamedSegment } from "./segments.ts";

/** Every list of up to `longest` items: 1 + n + n² + … */
function sequences<Item>(items: readonly Item[], longest: number): Item[][] {
  if (longest === 0) return [[]];
  const shorter = sequences(items, longest - 1);
  return [[], ...shorter.flatMap((sequence) => items.map((item) => [item, ...sequence]))];
}

function whyOf(value: unknown): string {
  return typeof value === "object" && value !== null && "why" in value ? String(value.why) : "no why";
}

const WORDS = [
  "all",
  "items",
  "by",
  "id",
  "index",
  "ID",
  "v1",
  "42",
  "a$",
  "x$y",
  "café",
  "日本",
  "get",
  "x",
];

test("a handler name and its route are each other's inverse, for every method and thousands of endpoints", () => {
  let seen = 0;
  for (const segments of sequences(WORDS, 3)) {
    if (segments.length === 1 && segments[0] === "index") continue;
    for (const method of METHODS) {
      const route: HandlerName = { method, segments };
      const name = formatHandlerName(route);
      if (typeof name !== "string") throw new Error(name.why);
      assert.equal(parseHandlerName(name), route);
      seen++;
    }
  }
  assert.ok(seen > 10_000, String(seen));
});

const PATH_WORDS: readonly NamedSegment[] = [
  "a",
  "id",
  "index",
  "b$",
  { param: "id" },
  { param: "user" },
  { param: "user_id" },
  { param: "_x" },
  { param: "y_" },
  { param: "$z" },
];

test("a name that places params and its path are each other's inverse, whatever other params there are", () => {
  const names = PATH_WORDS.flatMap((word) => (typeof word === "string" ? [] : [word.param]));
  let seen = 0;
  for (const segments of sequences(PATH_WORDS, 3)) {
    const own = segments.flatMap((segment) => (typeof segment === "string" ? [] : [segment.param]));
    for (const params of [own, names]) {
      const name = formatHandlerName({ method: "GET", segments }, params);
      if (typeof name !== "string") continue;
      assert.equal(parseHandlerName(name, params), { method: "GET", segments }, name);
      seen++;
    }
  }
  assert.ok(seen > 1000, String(seen));
});

test("every name with a `$` is refused or comes back as it was", () => {
  const params = ["a", "a_b", "_", "b_", "$"];
  let kept = 0;
  for (const parts of sequences(["a", "b", "_", "$", "$a", "$b_"], 5)) {
    const name = `get_${parts.join("")}`;
    const parsed = parseHandlerName(name, params);
    if (isBadName(parsed)) {
      assert.ok(parsed.why.length > 0 && parsed.hint.length > 0);
    } else {
      assert.is(formatHandlerName(parsed, params), name);
      kept++;
    }
  }
  assert.ok(kept > 1000, String(kept));
});

test("`$name` places a param: the longest declared name that fits is meant", () => {
  const cases: [name: string, params: string[], path: string][] = [
    ["get_$slug", ["slug"], "/[slug]"],
    ["delete_$slug_comments_$id", ["slug", "id"], "/[slug]/comments/[id]"],
    ["delete_$slug_comments_$id", ["id", "slug"], "/[slug]/comments/[id]"],
    ["delete_$slug_comments", ["slug", "id"], "/[slug]/comments"],
    ["get_$user_id_posts", ["user_id"], "/[user_id]/posts"],
    ["get_$user_id_posts", ["user"], "/[user]/id/posts"],
    ["get_$user_id_posts", ["user", "user_id"], "/[user_id]/posts"],
    ["get_$user_id_$user", ["user", "user_id"], "/[user_id]/[user]"],
    ["get_$a_$b", ["a_$b"], "/[a_$b]"],
    ["get_$_x", ["_x"], "/[_x]"],
    ["get_$a__b", ["a_"], "/[a_]/b"],
    ["get_by_$id", ["id"], "/by/[id]"],
    ["get_$index", ["index"], "/[index]"],
    ["get_a$b", ["b"], "/a$b"],
    ["get_all", ["all"], "/all"],
  ];
  for (const [name, params, path] of cases) {
    const parsed = parseHandlerName(name, params);
    if (isBadName(parsed)) throw new Error(`${name}: ${parsed.why}`);
    const shown = parsed.segments.map((one) => (typeof one === "string" ? one : `[${one.param}]`));
    assert.is(`/${shown.join("/")}`, path, name);
    assert.ok(isHandlerName(name));
  }
});

test("a name that places a param which no parameter has is a handler's name, and one that breaks the rule is not", () => {
  assert.ok(isHandlerName("get_$slug"));
  assert.not(isHandlerName("get_a__b"));
  assert.not(isHandlerName("getAll"));
});

test("a path that its params would make mean another one has no name", () => {
  const segments = [{ param: "user" }, "id"];
  assert.is(formatHandlerName({ method: "GET", segments }), "get_$user_id");
  const refused = formatHandlerName({ method: "GET", segments }, ["user", "user_id"]);
  assert.match(whyOf(refused), "would be read as /<user_id>");
});

test("every name made of words, underscores and methods is refused or comes back as it was", () => {
  let kept = 0;
  for (const parts of sequences(["get", "post", "_", "a", "index", "B2", "-", " ", "é", "\u200d", "."], 5)) {
    const name = parts.join("");
    const parsed = parseHandlerName(name);
    if (isBadName(parsed)) {
      assert.ok(parsed.why.length > 0 && parsed.hint.length > 0);
    } else {
      assert.is(formatHandlerName(parsed), name);
      kept++;
    }
  }
  assert.ok(kept > 500, String(kept));
});

test("a name with an empty segment is refused, with the name that was probably meant", () => {
  const cases: [string, string][] = [
    ["get_", "`get_index`"],
    ["get__", "`get_index`"],
    ["get__a", "`get_a`"],
    ["get_a_", "`get_a`"],
    ["get_a__b", "`get_a_b`"],
    ["get___proto__", "`get_proto`"],
  ];
  for (const [name, meant] of cases) {
    const parsed = parseHandlerName(name);
    if (!isBadName(parsed)) throw new Error(name);
    assert.is(parsed.kind, "text");
    assert.match(parsed.why, "empty segment");
    assert.ok(parsed.hint.includes(meant), parsed.hint);
  }
});

test("`$$name` at the end of a name is the whole path, and a name for every method begins with `all`", () => {
  const cases: [string, string, HandlerName][] = [
    ["get_$$path", "path", { method: "GET", segments: [{ param: "path", whole: true }] }],
    [
      "get_files_$$file_path",
      "file_path",
      { method: "GET", segments: ["files", { param: "file_path", whole: true }] },
    ],
    ["all_$$rest", "rest", { method: "ALL", segments: [{ param: "rest", whole: true }] }],
    ["all_index", "", { method: "ALL", segments: [] }],
  ];
  for (const [name, param, parsed] of cases) {
    const params = param === "" ? [] : [param];
    assert.equal(parseHandlerName(name, params), parsed, name);
    assert.is(formatHandlerName(parsed, params), name);
  }
  const both: HandlerName = { method: "GET", segments: [{ param: "id" }, { param: "rest", whole: true }] };
  assert.equal(parseHandlerName("get_$id_$$rest", ["id", "rest"]), both);
  assert.is(formatHandlerName(both), "get_$id_$$rest");
});

test("a name that does not begin with a method is another kind of refusal, with did-you-mean where one is near", () => {
  const cases: [string, RegExp][] = [
    ["gte_all", /`get_all`/],
    ["GET_all", /`get_all`/],
    ["getAll", /`get_all`/],
    ["fetch_all", /`get_all`/],
    ["get", /`get_index`/],
    ["format_date", /get, post/],
    ["", /get, post/],
    ["trace_x", /get, post/],
    ["constructor_x", /get, post/],
  ];
  for (const [name, hint] of cases) {
    const parsed = parseHandlerName(name);
    if (!isBadName(parsed)) throw new Error(name);
    assert.is(parsed.kind, "method", name);
    assert.match(parsed.hint, hint);
  }
});

test("a route that no function name can stand for is refused, with the file that can serve it", () => {
  const cases: [string[], RegExp][] = [
    [["my-page"], /routes\/…\/my-page\.ts/],
    [["a_b"], /routes\/…\/a_b\.ts/],
    [["a.json"], /routes/],
    [["index"], /index\/index\.ts/],
    [[""], /get_index/],
    [["a", ""], /get_a/],
    [["a b"], /letters, digits/],
    [["a/b"], /letters, digits/],
    [["$"], /routes\/…\/\$\.ts/],
    [["a", "$x"], /routes\/…\/\$x\.ts/],
  ];
  for (const [segments, hint] of cases) {
    const name = formatHandlerName({ method: "GET", segments });
    if (typeof name === "string") throw new Error(name);
    assert.match(name.hint, hint);
  }
});

const FILE_SEGMENTS: readonly NamedSegment[] = [
  "items",
  "index",
  "my-page",
  "a_b",
  "a.b",
  "v1",
  "~x",
  "café",
  "del",
  { param: "id" },
  { param: "item_id" },
  { param: "_x" },
  { param: "$" },
];

test("a route file and its path are each other's inverse, for thousands of them", () => {
  let seen = 0;
  for (const segments of sequences(FILE_SEGMENTS, 3)) {
    const both: RouteFile[] =
      segments.length > 0 && segments.at(-1) !== "index"
        ? [{ segments }, { segments, index: true }]
        : [{ segments }];
    for (const routeFile of both) {
      const file = formatRouteFile(routeFile);
      if (typeof file !== "string") {
        assert.match(file.why, "twice");
        continue;
      }
      assert.equal(parseRouteFile(file), routeFile, file);
      seen++;
    }
  }
  assert.ok(seen > 4000, String(seen));
});

test("every file name made of odd parts is no route file, refused, or comes back as it was", () => {
  let kept = 0;
  for (const parts of sequences(["a", "[", "]", "id", "/", ".", "_", "index", " ", "%", ".ts"], 5)) {
    const file = `${parts.join("")}.ts`;
    if (file.startsWith("/") || file.includes("//") || file.includes("/.ts")) continue;
    const parsed = parseRouteFile(file);
    if (parsed === undefined || isBadName(parsed)) continue;
    assert.is(formatRouteFile(parsed), file);
    kept++;
  }
  assert.ok(kept > 1000, String(kept));
});

test("route files stand for the paths of the specification", () => {
  const cases: [string, RouteFile][] = [
    ["index.ts", { segments: [] }],
    ["items.ts", { segments: ["items"] }],
    ["admin/users.ts", { segments: ["admin", "users"] }],
    ["admin/index.ts", { segments: ["admin"], index: true }],
    ["index/index.ts", { segments: ["index"] }],
    ["my-page.ts", { segments: ["my-page"] }],
    ["a_b.ts", { segments: ["a_b"] }],
    ["[item_id].ts", { segments: [{ param: "item_id" }] }],
    ["[item_id]/edit.ts", { segments: [{ param: "item_id" }, "edit"] }],
    ["items/[item_id]/index.ts", { segments: ["items", { param: "item_id" }], index: true }],
    ["robots.txt.ts", { segments: ["robots.txt"] }],
    ["a.test/index.ts", { segments: ["a.test"] }],
    ["a.d/index.ts", { segments: ["a.d"] }],
    ["test.ts", { segments: ["test"] }],
    ["[...path].ts", { segments: [{ param: "path", whole: true }] }],
    ["files/[id]/[...path].ts", { segments: ["files", { param: "id" }, { param: "path", whole: true }] }],
    ["files/[...path]/index.ts", { segments: ["files", { param: "path", whole: true }], index: true }],
  ];
  for (const [file, parsed] of cases) {
    assert.equal(parseRouteFile(file), parsed, file);
    assert.is(formatRouteFile(parsed), file);
  }
});

const GROUPED: readonly RouteFile[] = [
  ...["(a)/index.ts", "(a)/items.ts", "(a)/(b)/items/index.ts", "items/(a)/index.ts", "items/(a)/new.ts"],
  ...["(a)/[id]/(b-2)/edit.ts", "[id]/(_x)/index.ts", "(v1.2)/index/index.ts"],
].map((file) => {
  const parsed = parseRouteFile(file);
  assert.ok(parsed !== undefined && !isBadName(parsed), file);
  assert.is(formatRouteFile(parsed), file);
  return parsed;
});

test("a folder in parentheses is a group, which adds no segment, and its file comes back as it was", () => {
  const [index, items, nested, inside, beside, deep] = GROUPED;
  assert.equal(index, { segments: [], groups: [{ name: "(a)", at: 0 }] });
  assert.equal(items?.segments, ["items"]);
  assert.equal(nested, {
    segments: ["items"],
    groups: ["(a)", "(b)"].map((name) => ({ name, at: 0 })),
    index: true,
  });
  assert.equal(inside, { segments: ["items"], groups: [{ name: "(a)", at: 1 }] });
  assert.equal(beside?.segments, ["items", "new"]);
  assert.equal(deep?.segments, [{ param: "id" }, "edit"]);
  assert.equal(parseRouteFile("a(b)/c.ts"), { segments: ["a(b)", "c"] });
});

test(".well-known is the one dot folder with routes (RFC 8615)", () => {
  const segments = [".well-known", "security.txt"];
  assert.equal(parseRouteFile(".well-known/security.txt.ts"), { segments });
  assert.is(formatRouteFile({ segments }), ".well-known/security.txt.ts");
  assert.equal(parseRouteFile(".well-known/index.ts"), { segments: [".well-known"] });
  assert.is(formatRouteFile({ segments: [".well-known"] }), ".well-known/index.ts");
  for (const path of [".well-known.ts", ".well-known/.x.ts", ".well-known/_lib/x.ts"])
    assert.is(parseRouteFile(path), undefined, path);
});

test("hidden files, tests, declarations and other endings are no route files", () => {
  const files =
    "_x.ts .x.ts _lib/x.ts .git/x.ts a/_b/c.ts x.d.ts x.test.ts x.spec.ts x.js x.tsx x.mts README.md x".split(
      " ",
    );
  for (const file of files) assert.is(parseRouteFile(file), undefined, file);
});

test("a route file whose name can't be a path is refused with the reason", () => {
  const cases: [string, string][] = [
    ["[...all]/x.ts", "nothing can follow it"],
    ["[...].ts", "can't be the name of a parameter"],
    ["[....x].ts", "mixes brackets"],
    ["[[...all]].ts", "mixes brackets"],
    ["[[id]].ts", "mixes brackets"],
    ["[id]-x.ts", "mixes brackets"],
    ["[id.ts", "mixes brackets"],
    ["[].ts", "can't be the name of a parameter"],
    ["[1a].ts", "can't be the name of a parameter"],
    ["[a-b].ts", "can't be the name of a parameter"],
    ["[class].ts", "`class` is a reserved word"],
    ["con.ts", "Windows reserves it"],
    ["admin/AUX.ts", "Windows reserves it"],
    ["nul/index.ts", "Windows reserves it"],
    ["com1.txt.ts", "Windows reserves it"],
    ["[request].ts", "can't be named `request`"],
    ["[id]/[id].ts", "twice"],
    ["my page.ts", "would have to encode"],
    ["100%.ts", "would have to encode"],
    ["a\x1b[31mb.ts", "mixes brackets"],
    ["a\u202eb.ts", "would have to encode"],
    ["a\\b.ts", "would have to encode"],
    ["(internal).ts", "a group is a folder"],
    ["()/x.ts", "can't be the name of a route group"],
    ["(a)(b)/x.ts", "can't be the name of a route group"],
    ["(..)/x.ts", "can't be the name of a route group"],
    ["(a b)/x.ts", "can't be the name of a route group"],
  ];
  for (const [file, reason] of cases) assert.match(whyOf(parseRouteFile(file)), reason, file);
});

test("brackets with other text are refused with what to write", () => {
  for (const file of ["[[...all]].ts", "[[id]].ts", "by-[name].ts", "name].ts", "1[2].3.ts"]) {
    const parsed = parseRouteFile(file);
    assert.ok(parsed !== undefined && isBadName(parsed), file);
    assert.match(parsed.hint, /^Write it as `\[id\]`, or as `\[\.\.\.path\]`/);
  }
});

test("a path that no route file can serve is refused", () => {
  const cases: [NamedSegment[], string][] = [
    [["_x"], "begin with"],
    [[".git"], "begin with"],
    [["a b"], "encode"],
    [[""], "empty segment"],
    [["[id]"], "encode"],
    [[{ param: "a-b" }], "can't be the name"],
    [[{ param: "id" }, { param: "id" }], "twice"],
  ];
  for (const [segments, reason] of cases) assert.match(whyOf(formatRouteFile({ segments })), reason);
});

test("the exports of a route file are lowercase methods, and DELETE has two names", () => {
  for (const method of METHODS) assert.is(parseMethodExport(formatMethodExport(method)), method);
  assert.is(parseMethodExport("all"), "ALL");
  assert.is(formatMethodExport("ALL"), "all");
  assert.is(parseMethodExport("delete"), "DELETE");
  assert.is(parseMethodExport("del"), "DELETE");
  assert.is(formatMethodExport("DELETE"), "del");
  for (const name of ["GET", "Get", "get_index", "default", "trace", "constructor", ""]) {
    assert.is(parseMethodExport(name), undefined, name);
  }
});

test("a prefix and its segments are each other's inverse", () => {
  for (const segments of sequences(["api", "v1", "my-shop", "a.b", "~x", "@me", "Products"], 4)) {
    assert.equal(parsePrefix(formatPrefix(segments)), segments);
  }
  assert.equal(parsePrefix(""), []);
});

test("a bad prefix is refused with the reason and what was probably meant", () => {
  const cases: [string, string, string][] = [
    ["products", "begin with a slash", "`/products`"],
    ["/products/", "ends with a slash", "`/products`"],
    ["//products", "empty segment", "`/products`"],
    ["/api//v1", "empty segment", "`/api/v1`"],
    ["//", "empty segment", "`/`"],
    ["/a/../b", "dot segment", "`/a/b`"],
    ["/./a", "dot segment", "`/a`"],
    ["/my shop", "have to encode", "letters"],
    ["/caf\u00e9", "have to encode", "letters"],
    ["/a%20b", "have to encode", "letters"],
    ["/a?b", "have to encode", "letters"],
    ["/a#b", "have to encode", "letters"],
    ["/a\\b", "have to encode", "letters"],
    ["/users/<id>", "no params", "letters"],
    ["/users/[id]", "no params", "letters"],
    ["/\x1b[31m", "no params", "letters"],
    ["http://x/y", "whole URL", "`/y`"],
  ];
  for (const [prefix, reason, hint] of cases) {
    const parsed = parsePrefix(prefix);
    if (!isBadName(parsed)) throw new Error(prefix);
    assert.match(parsed.why, reason, prefix);
    assert.ok(parsed.hint.includes(hint), `${prefix}: ${parsed.hint}`);
  }
});

test("a pattern shows params in angle brackets, and keeps the slash of an app's root", () => {
  assert.is(formatPattern([], false), "/");
  assert.is(formatPattern([], true), "/");
  assert.is(formatPattern(["products"], true), "/products/");
  assert.is(
    formatPattern(["users", "by", "id", { name: "user_id", type: "int" }], false),
    "/users/by/id/<user_id>",
  );
  assert.is(formatPattern(["café", "a b", "<x>", "100%"], false), "/café/a%20b/%3Cx%3E/100%25");
});

test.run();
