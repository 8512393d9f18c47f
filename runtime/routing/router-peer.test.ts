/** Holds the router against find-my-way on random tables that both can express. */

import createPeer from "find-my-way";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { fc } from "#runtime/fast-check.fixture";
import { runs } from "#runtime/random.fixture";
import type { Method, Route, Segment } from "./route.ts";
import { createRouter } from "./router.ts";

const TABLES = runs(100, 10_000);
const MOST_PATHS = 60;
/** Of each kind: what only ever missed, or never did, would hold nothing. */
const LEAST = runs(400, 40_000);

// In both, static beats int beats str in each segment, with backtracking, and case counts. Not asked, because the two are meant
// to differ: an empty segment is a param to find-my-way, HEAD and 405 are its user's business, it takes raw text that we answer
// with 400 (a backslash, a dot segment, `é`), and an int above 2^53−1 is text that looks like any other.
const word = fc.constantFrom("a", "b", "ab", "abc", "A", "a-b", "a_b", "7", "42", "café", "a b");
const param = fc.constantFrom("int" as const, "str" as const);
const segment = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 2, arbitrary: param.map((type): Segment => ({ name: "", type })) },
);
const method = fc.constantFrom<Method>("GET", "POST", "DELETE");
const row = fc.record({ method, segments: fc.array(segment, { maxLength: 5 }) });
const table = fc.uniqueArray(row, { minLength: 1, maxLength: 25, selector: shapeOf });

const text = fc
  .oneof(
    word,
    fc.constantFrom(
      "0",
      "007",
      "1234567890",
      "7a",
      "a/b",
      "%",
      "a%2Fb",
      "%41",
      "...",
      "x.y",
      "😀",
      "a;b",
      "a:b",
      "a+b",
    ),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }),
  )
  .filter((one) => one !== "." && one !== ".." && !/^[0-9]{16,}$/.test(one));

/** A path made from a route's, so that most of them come near some route. */
const recipe = fc.record({
  otherMethod: fc.option(method),
  route: fc.nat(),
  texts: fc.array(text, { minLength: 6, maxLength: 6 }),
  number: fc.nat(),
  change: fc.constantFrom("none", "none", "none", "replace", "insert", "remove", "forget"),
  at: fc.nat(),
  isSpelledOut: fc.boolean(),
  hasSlash: fc.boolean(),
});

interface Row {
  readonly method: Method;
  readonly segments: readonly Segment[];
}

type Recipe = typeof recipe extends fc.Arbitrary<infer T> ? T : never;

function shapeOf({ method, segments }: Row): string {
  return JSON.stringify([method, segments]);
}

function toRoute({ method, segments }: Row): Route {
  const named = segments.map(
    (one, at): Segment => (typeof one === "string" ? one : { ...one, name: `p${at}` }),
  );
  const location = { file: "views.ts", line: 1, column: 1 };
  const rest = { handler: "h", module: "views.ts", app: null, convention: "views", location } as const;
  return { method, pattern: "", segments: named, arguments: [], ...rest };
}

function toPeerPattern({ segments }: Route): string {
  const parts = segments.map((one) => {
    if (typeof one === "string") return one;
    return one.type === "int" ? `:${one.name}(^[0-9]+$)` : `:${one.name}`;
  });
  return `/${parts.join("/")}`;
}

function toPath(route: Route, { texts, number, change, at, isSpelledOut, hasSlash }: Recipe): string {
  const [extra = "", ...values] = texts;
  const parts = route.segments.map((one, index) => {
    if (typeof one === "string") return one;
    return one.type === "int" ? `${number}` : (values[index] ?? "");
  });
  const place = at % (parts.length + 1);
  if (change === "replace") parts.splice(place, 1, extra);
  if (change === "insert") parts.splice(place, 0, extra);
  if (change === "remove") parts.splice(place, 1);
  if (change === "forget") parts.splice(0, parts.length, ...values.slice(0, place));
  const encoded = parts.map((part, index) =>
    isSpelledOut && index === place ? spellOut(part) : encodeURIComponent(part),
  );
  return `/${encoded.join("/")}${hasSlash && parts.length > 0 ? "/" : ""}`;
}

/** Every byte as a percent sign and two digits, which no client does and every server has to read. */
function spellOut(part: string): string {
  return [...Buffer.from(part)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

interface Answer {
  readonly route: number;
  readonly values: readonly (string | number | undefined)[];
}

type Find = (method: Method, path: string) => Answer | "miss";

function createOurs(routes: readonly Route[]): Find {
  const router = createRouter(routes.map((route, index) => ({ route, index })));
  return (method, path) => {
    const found = router.find(method, path);
    if (found.kind === "match") return { route: found.item.index, values: found.values };
    assert.is.not(found.kind, "bad-path");
    return "miss";
  };
}

function createTheirs(routes: readonly Route[]): Find {
  const peer = createPeer({ ignoreTrailingSlash: true, maxParamLength: 1000 });
  routes.forEach((route, index) => {
    peer.on(route.method, toPeerPattern(route), () => {}, { index });
  });
  return (method, path) => {
    const found = peer.find(method, path);
    if (found === null) return "miss";
    const { index } = found.store as { readonly index: number };
    const params = (routes[index]?.segments ?? []).filter((one) => typeof one !== "string");
    const values = params.map(({ name, type }) => {
      const value = found.params[name];
      return type === "int" ? Number(value) : value;
    });
    return { route: index, values };
  };
}

test(`on ${TABLES} random tables it finds what find-my-way finds: at least ${LEAST} matches and ${LEAST} misses`, () => {
  const counts = { match: 0, miss: 0 };
  fc.assert(
    fc.property(table, fc.array(recipe, { maxLength: MOST_PATHS, size: "max" }), (rows, recipes) => {
      const routes = rows.map(toRoute);
      const [ours, theirs] = [createOurs(routes), createTheirs(routes)];
      for (const one of recipes) {
        const route = routes[one.route % routes.length] as Route;
        const method = one.otherMethod ?? route.method;
        const path = toPath(route, one);
        // To find-my-way an empty segment.
        if (path === "/") continue;
        const expected = theirs(method, path);
        assert.equal(ours(method, path), expected, `${method} ${path}`);
        counts[expected === "miss" ? "miss" : "match"]++;
      }
    }),
    { numRuns: TABLES },
  );
  assert.ok(Math.min(counts.match, counts.miss) >= LEAST, JSON.stringify(counts));
});

test.run();
