import { test } from "uvu";
import * as assert from "uvu/assert";
import { escapeControl } from "#runtime/escape";
import { CATALOGUE, diagnose } from "./catalogue.ts";
import { columnsOf, padColumns } from "./columns.ts";
import { type Diagnostic, hasErrors, SEVERITIES } from "./diagnostic.ts";
import { type Entry, fill } from "./entry.ts";
import { formatCounts, formatDiagnostic, formatDiagnostics } from "./format.ts";
import { sortDiagnostics } from "./order.ts";

const FILE = "apps/a/views.ts";

function at(line: number, column: number, file = FILE): Diagnostic {
  const hint = "Write `export` before it, or rename `get_x`.";
  return diagnose("FW203", { what: "`get_x` is not exported", hint }, { file, line, column });
}

function frame(source: string, line: number, column: number, file = FILE): string[] {
  return formatDiagnostic(at(line, column, file), () => source)
    .split("\n")
    .slice(2, -1);
}

for (const [code, { severity = "error", title }] of Object.entries<Entry>(CATALOGUE)) {
  test(`${code}: ${title}`, () => {
    assert.match(code, /^FW[1-9]\d\d$/);
    assert.ok(SEVERITIES.includes(severity));
    assert.match(title, /^[A-Z`.].*[^.!]$/);
  });
}

test("a text is filled with its details, several of them as a person lists them, and an example in it stays", () => {
  const text = "{count} of {names}: export { {name} }, { app: 1 }";
  const details = { count: 2, names: ["a", "b", "c"], name: "{count}" };
  assert.is(fill(text, details), "2 of a, b and c: export { {count} }, { app: 1 }");
  assert.is(
    diagnose("FW301", { why: "Unexpected token." }).message,
    "This is not TypeScript: Unexpected token.",
  );
});

test("a detail that is missing or of another type is a mistake that the compiler finds", () => {
  // @ts-expect-error: `why` is missing
  diagnose("FW301", {});
  // @ts-expect-error: `nearest` is missing
  diagnose("FW109", { app: "orders", file: "views.ts" });
  // @ts-expect-error: `why` has no text
  diagnose("FW104", { why: null, hint: "" });
});

test("a diagnostic is shown with its code, place, source line, mark and hint", () => {
  const text = formatDiagnostic(at(2, 10), () => "// first\nfunction get_x() {}\n");
  assert.is(
    text,
    `warning FW203 \`get_x\` is not exported, so it is not served.
  apps/a/views.ts:2:10
    2 | function get_x() {}
      |          ^^^^^
  hint: Write \`export\` before it, or rename \`get_x\`.`,
  );
});

test("a hint of several lines stands below its first one, and only its own line breaks count", () => {
  const details = { why: "`a` is wrong", hint: 'Write it like this:\n[app]\nprefix = "/a\x1b[2J\r"' };
  assert.is(
    formatDiagnostic(diagnose("FW104", details), () => undefined),
    `error FW104 \`a\` is wrong.
  hint: Write it like this:
    [app]
    prefix = "/a\\x1b[2J\\x0d"`,
  );
});

test("both places of a conflict are shown", () => {
  const [one, other] = [
    { file: FILE, line: 1, column: 1 },
    { file: "routes/x.ts", line: 1, column: 8 },
  ];
  const details = { handlers: ["`a`", "`b`"], clash: "serve the same requests", apart: "texts" } as const;
  const conflict = diagnose("FW401", details, one, other);
  const text = formatDiagnostic(conflict, (file) => (file === FILE ? "aaa" : "export bbb"));
  assert.match(
    text,
    "apps/a/views.ts:1:1\n    1 | aaa\n      | ^^^\n  routes/x.ts:1:8\n    1 | export bbb\n      |        ^^^",
  );
});

test("the mark stands below the place whatever stands before it", () => {
  assert.equal(frame("\tget_x()", 1, 2), ["    1 |   get_x()", "      |   ^^^^^"]);
  assert.equal(frame("日本 = get_x", 1, 6), ["    1 | 日本 = get_x", "      |        ^^^^^"]);
  assert.equal(frame("a\r\nb\rc\u2028get_x", 4, 1), ["    4 | get_x", "      | ^^^^^"]);
  assert.equal(frame("a = \u2028b\nport", 2, 1, "framework.toml"), ["    2 | port", "      | ^^^^"]);
  assert.equal(frame("\ufeffget_x", 1, 1), ["    1 | get_x", "      | ^^^^^"]);
  assert.equal(frame("apps = [", 1, 9), ["    1 | apps = [", "      |         ^"]);
  assert.equal(frame(`${"\n".repeat(99)}x`, 100, 1), ["    100 | x", "        | ^"]);
});

test("of a very long line the part around the place is shown", () => {
  const lines = frame(`${"x ".repeat(1_000_000)}get_x${" y".repeat(1_000_000)}`, 1, 2_000_001);
  assert.ok(lines.every((line) => line.length < 120));
  const mark = lines[1]?.indexOf("^^^^^") ?? 0;
  assert.is(lines[0]?.slice(mark, mark + 5), "get_x");
});

test("a place that is not in the source, or a source that can't be read, leaves the line out", () => {
  assert.equal(frame("one line", 7, 1), []);
  assert.is(formatDiagnostic(at(1, 1), () => undefined).split("\n").length, 3);
});

test("nothing of the user's reaches the terminal raw", () => {
  const evil = "\x1b[31m\x07\x9b2J\u202e\u200b\r\n\0";
  const diagnostic = diagnose(
    "FW104",
    { why: evil, hint: evil },
    { file: `${evil}.toml`, line: 1, column: 3 },
  );
  const text = formatDiagnostic(diagnostic, () => `a ${evil}`);
  assert.not.match(text, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u200b]/);
  assert.is(escapeControl("a\x1b[0m\u202eb\n"), "a\\x1b[0m\\u{202e}b\\x0a");
  assert.is(escapeControl("plain café 日本 😀"), "plain café 日本 😀");
  assert.is(escapeControl("\ud800x"), "\\u{d800}x");
});

test("colour is written only when it is asked for", () => {
  assert.not.match(
    formatDiagnostic(at(1, 1), () => "x"),
    /\x1b/,
  );
  assert.match(
    formatDiagnostic(at(1, 1), () => "x", true),
    /\x1b\[/,
  );
});

test("diagnostics are sorted by file, line and column", () => {
  const places = [at(10, 1), at(2, 5), at(2, 1), at(1, 1, "a.ts"), diagnose("FW101", {})];
  assert.equal(
    sortDiagnostics(places).map(({ locations: [place] }) =>
      place ? `${place.file}:${place.line}:${place.column}` : "",
    ),
    ["", "a.ts:1:1", `${FILE}:2:1`, `${FILE}:2:5`, `${FILE}:10:1`],
  );
});

test("several diagnostics are counted by severity", () => {
  const error = diagnose("FW101", {});
  assert.is(formatCounts([error, error, at(1, 1)]), "2 errors, 1 warning");
  assert.is(formatCounts([]), "");
  assert.is(hasErrors([at(1, 1)]), false);
  assert.is(hasErrors([at(1, 1), error]), true);
  assert.is(formatDiagnostics([error, error], () => undefined).split("\n\n").length, 2);
});

test("columns are counted as a terminal shows them", () => {
  const cases: [string, number][] = [
    ["", 0],
    ["abc", 3],
    ["café", 4],
    ["cafe\u0301", 4],
    ["日本", 4],
    ["😀", 2],
    ["ｱ", 1],
  ];
  for (const [text, columns] of cases) assert.is(columnsOf(text), columns, text);
  assert.is(padColumns("日本", 6), "日本  ");
  assert.is(padColumns("long", 2), "long");
});

test.run();
