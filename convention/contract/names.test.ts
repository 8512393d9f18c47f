import { test } from "uvu";
import * as assert from "uvu/assert";
import { METHODS, type Method, type Segment } from "#runtime/routing/route";
import { nameOperations } from "./names.ts";

interface Path {
  readonly method: Method;
  readonly segments: readonly Segment[];
}

/** @example parse("GET /users/by/id/<user_id>") */
function parse(route: string): Path {
  const [method, path = ""] = route.split(/ (.*)/);
  const texts = path.split("/").filter((text) => text !== "");
  return {
    method: method as Method,
    segments: texts.map((text) => {
      const name = /^<(.*)>$/.exec(text)?.[1];
      return name === undefined ? text : { name, type: "str" };
    }),
  };
}

const NAMES: readonly [route: string, name: string][] = [
  ["GET /", "getRoot"],
  ["DELETE /", "deleteRoot"],
  ["OPTIONS /items", "optionsItems"],
  ["GET /items", "getItems"],
  ["GET /items/<item_id>", "getItemsByItemId"],
  ["GET /items/<itemId>", "getItemsByItemId"],
  ["GET /<slug>", "getBySlug"],
  ["GET /users/by/id/<user_id>", "getUsersById"],
  ["GET /users/by/id/<id>", "getUsersById"],
  ["GET /users/by/username/<username>", "getUsersByUsername"],
  ["GET /users/by/user/id/<user_id>", "getUsersByUserId"],
  ["GET /users/by-id/<user_id>", "getUsersById"],
  ["GET /users/by/name/and/age/<name>/<age>", "getUsersByNameAndAge"],
  ["GET /users/by/id/<user_id>/<order_id>", "getUsersByIdByOrderId"],
  ["GET /users/by/id/<user_id>/posts/<post_id>", "getUsersByIdPostsByPostId"],
  ["GET /users/by/<key>/id/<id>", "getUsersByByKeyId"],
  ["GET /users/id/<id>", "getUsersIdById"],
  ["GET /users/<user_id>/posts/<post_id>", "getUsersByUserIdPostsByPostId"],
  ["POST /api/v1/products", "postApiV1Products"],
  ["GET /my-page.html", "getMyPageHtml"],
  ["GET /2fa", "get2Fa"],
  ["GET /HTMLPages", "getHTMLPages"],
  ["GET /café", "getCafe"],
  ["GET /日本", "getU65E5U672C"],
  ["GET /~", "getU7E"],
  ["GET /items/<$id>", "getItemsById"],
];

for (const [route, name] of NAMES)
  test(`${route} is ${name}`, () => {
    assert.equal([...nameOperations([parse(route)]).values()], [name]);
  });

const COLLISIONS: readonly [routes: readonly string[], names: readonly string[]][] = [
  [
    ["GET /a-b", "GET /a/b"],
    ["getAB2", "getAB"],
  ],
  [
    ["GET /a/b", "GET /a-b", "GET /a.b"],
    ["getAB", "getAB2", "getAB3"],
  ],
  [
    ["GET /", "GET /root"],
    ["getRoot2", "getRoot"],
  ],
  [
    ["GET /users/by/id/<user_id>", "GET /users/by/id"],
    ["getUsersByIdByUserId", "getUsersById"],
  ],
  [
    ["GET /a-b", "GET /a/b", "GET /aB2"],
    ["getAB3", "getAB", "getAB2"],
  ],
];

for (const [routes, names] of COLLISIONS)
  test(`${routes.join(", ")} are ${names.join(", ")}`, () => {
    assert.equal(nameAll(routes), names);
    assert.equal(nameAll([...routes].reverse()), [...names].reverse());
  });

function nameAll(routes: readonly string[]): string[] {
  return [...nameOperations(routes.map(parse)).values()];
}

/** Paths of what people write, and of what they seldom write. */
function randomRoutes(seed: number, count: number): string[] {
  const random = createRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T;
  const words = ["users", "by", "id", "a", "A", "b", "a-b", "a_b", "v1", "é", "日", "%", "", "delete", "2"];
  const params = ["<id>", "<user_id>", "<a>", "<userId>", "<$>", "<日>"];
  const routes = Array.from({ length: count }, () => {
    const texts = Array.from({ length: random(5) }, () => pick(random(3) === 0 ? params : words));
    return `${pick(METHODS)} /${texts.filter((text) => text !== "").join("/")}`;
  });
  return [...new Set(routes)];
}

function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test("names are identifiers in ASCII, each of one route alone, whatever the order of the routes", () => {
  for (let seed = 0; seed < 50; seed++) {
    const routes = randomRoutes(seed, 100);
    const names = nameAll(routes);
    for (const name of names) assert.match(name, /^[a-z]+[A-Z0-9][A-Za-z0-9]*$/);
    assert.is(new Set(names).size, routes.length);
    assert.equal(nameAll([...routes].reverse()).reverse(), names);
  }
});

test("a route that is added under another name changes none", () => {
  for (let seed = 0; seed < 50; seed++) {
    const [added = "", ...routes] = randomRoutes(seed, 40);
    const { segments, method } = parse(added);
    const unrelated = { method, segments: [...segments, "unrelated"] };
    const parsed = routes.map(parse);
    const before = [...nameOperations(parsed).values()];
    assert.equal([...nameOperations([unrelated, ...parsed]).values()].slice(1), before);
  }
});

test("a name that was chosen is the route's, unless it is no identifier or another route has it before", () => {
  const chosen = ["list", undefined, "list", "list items", "getB", "default"];
  const routes = ["GET /a", "GET /b", "GET /c", "GET /d", "GET /e", "GET /f"].map(parse);
  const names = nameOperations(routes, (route) => chosen[routes.indexOf(route)]);
  assert.equal([...names.values()], ["list", "getB2", "getC", "getD", "getB", "default"]);
});

test("neither the file nor the handler takes part", () => {
  const route = { ...parse("GET /items"), handler: "get", module: "routes/items.ts" };
  const moved = { ...route, handler: "get_index", module: "apps/items/views.ts" };
  assert.equal([...nameOperations([route]).values()], [...nameOperations([moved]).values()]);
});

test.run();
