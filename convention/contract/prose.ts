/** The comment directly above a function, as prose: `/** … *\/`, in Markdown, with the tags that say something to callers. */

import type { Location } from "#runtime/routing/route";
import type { Sources } from "../project.ts";
import { findDeclaredFunction } from "../source/declared.ts";
import type { SourcePlaces } from "../source/module.ts";
import type { Prose } from "./contract.ts";

export interface Comment {
  readonly prose: Prose;
  /** What `@param` says of each name. */
  readonly params: ReadonlyMap<string, string>;
}

const NO_COMMENT: Comment = { prose: {}, params: new Map() };

/** What was read, by the place of the function: a guard is before many routes. */
const alreadyRead = new WeakMap<Location, Comment>();

/** @param location of the function's name. */
export function readComment(sources: Sources, location: Location): Comment {
  const comment = alreadyRead.get(location) ?? findComment(sources, location);
  alreadyRead.set(location, comment);
  return comment;
}

function findComment({ files, types }: Sources, location: Location): Comment {
  const declared = findDeclaredFunction(types.modules, location);
  if (declared === undefined) return NO_COMMENT;
  const { module, name } = declared;
  const text = files.read(module.file) ?? "";
  const comment = findCommentBefore(text, module.places, module.places.declarations.get(name) ?? 0);
  return comment === undefined ? NO_COMMENT : parseComment(comment);
}

/** The last comment for documentation with nothing but space and other comments between it and the statement. */
function findCommentBefore(text: string, { comments }: SourcePlaces, statement: number): string | undefined {
  let next = statement;
  for (let index = countBefore(comments, statement) - 1; index >= 0; index--) {
    const { start, end } = comments[index] ?? { start: 0, end: 0 };
    if (text.slice(end, next).trim() !== "") return undefined;
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
  const description = [rest, reason && `Deprecated: ${reason}`].filter((part) => part !== "").join("\n\n");
  return {
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

/** The text before the first tag, and then each tag with its text. A code block is text. */
function splitTags(lines: readonly string[]): readonly string[] {
  const parts: string[][] = [[]];
  let fence: string | undefined;
  for (const line of lines) {
    const [mark] = /^\s{0,3}(?:```+|~~~+)/.exec(line) ?? [];
    if (mark !== undefined && (fence === undefined || line.trim() === fence)) {
      fence = fence === undefined ? mark.trim() : undefined;
    }
    if (fence === undefined && /^\s*@[a-z]/i.test(line)) parts.push([line.trim()]);
    else parts.at(-1)?.push(line);
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
