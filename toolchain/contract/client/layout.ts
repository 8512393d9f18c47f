/** The client's text in lines: properties, unions and comments, in one line where they fit. */

import { escapeLines, formatJson } from "#runtime/escape";
import type { Notes } from "#runtime/wire/shape";

/** Of a line that is not broken, about. */
export const WIDTH = 100;

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** A property of a type, or of an object. */
export interface Member {
  readonly key: string;
  readonly text: string;
  /** What is said of it. */
  readonly comment?: string;
}

/** @example formatKey("if-none-match") // "\"if-none-match\"" */
export function formatKey(name: string): string {
  return IDENTIFIER.test(name) ? name : formatJson(name);
}

export function formatBraces(members: readonly Member[]): string {
  if (members.length === 0) return "{}";
  const texts = members.map(({ key, text }) => `${key}: ${text}`);
  const line = `{ ${texts.join("; ")} }`;
  const isPlain = members.every(({ comment }) => comment === undefined);
  return isPlain && isLine(line) ? line : `{\n${formatMembers(members)}}`;
}

/** Each in lines of its own. */
export function formatMembers(members: readonly Member[]): string {
  return members
    .map(({ key, text, comment = "" }) =>
      indent(`${formatComment(comment)}${key}:${text.startsWith("\n") ? "" : " "}${text};\n`),
    )
    .join("");
}

/** @param members of which none is there twice. One may be a union in several lines. */
export function formatUnion(members: readonly string[]): string {
  const line = members.join(" | ");
  if (members.length < 2 || isLine(line)) return line;
  const inner = members.map((text) =>
    text.startsWith("\n") ? text.replace(/^ {2}/gm, "").slice("\n| ".length) : text,
  );
  return indent(`\n| ${inner.join("\n| ")}`);
}

/** What the source says of a value, as the text of a comment. */
export function describeNotes({ description = "", default: value, example, deprecated }: Notes = {}): string {
  const given = value === undefined ? "" : `Default: ${JSON.stringify(value)}`;
  const shown = example === undefined ? "" : `@example ${JSON.stringify(example)}`;
  const parts = [description, given, shown, deprecated ? "@deprecated" : ""];
  return parts.filter((text) => text !== "").join("\n\n");
}

/** @returns "" where there is nothing to say. */
export function formatComment(text: string): string {
  const safe = escapeLines(text.trim().replaceAll("*/", "*\\/"));
  if (safe === "") return "";
  const lines = safe.split("\n").map((line) => line.trimEnd());
  if (lines.length === 1) return `/** ${safe} */\n`;
  return `/**\n${lines.map((line) => (line === "" ? " *\n" : ` * ${line}\n`)).join("")} */\n`;
}

function isLine(text: string): boolean {
  return text.length <= WIDTH && !text.includes("\n");
}

/** Texts in types hold no line break: it is escaped there. */
export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
