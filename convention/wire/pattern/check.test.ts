import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Backtracking, checkPattern } from "./check.ts";
import { countSteps } from "./matcher.fixture.ts";

const SAFE: Readonly<Record<string, readonly string[]>> = {
  "words and slugs": [
    "^[a-z]+$",
    "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    "^(?:[a-z0-9]+-)*[a-z0-9]+$",
    "^[A-Za-z_$][\\w$]*$",
  ],
  "dates and numbers": [
    "^\\d{4}-\\d{2}$",
    "^-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?$",
    "^\\d{1,3}(?:,?\\d{3})*$",
    "^(?:[01]\\d|2[0-3]):[0-5]\\d$",
  ],
  addresses: [
    "^[\\w.+-]+@[\\w-]+\\.[\\w.]+$",
    "^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}$",
    "^https?://[^\\s/]+(?:/\\S*)?$",
    "^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$",
  ],
  versions: [
    "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$",
  ],
  "phone numbers": ["^\\+[1-9]\\d{1,14}$", "^(?:\\+?1[-. ]?)?\\(?\\d{3}\\)?[-. ]?\\d{3}[-. ]?\\d{4}$"],
  identifiers: [
    "^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
    "^#(?:[0-9a-f]{3}|[0-9a-f]{6})$",
    "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    "^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$",
  ],
  "several languages": [
    "^\\p{L}+(?: \\p{L}+)*$",
    "^[\\p{L}\\p{M}' -]{1,100}$",
    "^\\u{1F600}*\\ud83d\\ude01?$",
  ],
  passwords: ["^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d).{8,}$", "^(?!.*\\.\\.)[a-z.]+$"],
  "long ones": ["^.{1,5000}$", "^(?:a|b)*a(?:a|b){12}$", "^[\\s\\S]*$"],
  "looked for anywhere": ["\\d", "[a-z]+", "foo|bar", "\\bword\\b", "(?<=\\$)\\d", "x{2,100}y"],
  // Nothing after it can fail, so the engine never backtracks.
  "repeated twice, with nothing behind it": ["(a+)+", "^(?:a|a)*", "a+b|[a-z]+"],
};

for (const [what, sources] of Object.entries(SAFE)) {
  test(`${what} pass`, () => {
    for (const source of sources) assert.is(checkPattern(source), undefined, source);
  });
}

const UNSAFE: readonly (readonly [source: string, part: string, example: string])[] = [
  // exponential
  ["^(a+)+$", "(a+)+", "aaaaaaaaa"],
  ["(a|a)*$", "(a|a)*", "aaaaaaaa"],
  ["^(\\w+\\s?)*$", "(\\w+\\s?)*", "aaaaaaaaa"],
  ["(.*)*x", "(.*)*", "aaaaaaaa"],
  ["^x(?:ab|(?:ab)+)*$", "(?:ab|(?:ab)+)*", "xababababababa"],
  ["^(?:a|[ab]|\\p{Ll})*$", "(?:a|[ab]|\\p{Ll})*", "aaaaaa"],
  ["^(?:.|[^\\n])*$", "(?:.|[^\\n])*", "aaaaaaaaa"],
  ["^(?=(a+)+$)", "(a+)+", "aaaaaaaaa"],
  // too many paths for a text of any length
  ["^(?:a?){64}$", "(?:a?){64}", "aa"],
  ["^(?:a{0,9}){0,9}b$", "(?:a{0,9}){0,9}", "aaaaaaaaaa"],
  // polynomial
  ["^a*a*$", "a*a*", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"],
  ["^.*a.*b$", ".*a.*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"],
  ["^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$", "[^\\s@]+\\.[^\\s@]+", "a@a...........................…"],
  ["^(?:(?=.*x).)*$", "(?:(?=.*x).)*", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"],
  // The engine attempts a match at each character.
  ["\\s+$", "\\s+", "                              …"],
  ["a+b", "a+", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"],
  ["(?=.*\\d)[a-z]+", ".*\\d", "000000000000000000000000000000…"],
];

for (const [source, part, example] of UNSAFE) {
  test(`/${source}/ backtracks in ${part}`, () => {
    const bad = backtracking(source);
    assert.is(bad?.part, part);
    assert.is(bad?.example, JSON.stringify(example));
  });
}

/** Published patterns, without the needless escapes that the flag `u` forbids. */
const PUBLISHED: Readonly<Record<string, string>> = {
  "CVE-2016-4055 moment": "(\\s*\\d+\\s*)+$",
  "CVE-2017-16021 uri-js": "^(?:(?:[a-zA-Z]|%[0-9a-f]{2})+)+@$",
  "CVE-2018-13863 bson": "^[+-]?(\\d+|(\\d*\\.\\d*))*(E|e)?([-+])?(\\d+)?$",
  "CVE-2019-16215 zulip": "^(?:[^\\s]+\\s*)+#$",
  "CVE-2020-7662 websocket-extensions": '"((?:\\\\[\\x00-\\x7f]|[^\\x00-\\x08\\x0a-\\x1f\\x7f"])*)"',
  "CVE-2020-28500 lodash": "\\s+$",
  "CVE-2021-3803 nth-check": "^(?:\\s*[+-]?\\s*\\d+\\s*)+$",
  "CVE-2021-3807 ansi-regex":
    "[\\u001B\\u009B][[\\]()#;?]*(?:(?:(?:[a-zA-Z\\d]*(?:;[-a-zA-Z\\d/#&.:=?%@~_]*)*)?\\u0007)|z)",
  "CVE-2021-23343 path-parse": "^((?:[^/]*/)*)((?:[^/]*?)*)x$",
  "CVE-2022-25883 semver": "^\\s*\\s+\\S*\\s*$",
  "Cloudflare, 2 July 2019":
    "(?:(?:\"|'|\\]|\\}|\\\\|\\d|(?:nan|infinity|true|false|null|undefined|symbol|math)|`|-|\\+)+[)]*;?((?:\\s|-|~|!|\\{\\}|\\|\\||\\+)*.*(?:.*=.*)))",
  "Stack Overflow, 20 July 2016": "^[\\s\\u200c]+|[\\s\\u200c]+$",
};

for (const [name, source] of Object.entries(PUBLISHED)) {
  test(`a published attack is found: ${name}`, () => {
    assert.ok(backtracking(source), source);
  });
}

test("an unanchored pattern is said to be one", () => {
  assert.is(backtracking("a+b")?.unanchored, true);
  assert.is(backtracking("^a*a*$")?.unanchored, false);
});

test("with a MaxLength, what can't grow far passes", () => {
  for (const source of ["^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$", "\\s+$", "^.*a.*b$", "^a*a*a*$"]) {
    const { safeLength } = backtracking(source) ?? { safeLength: 0 };
    assert.is(checkPattern(source, safeLength), undefined, source);
    assert.ok(checkPattern(source, safeLength + 1), source);
  }
  assert.is(checkPattern("^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$", 320), undefined);
  assert.ok(checkPattern("^(a+)+$", 20));
});

test("a pattern that passes takes few steps with the texts that are attacks on others", () => {
  const attacks = ["a", " ", "0", "a@", "-", "a-", "1.", "ab"].map((round) => `${round.repeat(100)}!`);
  for (const source of Object.values(SAFE).flat()) {
    // The test's matcher tries a lookbehind from each position.
    if (source.includes("(?<=")) continue;
    for (const text of attacks) assert.ok(countSteps(source, text, 20_000).steps < 20_000, source);
  }
});

test("what is no regular expression comes with the engine's words", () => {
  assert.equal(checkPattern("a("), { kind: "syntax", why: "Unterminated group" });
  assert.equal(checkPattern("[b-a]"), { kind: "syntax", why: "Range out of order in character class" });
  assert.equal(checkPattern("\\-"), { kind: "syntax", why: "Invalid escape" });
  assert.equal(checkPattern("a/u: b("), { kind: "syntax", why: "Unterminated group" });
});

const UNPROVEN: readonly (readonly [source: string, what: string, part: string])[] = [
  ["^(['\"]).*\\1$", "a backreference", "\\1"],
  ["^(?<q>['\"]).*\\k<q>$", "a backreference", "\\k<q>"],
  ["(?<=a+)b", "a lookbehind that repeats something", "(?<=a+)"],
  ["^(?:(?:|){9})*b$", "too many ways to match nothing", "(?:(?:|){9})"],
  ["^(?:){999999999}$", "too many ways to match", "^(?:){999999999}$"],
  ["^(?:a{99}){999}$", "too many ways to match", "^(?:a{99}){999}$"],
  [`^${"(".repeat(120)}${")".repeat(120)}$`, "more than 100 groups in each other", "("],
  [`^${"a".repeat(5000)}$`, "more than 5000 characters", ""],
];

for (const [source, what, part] of UNPROVEN) {
  test(`${what} is refused: ${source.slice(0, 30)}`, () => {
    assert.equal(checkPattern(source), { kind: "unproven", what, part });
  });
}

function backtracking(source: string): Backtracking | undefined {
  const bad = checkPattern(source);
  return bad?.kind === "backtracking" ? bad : undefined;
}

test.run();
