import { test } from "uvu";
import * as assert from "uvu/assert";
import { fc } from "#runtime/fast-check.fixture";
import { runs } from "#runtime/random.fixture";
import { METHODS, type Method, type Route, type Segment } from "./route.ts";
import { createRouter, type Found } from "./router.ts";

interface Item {
  readonly route: Route;
}

/** @example item("GET /users/<int>") */
function item(text: string): Item {
  const [method = "", pattern = ""] = text.split(" ");
  const segments = pattern.split("/").filter(Boolean).map(toSegment);
  return { route: toRoute(method as Method, segments, pattern) };
}

function toSegment(text: string, index: number): Segment {
  return text === "<int>" || text === "<str>"
    ? { name: `p${index}`, type: text === "<int>" ? "int" : "str" }
    : text;
}

function toRoute(method: Method, segments: readonly Segment[], pattern: string): Route {
  const location = { file: "views.ts", line: 1, column: 1 };
  const rest = { handler: "h", module: "views.ts", app: null, convention: "views", location } as const;
  return { method, pattern, segments, arguments: [], ...rest };
}

function show(found: Found<Item>): string {
  if (found.kind === "match") {
    const { method, pattern } = found.item.route;
    return [`${method} ${pattern}`, ...found.values.map((value) => JSON.stringify(value))].join(" ");
  }
  return found.kind === "wrong-method" ? `405 ${found.allow.join(",")}` : found.kind;
}

const TABLE = [
  "GET /",
  "GET /products",
  "POST /products",
  "GET /products/all",
  "GET /products/<int>",
  "GET /products/<str>",
  "DELETE /products/<int>",
  "GET /users/by/id/<int>",
  "GET /users/<str>/posts",
  "GET /users/me",
  "POST /users/me/posts",
  "GET /a/<int>/x",
  "GET /a/<str>/y",
  "GET /a/1/z",
  "HEAD /head",
  "GET /head",
  "OPTIONS /own/<str>",
  "GET /own/thing",
  "GET /Größe",
  "GET /__proto__",
  "GET /constructor/<str>",
].map(item);

const CASES: [string, string][] = [
  ["GET /", "GET /"],
  ["POST /", "405 GET,HEAD,OPTIONS"],
  ["GET /products", "GET /products"],
  ["GET /products/", "GET /products"],
  ["GET /products//", "no-match"],
  ["GET //products", "no-match"],
  ["GET //", "no-match"],
  ["GET /products/all", "GET /products/all"],
  ["GET /products/all/", "GET /products/all"],
  ["GET /products/al%6c", "GET /products/all"],
  ["GET /Products", "no-match"],
  ["GET /products/7", "GET /products/<int> 7"],
  ["GET /products/7/", "GET /products/<int> 7"],
  ["GET /products/007", "GET /products/<int> 7"],
  ["GET /products/%37", "GET /products/<int> 7"],
  ["GET /products/9007199254740992", 'GET /products/<str> "9007199254740992"'],
  ["GET /products/seven", 'GET /products/<str> "seven"'],
  ["GET /products/a%2Fb", 'GET /products/<str> "a/b"'],
  ["GET /products/a%252Fb", 'GET /products/<str> "a%2Fb"'],
  ["GET /products/a+b", 'GET /products/<str> "a+b"'],
  ["GET /products/%5C", 'GET /products/<str> "\\\\"'],
  ["GET /products/%00", 'GET /products/<str> "\\u0000"'],
  ["GET /products/...", 'GET /products/<str> "..."'],
  ["GET /products/.a", 'GET /products/<str> ".a"'],
  ["GET /products/%F0%9F%98%80", 'GET /products/<str> "😀"'],
  ["DELETE /products/7", "DELETE /products/<int> 7"],
  ["DELETE /products/x", "405 GET,HEAD,OPTIONS"],
  ["DELETE /products/all", "405 GET,HEAD,OPTIONS"],
  ["PUT /products/7", "405 GET,DELETE,HEAD,OPTIONS"],
  ["PUT /products", "405 GET,POST,HEAD,OPTIONS"],
  ["PROPFIND /products", "405 GET,POST,HEAD,OPTIONS"],
  ["GET /users/by/id/x", "no-match"],
  ["GET /users/me", "GET /users/me"],
  // The static segment is tried first and given up: no GET below it.
  ["GET /users/me/posts", 'GET /users/<str>/posts "me"'],
  ["POST /users/me/posts", "POST /users/me/posts"],
  ["PUT /users/me/posts", "405 GET,POST,HEAD,OPTIONS"],
  ["GET /a/1/x", "GET /a/<int>/x 1"],
  ["GET /a/1/y", 'GET /a/<str>/y "1"'],
  ["GET /a/1/z", "GET /a/1/z"],
  ["GET /a/2/z", "no-match"],
  ["HEAD /products/7", "GET /products/<int> 7"],
  ["HEAD /head", "HEAD /head"],
  ["OPTIONS /own/thing", 'OPTIONS /own/<str> "thing"'],
  ["OPTIONS /products", "405 GET,POST,HEAD,OPTIONS"],
  ["GET /Gr%C3%B6%C3%9Fe", "GET /Größe"],
  ["GET /__proto__", "GET /__proto__"],
  ["GET /constructor", "no-match"],
  ["GET /toString", "no-match"],
  ["GET /products/%", "bad-path"],
  ["GET /products/%zz", "bad-path"],
  ["GET /products/%C3", "bad-path"],
  ["GET /products/%C0%AF", "bad-path"],
  ["GET /products/%ED%A0%80", "bad-path"],
  ["GET /products/..", "bad-path"],
  ["GET /products/../", "bad-path"],
  ["GET /./products", "bad-path"],
  ["GET /products/%2e%2E", "bad-path"],
  ["GET /products/.%2e", "bad-path"],
  ["GET /products/%2e/", "bad-path"],
  ["GET /products\\all", "bad-path"],
  ["GET /products/a\tb", "bad-path"],
  ["GET /products/a\u0000b", "bad-path"],
  ["GET /products/é", "bad-path"],
  ["GET /products#all", "bad-path"],
  ["GET products", "bad-path"],
  ["GET /products/%41/../x", "bad-path"],
  ["GET /products/%41//", "no-match"],
  ["GET /products/all?x", "bad-path"],
  ["GET /nowhere/a/..", "bad-path"],
  ["GET /users/by/name/a\\b", "bad-path"],
  ["GET /users/by/id/x/%zz", "bad-path"],
  ["PUT /products/..", "bad-path"],
  ["GET /products/%37/%2E", "bad-path"],
  ["GET *", "bad-path"],
  ["GET ", "bad-path"],
];

const router = createRouter(TABLE);

for (const [request, expected] of CASES) {
  test(`${JSON.stringify(request).slice(1, -1)} finds ${expected}`, () => {
    const space = request.indexOf(" ");
    assert.is(show(router.find(request.slice(0, space), request.slice(space + 1))), expected);
  });
}

test("an empty table matches nothing", () => {
  assert.is(show(createRouter<Item>([]).find("GET", "/")), "no-match");
});

test("texts with one hash are told apart", () => {
  const router = createRouter(["GET /bA", "GET /ca", "GET /x/bA/<int>"].map(item));
  for (const [path, expected] of [
    ["/bA", "GET /bA"],
    ["/ca", "GET /ca"],
    ["/x/bA/1", "GET /x/bA/<int> 1"],
    ["/x/ca/1", "no-match"],
  ]) {
    assert.is(show(router.find("GET", path ?? "")), expected);
  }
});

test("every route of a large table is found, and nothing beside it", () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-c0-2_-]{1,6}$/), { minLength: 100, maxLength: 400 });
  fc.assert(
    fc.property(names, (texts) => {
      const [served = [], missing = []] = [0, 1].map((half) => texts.filter((_, at) => at % 2 === half));
      const large = createRouter(
        served.flatMap((text) => [`GET /${text}`, `GET /x/${text}/<int>`].map(item)),
      );
      for (const text of served) {
        assert.is(show(large.find("GET", `/${text}`)), `GET /${text}`);
        assert.is(show(large.find("GET", `/x/${text}/7`)), `GET /x/${text}/<int> 7`);
      }
      for (const text of missing) {
        assert.is(show(large.find("GET", `/${text}`)), "no-match");
        assert.is(show(large.find("GET", `/x/${text}/7`)), "no-match");
      }
    }),
    { numRuns: 50 },
  );
});

test("a path of many more segments than any route has is no match", () => {
  assert.is(show(router.find("GET", `/a${"/a".repeat(5000)}`)), "no-match");
  assert.is(show(router.find("GET", `/a${"/a".repeat(5000)}/..`)), "bad-path");
});

const segment = fc.constantFrom("a", "b", "7", "<int>", "<str>");
const table = fc.array(fc.tuple(fc.constantFrom(...METHODS), fc.array(segment, { maxLength: 4 })), {
  maxLength: 12,
});
const path = fc.array(fc.constantFrom("a", "b", "7", "07", "%61", "c"), { maxLength: 4 });

test("it finds what trying every route in order of precedence finds", () => {
  fc.assert(
    fc.property(table, fc.constantFrom(...METHODS), path, fc.boolean(), (rows, method, texts, hasSlash) => {
      const shapes = new Map(
        rows.map(([verb, parts]) => [`${verb} /${parts.join("/")}`, item(`${verb} /${parts.join("/")}`)]),
      );
      const items = [...shapes.values()];
      const target = `/${texts.join("/")}${hasSlash && texts.length > 0 ? "/" : ""}`;
      assert.is(show(createRouter(items).find(method, target)), findSlowly(items, method, texts));
    }),
    { numRuns: runs(300, 30_000) },
  );
});

/** Obviously right: sorts all the routes that fit, segment by segment. */
function findSlowly(items: readonly Item[], method: Method, raw: readonly string[]): string {
  const texts = raw.map(decodeURIComponent);
  const fitting = items.filter(({ route }) => fits(route.segments, texts)).sort(byPrecedence);
  const ofMethod = fitting.filter(({ route }) => answers(route, method, items));
  const [best] = ofMethod;
  if (best !== undefined) {
    const values = best.route.segments.flatMap((part, index) =>
      typeof part === "string" ? [] : [value(part.type, texts[index])],
    );
    return show({ kind: "match", item: best, values });
  }
  const serves = new Set<string>(fitting.map(({ route }) => route.method));
  if (serves.has("GET")) serves.add("HEAD");
  serves.add("OPTIONS");
  return fitting.length === 0 ? "no-match" : `405 ${METHODS.filter((each) => serves.has(each)).join(",")}`;
}

function answers(route: Route, method: Method, items: readonly Item[]): boolean {
  if (route.method === method) return true;
  const hasOwnHead = items.some(
    (other) => other.route.method === "HEAD" && other.route.pattern === route.pattern,
  );
  return method === "HEAD" && route.method === "GET" && !hasOwnHead;
}

function fits(segments: readonly Segment[], texts: readonly string[]): boolean {
  return (
    segments.length === texts.length && segments.every((part, index) => fitsOne(part, texts[index] ?? ""))
  );
}

function fitsOne(part: Segment, text: string): boolean {
  if (typeof part === "string") return part === text;
  return part.type === "str" || /^[0-9]+$/.test(text);
}

function value(type: "int" | "str", text = ""): string | number {
  return type === "int" ? Number(text) : text;
}

function byPrecedence(left: Item, right: Item): number {
  const ranks = left.route.segments.map(
    (part, index) => rank(part) - rank(right.route.segments[index] ?? ""),
  );
  return ranks.find((difference) => difference !== 0) ?? 0;
}

function rank(part: Segment): number {
  return typeof part === "string" ? 0 : part.type === "int" ? 1 : 2;
}

const piece = fc.constantFrom(
  "a",
  "b",
  "7",
  ".",
  "%2e",
  "%2E",
  "/",
  "\\",
  "%5c",
  "%2f",
  "%",
  "%41",
  "%c3%a9",
  "%ff",
  ":",
  "@",
  "é",
);
const oddPiece = fc.constantFrom("\t", ";", "|", "{", "#", "?", " ", "\u007f");
const rawPath = fc
  .array(fc.oneof({ weight: 4, arbitrary: piece }, oddPiece), { maxLength: 8 })
  .map((pieces) => `/${pieces.join("")}`);

test("any path that it accepts is read the same by the URL parser", () => {
  const router = createRouter(["GET /", "GET /<str>", "GET /<str>/<str>"].map(item));
  fc.assert(
    fc.property(rawPath, (path) => {
      const found = router.find("GET", path);
      if (found.kind !== "match") return;
      const { pathname } = new URL(`http://host${path}`);
      const texts = pathname.split("/").slice(1).map(decodeURIComponent);
      assert.equal(
        found.values,
        texts.filter((text) => text !== ""),
      );
    }),
    { numRuns: runs(500, 50_000) },
  );
});

test("a path is refused when some part of it can't be read, whichever routes there are and however far it fits them", () => {
  fc.assert(
    fc.property(table, rawPath, (rows, path) => {
      const router = createRouter(rows.map(([verb, parts]) => item(`${verb} /${parts.join("/")}`)));
      assert.is(router.find("GET", path).kind === "bad-path", !canBeRead(path));
    }),
    { numRuns: runs(1_000, 100_000) },
  );
});

function canBeRead(path: string): boolean {
  if (/[^!-~]|[\\#?]/.test(path)) return false;
  try {
    return path.split("/").every((text) => ![".", ".."].includes(decodeURIComponent(text)));
  } catch {
    return false;
  }
}

test.run();
