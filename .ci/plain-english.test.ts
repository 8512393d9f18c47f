/** Holds STYLE's word list over what people read: the pages, and the texts that the program prints. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "rolldown/utils";
import { test } from "uvu";
import * as assert from "uvu/assert";

const root = fileURLToPath(new URL("..", import.meta.url));

const WORDS_IN_A_SENTENCE = 20;

/** What nobody says aloud, as a regular expression in which a space is any white space, and what to write instead. */
const PHRASES: readonly (readonly [phrase: string, instead: string])[] = [
  ["(?:is|are|was|were|be|been|being|and) told", "print, report, log or say"],
  ["(?:tells?|told) of", "report"],
  ["(?:say|says|said|tell|tells|learn|learns) nothing of", "… nothing about"],
  ["(?:is|are) not said", "say who or which"],
  ["stand(?:s|ing)? for", "mean"],
  ["(?:stand(?:s|ing)?|stood)(?! for\\b|-)", "is, are"],
  ["lies|(?:lie|lay) (?:in|on|there|beside|under|below|above|outside|within)", "is, are"],
  ["(?<!there )(?:is|are|was|were|be) no(?! longer\\b| more\\b)", "is not a"],
  ["(?:is|are|was|were) to be", "should, must, will or can be"],
  ["(?:is|are) of (?:an?|another|no|the)", "have, belong to, come from"],
  ["lets?(?: \\S+){1,3} be", "leave, allow, keep"],
  ["shall", "should, will, must"],
  ["ought to", "should"],
  ["mend(?:s|ed|ing)?", "fix"],
  ["anew", "again"],
  ["outrank(?:s|ed|ing)?", "override"],
  ["pass(?:es|ed|ing)? over", "ignore, skip"],
  ["whom", "who, whose; or begin with the person"],
  ["(?:take|takes|taking) no further", "unexpected"],
  ["(?:as|than) (?:it|they) came", "unchanged; or: has been edited"],
  ["sees? to it", "make sure"],
  ["in (?:its|their) stead", "instead"],
  ["(?:thus|hence|therefore)", "so"],
  ["(?:whereof|whereby|wherein|whereupon|thereof|thereby|therein|thereupon|hereby)", "which, by it, in it"],
  ["(?:upon|whilst|amongst|lest|nevertheless)", "on, while, among, so that … not, anyway"],
];

const patterns = PHRASES.map(([phrase, instead]) => ({
  pattern: new RegExp(`(?<![\\w-])(?:${phrase.replaceAll(" ", "(?: +|\\n *)")})(?![\\w-])`, "gi"),
  instead,
}));

interface Piece {
  readonly start: number;
  readonly end: number;
}

/** What is between the quotes of a string or a template; `ofDiagnostic`: as a `message` or a `hint`. */
interface Literal extends Piece {
  /** Its own text: a template has expressions between its pieces. */
  readonly pieces: readonly Piece[];
  readonly ofDiagnostic: boolean;
}

interface Node extends Piece {
  readonly type: string;
}

/** Covers what is not prose: no phrase reaches over it, and lines stay where they are. */
function cover(text: string): string {
  return text.replace(/[^\n]/g, "\0");
}

function proseOfPage(text: string): string {
  return text.replace(/^( *)(```+|~~~+)[\s\S]*?^\1\2$|`[^`\n]+`|\]\([^)\s]+\)|^ {4}.*$/gm, cover);
}

/** A text of one word is a name more often than prose. */
function proseOfSource(text: string, literals: readonly Literal[]): string {
  const pieces = literals
    .filter((literal) => proseOfLiteral(text, literal).includes(" "))
    .flatMap((literal) => literal.pieces);
  return keep(text, pieces, 0, text.length);
}

function proseOfLiteral(text: string, { pieces, start, end }: Literal): string {
  return keep(text, pieces, start, end);
}

/** @returns `text` from `start` to `end`, with only the pieces to be read. */
function keep(text: string, pieces: readonly Piece[], start: number, end: number): string {
  let at = start;
  let prose = "";
  for (const piece of [...pieces].sort((a, b) => a.start - b.start)) {
    prose +=
      cover(text.slice(at, piece.start)) + text.slice(piece.start, piece.end).replace(/\\[\s\S]/g, "  ");
    at = piece.end;
  }
  return prose + cover(text.slice(at, end));
}

function literalsOf(text: string): Literal[] {
  const found: Literal[] = [];
  collectLiterals(parseSync("a.ts", text).program, false, found);
  return found;
}

function collectLiterals(value: unknown, ofDiagnostic: boolean, found: Literal[]): void {
  if (Array.isArray(value)) for (const one of value) collectLiterals(one, ofDiagnostic, found);
  if (!isNode(value)) return;
  const between = { start: value.start + 1, end: value.end - 1 };
  if (value.type === "Literal" && "value" in value && typeof value.value === "string")
    found.push({ ...between, pieces: [between], ofDiagnostic });
  if (value.type === "TemplateLiteral" && "quasis" in value && Array.isArray(value.quasis))
    found.push({ ...between, pieces: value.quasis.filter(isNode).map(toPiece), ofDiagnostic });
  const isOfOne = ofDiagnostic || isDiagnosticText(value);
  for (const child of Object.values(value))
    if (typeof child === "object") collectLiterals(child, isOfOne, found);
}

/** Without the backquote, the brace or the `${` on either side. */
function toPiece(element: Node): Piece {
  const isTail = "tail" in element && element.tail === true;
  return { start: element.start + 1, end: element.end - (isTail ? 1 : 2) };
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value && "end" in value;
}

function isDiagnosticText(node: Node): boolean {
  if (node.type !== "Property") return false;
  return (
    "key" in node &&
    isNode(node.key) &&
    "name" in node.key &&
    /^(?:message|hint)$/.test(String(node.key.name))
  );
}

function findPhrases(file: string, prose: string): string[] {
  // No phrase reaches over what is covered.
  const pieces = [...prose.matchAll(/[^\0]*[a-z][^\0]*/gi)];
  const found = pieces.flatMap(({ index: start, 0: text }) =>
    patterns.flatMap(({ pattern, instead }) =>
      [...text.matchAll(pattern)].map(({ index, 0: phrase }) => ({ index: start + index, phrase, instead })),
    ),
  );
  return found
    .sort((a, b) => a.index - b.index)
    .map(
      ({ index, phrase, instead }) =>
        `${file}:${lineOf(prose, index)} "${phrase.replace(/\s+/g, " ")}" → ${instead}`,
    );
}

/** A colon ends a sentence too: a list or a command follows it. */
function findLongSentences(file: string, text: string, literals: readonly Literal[]): string[] {
  return literals
    .filter(({ ofDiagnostic }) => ofDiagnostic)
    .flatMap((literal) =>
      proseOfLiteral(text, literal)
        .replace(/\0[\0\n]*/g, "x")
        .split(/[.?!:](?:\s|$)/)
        .map((sentence) => sentence.match(/\S*\w\S*/g)?.length ?? 0)
        .filter((count) => count > WORDS_IN_A_SENTENCE)
        .map((count) => `${file}:${lineOf(text, literal.start)} a sentence of ${count} words → at most 20`),
    );
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

function check(file: string, text: string): string[] {
  if (file.endsWith(".md")) return findPhrases(file, proseOfPage(text));
  const literals = literalsOf(text);
  return [...findPhrases(file, proseOfSource(text, literals)), ...findLongSentences(file, text, literals)];
}

function list(folder: string, ending: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

const pages = ["README.md", ...list("docs", ".md"), ...list("template", ".md")];
const sources = ["runtime", "convention", "toolchain", "generators", "create"]
  .flatMap((folder) => list(folder, ".ts"))
  .filter((file) => !/\.(?:test|fixture)\.ts$/.test(file));

function findIn(files: readonly string[]): string[] {
  return files.flatMap((file) => check(file, readFileSync(join(root, file), "utf8")));
}

test("the pages are plain English", () => {
  assert.equal(findIn(pages), []);
});

test("messages, hints and help are plain English, in sentences of at most 20 words", () => {
  assert.equal(findIn(sources), []);
});

test("a phrase is found over the end of a line, and not in code", () => {
  const page =
    "It\nis\ntold. `is told`\n\n```sh\nis told\n```\n\n    is told\n\n[a](is-told.md) There is no x, and x is no y.\n";
  assert.equal(check("a.md", page), [
    'a.md:2 "is told" → print, report, log or say',
    'a.md:11 "is no" → is not a',
  ]);
});

test("a phrase is found in a source's literals, and not in comments, names, expressions and words alone", () => {
  const source = `// is told\nconst is_told = \`A\\n\${told("it was told")} is\n told\` + 'outrank';\n`;
  assert.equal(check("a.ts", source), [
    'a.ts:2 "was told" → print, report, log or say',
    'a.ts:2 "is told" → print, report, log or say',
  ]);
});

test("a sentence of a message or a hint is counted, with an expression as one word", () => {
  const long = "a ".repeat(20);
  const source = `f({ message: (x) => \`\${long} ${long}: a. ${long}\`, hint() { return "a ${long}"; }, title: "b ${long}" });`;
  assert.equal(check("a.ts", source), [
    "a.ts:1 a sentence of 21 words → at most 20",
    "a.ts:1 a sentence of 21 words → at most 20",
  ]);
});

test.run();
