/** Requests to the typed handlers that a seed makes out of good ones: JSON that almost fits, and texts with something else in them. */

import { changeOne } from "#convention/wire/random-values.fixture";
import { createRandom, pick, type Random } from "#runtime/random.fixture";

export interface Fuzzed {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A value that no refusal may repeat. */
export const SECRET = "never-to-be-repeated";

const ORDER = {
  id: "0190f2a4-7c1e-7b1a-9c51-3a1f0e1b2c3d",
  state: "paid",
  contact: { kind: "email", email: "ada@example.com" },
  lines: [{ sku: "lamp", count: 2, price: 12.5, note: null }],
  tags: ["a", "b"],
  day: "2026-11-22",
  at: "2026-11-22T10:30:00Z",
  site: "https://example.com/a",
  size: [1, 2, 3],
  weight: "12kg",
  labels: { a: "x", b: 1 },
  extra: [null, { a: true }],
};
const TREE = {
  label: "a",
  children: [
    { label: "b", children: [] },
    { label: "c", children: [] },
  ],
};

const BODIES: readonly { readonly method: "POST" | "PUT"; readonly path: string; readonly value: unknown }[] =
  [
    { method: "POST", path: "/orders", value: ORDER },
    { method: "PUT", path: "/orders", value: ORDER },
    { method: "POST", path: "/trees", value: TREE },
    { method: "POST", path: "/anything", value: ORDER },
    { method: "POST", path: "/numbers", value: [1, 2, 3, 2 ** 53] },
    { method: "POST", path: "/texts", value: { a: "b", c: "d" } },
    { method: "PUT", path: "/texts", value: { email: "ada@example.com" } },
  ];

const TYPES: readonly string[] = [
  ...Array<string>(12).fill("application/json"),
  "application/json; charset=utf-16",
  "application/problem+json",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
];

const QUERIES: readonly string[] = [
  "/search?q=lamp&limit=20&exact=true&sort=-name&tag=a&tag=b&score=1.5e3",
  "/pages?page=2&tag=a&tag=b&on=false",
  "/pages?",
  `/search?q=${SECRET}&limit=x`,
];

const FORMS: readonly (readonly [type: string, body: string])[] = [
  ["application/x-www-form-urlencoded", "title=lamp&count=2&agree=true&tag=a&tag=b"],
  [
    "multipart/form-data; boundary=x",
    [
      '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nlamp\r\n--x\r\nContent-Disposition: form-data; ',
      'name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--x\r\n',
      'Content-Disposition: form-data; name="count"\r\n\r\n2\r\n--x--\r\n',
    ].join(""),
  ],
];

const CREDENTIALS: readonly Fuzzed[] = [
  {
    method: "GET",
    path: "/me",
    headers: {
      authorization: "Bearer abc.def-1",
      cookie: "theme=dark; b=%20",
      "if-none-match": '"a", W/"b"',
    },
  },
  {
    method: "GET",
    path: "/keys",
    headers: { authorization: "Basic YWRhOmxhbXA=", "x-key": "k", "x-count": "3" },
  },
];

const PIECES: readonly string[] = [
  ...'\0|\\u0000|\\ud800|%00|%ff|%|&|&&|=|==|;|,|"|{|}|[|]|:|-|+|e|1e400|-0|0x1|99999999999999999999|null|true|NaN|é|😀|\r\n|--x|--x--'.split(
    "|",
  ),
  '"__proto__":{"a":1},',
  '"constructor":{"prototype":{"a":1}},',
  "&__proto__=1&constructor.prototype=1",
  "&tag=a".repeat(50),
  "[".repeat(1500),
  '{"a":'.repeat(1500),
  "x".repeat(5000),
];

export function makeRequest(seed: number): Fuzzed {
  const random = createRandom(seed);
  const make = pick(random, [nearlyFitting, brokenBody, query, form, credentials]);
  return make(random);
}

function nearlyFitting(random: Random): Fuzzed {
  const { method, path, value } = pick(random, BODIES);
  let changed = value;
  for (let changes = random(4); changes > 0; changes--) changed = changeOne(random, changed);
  const body = JSON.stringify(changed, (_, inner: unknown) => (inner === "a" ? SECRET : inner));
  return { method, path, headers: { "content-type": "application/json" }, body };
}

function brokenBody(random: Random): Fuzzed {
  const { method, path, value } = pick(random, BODIES);
  return {
    method,
    path,
    headers: { "content-type": pick(random, TYPES) },
    body: mutate(random, JSON.stringify(value)),
  };
}

function query(random: Random): Fuzzed {
  const [path = "", text = ""] = pick(random, QUERIES).split("?");
  return { method: "GET", path: `${path}?${toUrl(mutate(random, text))}`, headers: {} };
}

/** Of the rest nothing can be in the first line of a request. */
function toUrl(text: string): string {
  return text
    .replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character.replace(/[\ud800-\udfff]/gu, "?")))
    .replaceAll("#", "%23");
}

function form(random: Random): Fuzzed {
  const [type, body] = pick(random, FORMS);
  const headers = { "content-type": random(20) === 0 ? pick(random, TYPES) : type };
  return { method: "POST", path: "/forms", headers, body: mutate(random, body) };
}

function credentials(random: Random): Fuzzed {
  const { headers, ...request } = pick(random, CREDENTIALS);
  const changed = Object.entries(headers)
    .filter(() => random(8) > 0)
    .map(([name, value]) => [
      name,
      mutate(random, value)
        .replace(/[^\x20-\x7e]/g, "")
        .slice(0, 4000),
    ]);
  return { ...request, headers: Object.fromEntries(changed) };
}

function mutate(random: Random, text: string): string {
  let changed = text;
  for (let changes = random(4); changes > 0; changes--) {
    const at = random(changed.length + 1);
    const piece = [
      pick(random, PIECES),
      String.fromCharCode(random(256)),
      "",
      changed.slice(at, at + 20).repeat(2),
    ][random(4)];
    changed = changed.slice(0, at) + piece + changed.slice(at + random(2) * random(8));
  }
  return changed;
}
