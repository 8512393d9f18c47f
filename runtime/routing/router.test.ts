import { test } from "uvu";
import * as assert from "uvu/assert";
import { bind } from "#runtime/bound.fixture";
import { fc } from "#runtime/fast-check.fixture";
import { runs } from "#runtime/random.fixture";
import type { ParamValue } from "./param.ts";
import { METHODS, type Method, type Route, type RouteMethod, type Segment } from "./route.ts";
import { createRouter, type Found } from "./router.ts";

interface Item {
  readonly route: Route;
}

/** @example item("GET /users/<int>") */
const item = (text: string): Item => bind(text, () => undefined);

function show(found: Found<Item>): string {
  if (found.kind === "match") {
    const { method, pattern } = found.item.route;
    return [`${method} ${pattern}`, ...found.values.map((value) => JSON.stringify(value))].join(" ");
  }
  return found.kind === "wrong-method" ? `405 ${found.allow.join(",")}` : found.kind;
}

const TABLE = [
  ...["GET /", "GET /products", "POST /products", "GET /products/all", "GET /products/<int>"],
  ...["GET /products/<str>", "DELETE /products/<int>", "GET /users/by/id/<int>", "GET /users/<str>/posts"],
  ...["GET /users/me", "POST /users/me/posts", "GET /a/<int>/x", "GET /a/<str>/y", "GET /a/1/z"],
  ...["HEAD /head", "GET /head", "OPTIONS /own/<str>", "GET /own/thing", "GET /Größe", "GET /__proto__"],
  ...[
    "GET /constructor/<str>",
    "GET /files/new",
    "GET /files/<str[]>",
    "GET /files/<int>/raw",
    "ALL /rpc/<str[]>",
  ],
  ...["POST /rpc/health", "GET /rpc/<str[]>", "ALL /any", "HEAD /any", "GET /<str>/deep/<str[]>"],
].map(item);

const CASES: readonly [request: string, found: string][] = [
  ["GET /", "GET /"],
  ["POST /", "405 GET,HEAD,OPTIONS"],
  ["GET /products/", "GET /products"],
  ["GET /products/all/", "GET /products/all"],
  ["GET /products/al%6c", "GET /products/all"],
  ["GET /products/007", "GET /products/<int> 7"],
  ["GET /products/%37", "GET /products/<int> 7"],
  ["GET /products/9007199254740992", 'GET /products/<str> "9007199254740992"'],
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
  ["PUT /products/7", "405 GET,DELETE,HEAD,OPTIONS"],
  ["PROPFIND /products", "405 GET,POST,HEAD,OPTIONS"],
  // The static segment is tried first and given up: no GET below it.
  ["GET /users/me/posts", 'GET /users/<str>/posts "me"'],
  ["GET /a/1/y", 'GET /a/<str>/y "1"'],
  ["GET /a/1/z", "GET /a/1/z"],
  ["HEAD /head", "HEAD /head"],
  ["OPTIONS /own/thing", 'OPTIONS /own/<str> "thing"'],
  ["GET /Gr%C3%B6%C3%9Fe", "GET /Größe"],
  ["GET /__proto__", "GET /__proto__"],
  ["GET /files/a", 'GET /files/<str[]> ["a"]'],
  ["GET /files/a/b%2Fc/d/", 'GET /files/<str[]> ["a","b/c","d"]'],
  ["HEAD /files/a/b", 'GET /files/<str[]> ["a","b"]'],
  ["GET /files/new", "GET /files/new"],
  ["GET /files/new/a", 'GET /files/<str[]> ["new","a"]'],
  ["GET /files/7/raw", "GET /files/<int>/raw 7"],
  ["GET /files/7/rows", 'GET /files/<str[]> ["7","rows"]'],
  ["GET /x%20y/deep/a/b", 'GET /<str>/deep/<str[]> "x y" ["a","b"]'],
  ["PUT /files/a/b", "405 GET,HEAD,OPTIONS"],
  ["GET /rpc/a/b", 'GET /rpc/<str[]> ["a","b"]'],
  ["HEAD /rpc/a", 'GET /rpc/<str[]> ["a"]'],
  ["PUT /rpc/a", 'ALL /rpc/<str[]> ["a"]'],
  ["OPTIONS /rpc/a", 'ALL /rpc/<str[]> ["a"]'],
  ["PROPFIND /rpc/a", 'ALL /rpc/<str[]> ["a"]'],
  ["PUT /rpc/health", 'ALL /rpc/<str[]> ["health"]'],
  ["POST /rpc/health", "POST /rpc/health"],
  ["HEAD /any", "HEAD /any"],
  ["GET /any", "ALL /any"],
];

const NOWHERE = [
  ...[
    "/products//",
    "//products",
    "//",
    "/Products",
    "/users/by/id/x",
    "/a/2/z",
    "/constructor",
    "/toString",
    "/files",
    "/files/",
    "/files/a//b",
    "/files//a",
    "/files/a//",
  ],
  ...["/products/%41//", `/a${"/a".repeat(5000)}`],
];
const UNREADABLE = [
  ...[
    "/products/%",
    "/products/%zz",
    "/products/%C3",
    "/products/%C0%AF",
    "/products/%ED%A0%80",
    "/products/..",
  ],
  ...[
    "/products/../",
    "/./products",
    "/products/%2e%2E",
    "/products/.%2e",
    "/products/%2e/",
    "/products\\all",
  ],
  ...["/products/a\tb", "/products/a\0b", "/products/é", "/products#all", "products", "/products/%41/../x"],
  ...["/products/all?x", "/nowhere/a/..", "/users/by/name/a\\b", "/users/by/id/x/%zz", "/products/%37/%2E"],
  ...["/files/a/../b", "/files/a/%zz", "/files/a//..", "/files/a\\b/c"],
  ...["*", "", `/a${"/a".repeat(5000)}/..`],
];

const router = createRouter(TABLE);

for (const [request, expected] of [
  ...CASES,
  ...NOWHERE.map((path) => [`GET ${path}`, "no-match"] as const),
  ...UNREADABLE.map((path) => [`GET ${path}`, "bad-path"] as const),
  ["PUT /products/..", "bad-path"] as const,
]) {
  test(`${JSON.stringify(request).slice(1, 40)} finds ${expected}`, () => {
    const space = request.indexOf(" ");
    assert.is(show(router.find(request.slice(0, space), request.slice(space + 1))), expected);
  });
}

test("an empty table matches nothing", () =>
  assert.is(show(createRouter<Item>([]).find("GET", "/")), "no-match"));

test("texts with one hash are told apart", () => {
  const router = createRouter(["GET /bA", "GET /ca", "GET /x/bA/<int>"].map(item));
  for (const [path, expected] of [
    ["/bA", "GET /bA"],
    ["/ca", "GET /ca"],
    ["/x/bA/1", "GET /x/bA/<int> 1"],
    ["/x/ca/1", "no-match"],
  ] as const)
    assert.is(show(router.find("GET", path)), expected);
});

test("every route of a large table is found, and nothing beside it", () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-c0-2_-]{1,6}$/), { minLength: 100, maxLength: 400 });
  fc.assert(
    fc.property(names, (texts) => {
      const isServed = (_: string, at: number): boolean => at % 2 === 0;
      const routes = texts.filter(isServed).flatMap((text) => [`GET /${text}`, `GET /x/${text}/<int>`]);
      const large = createRouter(routes.map(item));
      for (const [at, text] of texts.entries()) {
        const found = [large.find("GET", `/${text}`), large.find("GET", `/x/${text}/7`)].map(show);
        const expected = [`GET /${text}`, `GET /x/${text}/<int> 7`];
        assert.equal(found, isServed(text, at) ? expected : ["no-match", "no-match"]);
      }
    }),
    { numRuns: 50 },
  );
});

const word = fc.constantFrom("a", "b", "ab", "A", "a-b", "7", "42", "café", "a b");
const segment = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 2, arbitrary: fc.constantFrom("<int>", "<str>") },
);
const method = fc.constantFrom(...METHODS);
const ownMethod = fc.constantFrom<RouteMethod>(...METHODS, "ALL");
const end = fc.constantFrom<string[]>([], [], [], ["<str[]>"]);
const path = fc.tuple(fc.array(segment, { maxLength: 5 }), end).map(([parts, rest]) => [...parts, ...rest]);
const table = fc.array(fc.tuple(ownMethod, path), { maxLength: 25 });
const text = fc
  .oneof(
    word,
    fc.constantFrom("0", "007", "7a", "a/b", "%", "%41", "...", "x.y", "😀", "a;b", "a+b", "9".repeat(16)),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }),
  )
  .filter((one) => one !== "." && one !== "..");

/** A path made from a route's, so that most of them come near some route. */
const recipe = fc.record({
  method: fc.option(method),
  route: fc.nat(),
  texts: fc.array(text, { minLength: 6, maxLength: 6 }),
  change: fc.constantFrom("none", "none", "none", "replace", "insert", "remove"),
  at: fc.nat(),
  isSpelledOut: fc.boolean(),
  hasSlash: fc.boolean(),
});

type Recipe = typeof recipe extends fc.Arbitrary<infer T> ? T : never;

/** @returns the decoded texts of a path. */
function toTexts(segments: readonly Segment[], { texts, change, at }: Recipe): readonly string[] {
  const values = segments.flatMap((one, index) => {
    if (typeof one === "string") return one;
    if (one.type === "str[]") return texts.slice(0, 1 + (at % 3));
    return one.type === "int" ? String(at) : (texts[index] ?? "");
  });
  const place = at % (values.length + 1);
  if (change === "none") return values;
  const added = change === "remove" ? [] : [texts[5] ?? ""];
  return values.toSpliced(place, change === "insert" ? 0 : 1, ...added);
}

/** Every byte as a percent sign and two digits, which no client does and every server has to read. */
function spellOut(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

const RECIPES = 40;
const TABLES = runs(100, 10_000);

test("it finds what trying every route in order of precedence finds, however the path is spelled", () => {
  const counts: Record<string, number> = {};
  fc.assert(
    fc.property(table, fc.array(recipe, { maxLength: RECIPES, size: "max" }), (rows, recipes) => {
      const items = toItems(rows);
      const router = createRouter(items);
      for (const one of recipes) {
        const near = items[one.route % items.length]?.route;
        const texts = toTexts(near?.segments ?? [], one);
        const method = one.method ?? (near && near.method !== "ALL" ? near.method : "GET");
        const spelled = texts.map(one.isSpelledOut ? spellOut : encodeURIComponent);
        const path = `/${spelled.join("/")}${one.hasSlash && texts.length > 0 ? "/" : ""}`;
        const found = router.find(method, path);
        assert.is(show(found), findSlowly(items, method, texts), `${method} ${path}`);
        counts[found.kind] = (counts[found.kind] ?? 0) + 1;
      }
    }),
    { numRuns: TABLES },
  );
  // What only ever missed, or never did, would hold nothing.
  for (const kind of ["match", "wrong-method", "no-match"])
    assert.ok((counts[kind] ?? 0) > TABLES, JSON.stringify(counts));
});

function toItems(rows: readonly (readonly [RouteMethod, readonly string[]])[]): Item[] {
  return [...new Set(rows.map(([method, parts]) => `${method} /${parts.join("/")}`))].map(item);
}

/** Obviously right: sorts all the routes that fit, segment by segment. */
function findSlowly(items: readonly Item[], method: Method, texts: readonly string[]): string {
  const fitting = items.filter(({ route }) => fits(route.segments, texts)).sort(byPrecedence);
  const best = fitting.find(({ route }) => answers(route, method, items));
  if (best !== undefined) {
    const values = best.route.segments.flatMap((part, index): ParamValue[] => {
      if (typeof part === "string") return [];
      if (part.type === "str[]") return [texts.slice(index)];
      return [part.type === "int" ? Number(texts[index]) : (texts[index] ?? "")];
    });
    return show({ kind: "match", item: best, values });
  }
  const serves = new Set<string>(fitting.map(({ route }) => route.method)).add("OPTIONS");
  if (serves.has("GET")) serves.add("HEAD");
  return fitting.length === 0 ? "no-match" : `405 ${METHODS.filter((each) => serves.has(each)).join(",")}`;
}

function answers({ method: own, pattern }: Route, method: Method, items: readonly Item[]): boolean {
  const has = (other: Method): boolean =>
    items.some(({ route }) => route.method === other && route.pattern === pattern);
  if (own === method || (method === "HEAD" && own === "GET" && !has("HEAD"))) return true;
  return own === "ALL" && !has(method) && !(method === "HEAD" && has("GET"));
}

function fits(segments: readonly Segment[], texts: readonly string[]): boolean {
  const last = segments.at(-1);
  const isWhole = typeof last === "object" && last.type === "str[]";
  return (
    (isWhole ? texts.length >= segments.length : segments.length === texts.length) &&
    segments.every((part, index) => fitsOne(part, texts[index] ?? ""))
  );
}

function fitsOne(part: Segment, text: string): boolean {
  if (typeof part === "string") return part === text;
  return part.type !== "int" || (/^[0-9]+$/.test(text) && Number.isSafeInteger(Number(text)));
}

function byPrecedence(left: Item, right: Item): number {
  const rank = (part: Segment = ""): number =>
    typeof part === "string" ? -1 : ["int", "str", "str[]"].indexOf(part.type);
  const ranks = left.route.segments.map((part, index) => rank(part) - rank(right.route.segments[index]));
  return ranks.find((difference) => difference !== 0) ?? 0;
}

const piece = fc.constantFrom(
  ...["a", "b", "7", ".", "%2e", "%2E", "/", "\\", "%5c", "%2f", "%", "%41", "%c3%a9", "%ff", ":", "@", "é"],
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
      const texts = new URL(`http://host${path}`).pathname.split("/").map(decodeURIComponent);
      assert.equal(found.values, texts.filter(Boolean));
    }),
    { numRuns: runs(500, 50_000) },
  );
});

test("a path is refused when some part of it can't be read, whichever routes there are and however far it fits them", () => {
  fc.assert(
    fc.property(table, rawPath, (rows, path) => {
      const { kind } = createRouter(toItems(rows)).find("GET", path);
      assert.is(kind === "bad-path", !canBeRead(path));
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
