/** Markdown as plain data: the small part of it that comments use. What is not known stays text. */

export type Inline =
  | string
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "strong" | "em"; readonly of: readonly Inline[] }
  | { readonly kind: "link"; readonly url: string; readonly of: readonly Inline[] };

export type Block =
  | { readonly kind: "paragraph" | "heading" | "quote"; readonly of: readonly Inline[] }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: "code"; readonly text: string };

const FENCE = /^ {0,3}(```+|~~~+)/;
const ITEM = /^ {0,3}(?:[-*+]|(\d{1,9})[.)]) +/;
const HEADING = /^ {0,3}#{1,6} +/;
const QUOTE = /^ {0,3}> ?/;

export function parseMarkdown(text: string): readonly Block[] {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const [block, next] = parseBlock(lines, at);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

/** @returns the block that begins at a line, and the line after it. */
function parseBlock(lines: readonly string[], at: number): readonly [Block | undefined, number] {
  const line = lines[at] ?? "";
  if (line.trim() === "") return [undefined, at + 1];
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return parseFence(lines, at, fence);
  if (HEADING.test(line)) return [{ kind: "heading", of: parseInline(line.replace(HEADING, "")) }, at + 1];
  const isItem = ITEM.test(line);
  let end = at + 1;
  while (end < lines.length && (isItem ? isInList(lines, end) : isText(lines[end] ?? ""))) end++;
  const inside = lines.slice(at, end);
  if (isItem) return [toList(inside), end];
  if (!QUOTE.test(line)) return [{ kind: "paragraph", of: parseInline(joinLines(inside)) }, end];
  return [{ kind: "quote", of: parseInline(joinLines(inside.map((one) => one.replace(QUOTE, "")))) }, end];
}

function parseFence(lines: readonly string[], at: number, fence: string): readonly [Block, number] {
  const length = lines.slice(at + 1).findIndex((line) => line.trim().startsWith(fence));
  const end = length === -1 ? lines.length : at + 1 + length;
  return [{ kind: "code", text: lines.slice(at + 1, end).join("\n") }, end + 1];
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

function toList(lines: readonly string[]): Block {
  const items: string[][] = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push([line.replace(ITEM, "")]);
    else items.at(-1)?.push(line);
  }
  const isOrdered = ITEM.exec(lines[0] ?? "")?.[1] !== undefined;
  return { kind: "list", isOrdered, items: items.map((item) => parseInline(joinLines(item))) };
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

/** @example parseInline("see `id`") // ["see ", { kind: "code", text: "id" }] */
export function parseInline(text: string, depth = 0): readonly Inline[] {
  if (depth > DEEPEST_INLINE) return [text];
  const parts: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push(toInline(match, depth + 1));
    end = match.index + match[0].length;
  }
  return end < text.length ? [...parts, text.slice(end)] : parts;
}

function toInline([whole, , code, strong, , em, label, url, bare]: RegExpMatchArray, depth: number): Inline {
  if (code !== undefined) return { kind: "code", text: code.trim() };
  if (strong !== undefined) return { kind: "strong", of: parseInline(strong, depth) };
  if (em !== undefined) return { kind: "em", of: parseInline(em, depth) };
  if (bare !== undefined) return { kind: "link", url: bare, of: [bare] };
  if (label === undefined || url === undefined || !isSafe(url)) return whole;
  return { kind: "link", url, of: parseInline(label, depth) };
}

/** No script, and nothing that another program opens. Browsers read `/\` as `//`, before the name of another host. */
function isSafe(url: string): boolean {
  return /^(?:https?:\/\/|mailto:|[/#](?![/\\]))/i.test(url);
}
