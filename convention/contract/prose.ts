/** The comment directly above a function, a type or a property: `/** … *\/`, in Markdown, with the tags that say something to callers. */

import type { Location } from "#runtime/routing/route";
import type { Notes, Shape } from "#runtime/wire/shape";
import type { Sources } from "../project.ts";
import { findDeclaredFunction } from "../source/declared.ts";
import type { SourceModule, SourcePlaces } from "../source/module.ts";
import type { Prose } from "./contract.ts";

export interface Comment {
  readonly prose: Prose;
  /** What `@param` says of each name. */
  readonly params: ReadonlyMap<string, string>;
  /** All of the text, for what has no summary. */
  readonly description: string;
  /** As text. */
  readonly default?: string;
  readonly example?: string;
  /** The route is for those who know it. */
  readonly isHidden?: true;
  /** What the route's operation is called, in place of its method and path. */
  readonly operation?: string;
  /** In place of the name of the app. */
  readonly tag?: string;
}

const NO_COMMENT: Comment = { prose: {}, params: new Map(), description: "" };

/** What was read, by the place of the function: a guard is before many routes. */
const alreadyRead = new WeakMap<Location, Comment>();

/** @param location of the function's name. */
export function readComment(sources: Sources, location: Location): Comment {
  const comment = alreadyRead.get(location) ?? findComment(sources, location);
  alreadyRead.set(location, comment);
  return comment;
}

function findComment({ files, types }: Sources, location: Location): Comment {
  const { module, name = "" } = findDeclaredFunction(types.modules, location) ?? {};
  const text = module && files.read(module.file);
  const comment = text && findCommentBefore(text, module.places, module.places.declarations.get(name) ?? 0);
  return comment ? parseComment(comment) : NO_COMMENT;
}

/** From a comment to the name of a type that it is about, or to what the type is. */
const TYPE_HEAD =
  /^\s*(?:(?:export|default|declare|abstract|const)\s+)*(?:interface|type|class|enum)\s[^;{}]*$/;
/** From a comment to the type of a property, or to its value. */
const PROPERTY_HEAD =
  /^\s*(?:(?:readonly|public|declare)\s+)*(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|"[^"\n]*"|'[^'\n]*')\s*[?!]?\s*:[\s(|]*$/u;

/** What the comment on a type, or on a property, says. @param location of its name, or of the property's type. */
export function readNotes(
  { files, types }: Sources,
  location: Location | undefined,
  shape: Shape,
): Notes | undefined {
  const module = location && types.modules.get(location.file);
  if (!location || !module || module.places.comments.length === 0) return undefined;
  const text = files.read(module.file) ?? "";
  const comment = findCommentBefore(
    text,
    module.places,
    offsetOf(module, text, location),
    (between) => PROPERTY_HEAD.test(between) || TYPE_HEAD.test(between),
  );
  if (comment === undefined) return undefined;
  const { prose, description, default: value, example } = parseComment(comment);
  const [initial, sample] = [value, example].map((one) =>
    one === undefined ? undefined : parseValue(one, shape),
  );
  const notes = {
    ...(description !== "" && { description }),
    ...(prose.deprecated && { deprecated: prose.deprecated }),
    ...(initial !== undefined && { default: initial }),
    ...(sample !== undefined && { example: sample }),
  };
  return Object.keys(notes).length === 0 ? undefined : notes;
}

/** JSON, else a text, which may be in quotes. @returns undefined for what the type has not, such as a sentence for a number. */
function parseValue(text: string, shape: Shape): unknown {
  const bare = /^(['`])(.*)\1$/s.exec(text)?.[2] ?? text;
  return [...parseJson(text), bare, text].find((value) => isOf(value, shape));
}

function parseJson(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

/** As far as a look at the value says. */
function isOf(value: unknown, shape: Shape): boolean {
  switch (shape.kind) {
    case "string":
    case "number":
    case "boolean":
      return typeof value === shape.kind;
    case "date":
      return typeof value === "string";
    case "literal":
      return shape.values.some((one) => one === value);
    case "array":
    case "tuple":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return true;
  }
}

/** The offsets of the lines, as the parser counts them: a file may have thousands of properties. */
const lineStarts = new WeakMap<SourceModule, readonly number[]>();

function offsetOf(module: SourceModule, text: string, { line, column }: Location): number {
  const ends = text.matchAll(/\r\n|[\r\n\u2028\u2029]/g);
  const starts = lineStarts.get(module) ?? [0, ...Array.from(ends, (end) => end.index + end[0].length)];
  lineStarts.set(module, starts);
  return (starts[line - 1] ?? 0) + column - 1;
}

/** The last comment for documentation with nothing but space and other comments between it and an offset. */
function findCommentBefore(
  text: string,
  { comments }: SourcePlaces,
  offset: number,
  isHead: (between: string) => boolean = (between) => between.trim() === "",
): string | undefined {
  let next = offset;
  for (let index = countBefore(comments, offset) - 1; index >= 0; index--) {
    const { start, end } = comments[index] ?? { start: 0, end: 0 };
    const between = text.slice(end, next);
    if (next === offset ? !isHead(between) : between.trim() !== "") return undefined;
    if (/^\/\*\*[^*/]/.test(text.slice(start, start + 4))) return text.slice(start, end);
    next = start;
  }
  return undefined;
}

/** How many of the comments, which are in their order, begin before an offset. */
function countBefore(comments: SourcePlaces["comments"], offset: number): number {
  let [low, high] = [0, comments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((comments[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @example parseComment("/** Lists items. Newest first. *\/").prose // { summary: "Lists items", description: "Newest first." } */
export function parseComment(comment: string): Comment {
  const [text = "", ...tags] = splitTags(undecorate(comment));
  const { summary, rest } = splitSummary(resolveLinks(text).trim());
  const deprecation = tags.find((tag) => /^@deprecated\b/.test(tag));
  const reason = resolveLinks(deprecation?.replace(/^@deprecated\s*/, "") ?? "").trim();
  const withReason = (part: string): string =>
    [part, reason && `Deprecated: ${reason}`].filter((one) => one !== "").join("\n\n");
  const description = withReason(rest);
  const tagged = (name: string): string | undefined =>
    tags
      .find((tag) => new RegExp(`^@${name}(?!\\w)`).test(tag))
      ?.slice(name.length + 1)
      .trim() || undefined;
  const [value, example, operation, tag] = ["default", "example", "operation", "tag"].map(tagged);
  return {
    description: withReason(resolveLinks(text).trim()),
    ...(value !== undefined && { default: value }),
    ...(example !== undefined && { example }),
    ...(operation !== undefined && { operation }),
    ...(tag !== undefined && { tag }),
    ...(tags.some((tag) => /^@hidden\b/.test(tag)) && { isHidden: true }),
    prose: {
      ...(summary !== "" && { summary }),
      ...(description !== "" && { description }),
      ...(deprecation !== undefined && { deprecated: true }),
    },
    params: new Map(tags.flatMap(parseParam)),
  };
}

/** The lines without the comment's signs, and without the space that all of them have. */
function undecorate(comment: string): readonly string[] {
  const lines = comment
    .slice("/**".length, -"*/".length)
    .split(/\r\n?|\n/)
    .map((line) => line.trimEnd());
  const [first = "", ...others] = lines;
  const isStarred = others.every((line) => line === "" || /^\s*\*/.test(line));
  const bare = isStarred ? others.map((line) => line.replace(/^\s*\*+(?=\s|[^*]|$)/, "")) : others;
  const indents = bare.flatMap((line) => (line.trim() === "" ? [] : [line.search(/\S/)]));
  const indent = Math.min(...indents, isStarred ? 1 : Number.POSITIVE_INFINITY);
  return [first.trimStart(), ...bare.map((line) => line.slice(indent))];
}

/** Tags that people write behind the text of one line. */
const INNER_TAG = /\s+(?=@(?:deprecated|default|example|hidden|operation|tag)\b)/;

/** The text before the first tag, and then each tag with its text. A code block is text. */
function splitTags(lines: readonly string[]): readonly string[] {
  const parts: string[][] = [[]];
  let fence: string | undefined;
  for (const line of lines) {
    const [mark] = /^\s{0,3}(?:```+|~~~+)/.exec(line) ?? [];
    if (mark !== undefined && (fence === undefined || line.trim() === fence)) {
      fence = fence === undefined ? mark.trim() : undefined;
    }
    const pieces = fence === undefined ? line.split(INNER_TAG) : [line];
    for (const piece of pieces)
      if (fence === undefined && /^\s*@[a-z]/i.test(piece)) parts.push([piece.trim()]);
      else parts.at(-1)?.push(piece);
  }
  return parts.map((part) => part.join("\n"));
}

/** `{@link Item}`, `{@link Item | an item}` and `{@link https://…}`: nothing here is a link to code. */
function resolveLinks(text: string): string {
  return text.replace(
    /\{@link(?:code|plain)?\s+([^\s|}]+)\s*\|?\s*([^}]*)\}/g,
    (_, target: string, label: string) => {
      const shown = label.trim();
      if (/^https?:/.test(target)) return shown === "" ? `<${target}>` : `[${shown}](${target})`;
      return shown === "" ? `\`${target}\`` : shown;
    },
  );
}

/** Where a new block of Markdown begins. */
const BLOCK = /^\s*(?:[-*+] |\d+[.)] |#|>|\||```|~~~|$)/;
/** A line as long as this was broken where it is, whatever comes next. */
const FULL_LINE = 60;

/** The first sentence of the first paragraph. A short line before a capital is one, too. */
function splitSummary(text: string): { summary: string; rest: string } {
  const lines = text.split("\n");
  if (BLOCK.test(lines[0] ?? "")) return { summary: "", rest: text };
  let sentence = "";
  for (const [index, line] of lines.entries()) {
    const words = line.trim();
    const end = findSentenceEnd(words);
    const rest = [words.slice(end).trimStart(), ...lines.slice(index + 1)]
      .join("\n")
      .replace(/^(?:[ \t]*\n)+/, "")
      .trimEnd();
    const next = lines[index + 1];
    sentence = `${sentence} ${words.slice(0, end)}`.trim();
    const isOver = end < words.length || /[.!?]$/.test(words) || next === undefined || BLOCK.test(next);
    if (isOver || (words.length < FULL_LINE && /^\s*\p{Lu}/u.test(next)))
      return { summary: sentence.replace(/\.$/, ""), rest };
  }
  return { summary: sentence, rest: "" };
}

/** The offset behind the full stop; the length where there is none. */
function findSentenceEnd(line: string): number {
  for (const { 0: end, index } of line.matchAll(/[.!?][)"'”’*_`]*(?=\s+[^\s\p{Ll}])/gu)) {
    if (!/(?:^|[\s(])(?:e\.g|i\.e|cf|vs|etc|approx|no)$/i.test(line.slice(0, index)))
      return index + end.length;
  }
  return line.length;
}

/** `@param name text`, with the hyphen, the type and the brackets that some write. */
function parseParam(tag: string): (readonly [name: string, text: string])[] {
  const pattern =
    /^@(?:param|arg|argument)\s+(?:\{[^}]*\}\s*)?\[?([\w$.]+)(?:=[^\]]*)?\]?\s*(?:[-–—:]\s+)?([\s\S]*)$/;
  const [, name = "", text = ""] = pattern.exec(tag) ?? [];
  const words = resolveLinks(text)
    .trim()
    .replace(/[ \t]*\n(?!\s*\n)[ \t]*/g, " ");
  return name === "" || words === "" ? [] : [[name, words]];
}
