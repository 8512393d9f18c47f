/** Markdown as a tree of HTML's tags: the small part of it that comments use. What is not known stays text. */

export interface Mark {
  readonly tag: "p" | "pre" | "code" | "ul" | "ol" | "li" | "blockquote" | "strong" | "em" | "a";
  readonly of: readonly (Mark | string)[];
  readonly url?: string;
}

const FENCE = /^ {0,3}(```+|~~~+)/;
const ITEM = /^ {0,3}(?:[-*+]|(\d{1,9})[.)]) +/;
const HEADING = /^ {0,3}#{1,6} +/;
const QUOTE = /^ {0,3}> ?/;

export function parseMarkdown(text: string): readonly Mark[] {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const blocks: Mark[] = [];
  for (let at = 0; at < lines.length; ) {
    const [block, next] = parseBlock(lines, at);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

/** @returns the block that begins at a line, and the line after it. */
function parseBlock(lines: readonly string[], at: number): readonly [Mark | undefined, number] {
  const line = lines[at] ?? "";
  if (line.trim() === "") return [undefined, at + 1];
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return parseFence(lines, at, fence);
  // Not a heading of the page, which would come between those of its parts.
  if (HEADING.test(line))
    return [mark("p", mark("strong", ...parseInline(line.replace(HEADING, "")))), at + 1];
  const isItem = ITEM.test(line);
  let end = at + 1;
  while (end < lines.length && (isItem ? isInList(lines, end) : isText(lines[end] ?? ""))) end++;
  const inside = lines.slice(at, end);
  if (isItem) return [toList(inside), end];
  if (!QUOTE.test(line)) return [mark("p", ...parseInline(joinLines(inside))), end];
  const quoted = joinLines(inside.map((one) => one.replace(QUOTE, "")));
  return [mark("blockquote", mark("p", ...parseInline(quoted))), end];
}

function mark(tag: Mark["tag"], ...of: Mark["of"]): Mark {
  return { tag, of };
}

function parseFence(lines: readonly string[], at: number, fence: string): readonly [Mark, number] {
  const length = lines.slice(at + 1).findIndex((line) => line.trim().startsWith(fence));
  const end = length === -1 ? lines.length : at + 1 + length;
  return [mark("pre", mark("code", lines.slice(at + 1, end).join("\n"))), end + 1];
}

/** A line that goes on with a paragraph. */
function isText(line: string): boolean {
  return line.trim() !== "" && !FENCE.test(line) && !ITEM.test(line) && !HEADING.test(line);
}

/** One empty line may be between two items. */
function isInList(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  if (line.trim() === "") return ITEM.test(lines[at + 1] ?? "") || /^ +\S/.test(lines[at + 1] ?? "");
  return ITEM.test(line) || /^ /.test(line) || isText(line);
}

function toList(lines: readonly string[]): Mark {
  const items: string[][] = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push([line.replace(ITEM, "")]);
    else items.at(-1)?.push(line);
  }
  const isOrdered = ITEM.exec(lines[0] ?? "")?.[1] !== undefined;
  return mark(isOrdered ? "ol" : "ul", ...items.map((item) => mark("li", ...parseInline(joinLines(item)))));
}

function joinLines(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .join(" ")
    .trim();
}

const INLINE =
  /(`+)(.+?)\1|\*\*(?=\S)(.+?)\*\*|(?<![\w*])([*_])(?=\S)(.+?)\4(?!\w)|\[([^\][]+)\]\(([^\s()]+)\)|<?(https?:\/\/[^\s<>)\]"'`]*[^\s<>)\]"'`.,:;!?])>?/g;

/** Nobody writes more of one inside the other, and it would run out of stack. */
const DEEPEST_INLINE = 5;

/** @example parseInline("see `id`") // ["see ", { tag: "code", of: ["id"] }] */
export function parseInline(text: string, depth = 0): Mark["of"] {
  if (depth > DEEPEST_INLINE) return [text];
  const parts: (Mark | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push(toInline(match, depth + 1));
    end = match.index + match[0].length;
  }
  return end < text.length ? [...parts, text.slice(end)] : parts;
}

function toInline(match: RegExpMatchArray, depth: number): Mark | string {
  const [whole, , code, strong, , em, label, url, bare] = match;
  if (code !== undefined) return mark("code", code.trim());
  if (strong !== undefined) return mark("strong", ...parseInline(strong, depth));
  if (em !== undefined) return mark("em", ...parseInline(em, depth));
  if (bare !== undefined) return { tag: "a", url: bare, of: [bare] };
  if (label === undefined || url === undefined || !isSafe(url)) return whole;
  return { tag: "a", url, of: parseInline(label, depth) };
}

/** No script, and nothing that another program opens. Browsers read `/\` as `//`, before the name of another host. */
function isSafe(url: string): boolean {
  return /^(?:https?:\/\/|mailto:|[/#](?![/\\]))/i.test(url);
}
