/** A document as text: JSON, or YAML 1.2 that a reader of 1.1 takes for the same. */

import { formatJson } from "#runtime/escape";
import type { JsonObject } from "./json.ts";

export function formatJsonDocument(document: JsonObject): string {
  return `${formatJson(document, 2)}\n`;
}

export function formatYaml(document: JsonObject): string {
  return `${linesOf(document).join("\n")}\n`;
}

/** Of a value: several for one that has its own lines below a key, one for one that stays in the key's line. */
function linesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    return value.length === 0 ? ["[]"] : value.flatMap((item) => hang("- ", linesOf(item)));
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    return entries.length === 0 ? ["{}"] : entries.flatMap(([key, inner]) => entryLines(key, inner));
  }
  if (typeof value === "string") return isBlock(value) ? blockLines(value) : [formatText(value)];
  return [formatScalar(value)];
}

/** @example hang("- ", ["a: 1", "b: 2"]) // ["- a: 1", "  b: 2"] */
function hang(first: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, at) => (at === 0 ? first + line : indented(line)));
}

/** An empty line of a text of several lines stays empty. */
function indented(line: string): string {
  return line === "" ? "" : `  ${line}`;
}

function entryLines(key: string, value: unknown): readonly string[] {
  const [first = "", ...others] = linesOf(value);
  const name = formatText(key);
  // A key that ends with a colon may be 1024 characters long (YAML 1.2.2, section 7.4.2).
  const [head, start] = name.length > 1000 ? [[`? ${name}`], ":"] : [[], `${name}:`];
  const isOwn = isContainer(value) && first !== "[]" && first !== "{}";
  return isOwn
    ? [...head, start, ...[first, ...others].map(indented)]
    : [...head, `${start} ${first}`, ...others.map(indented)];
}

function isContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** A text of several lines whose characters are all as they look, and whose first line shows its indentation. */
function isBlock(text: string): boolean {
  return /^[^\s][^\n]*\n/.test(text) && !/\n\n$|\n[^\S\n]+(\n|$)|\t|\r/.test(text) && isPrintable(text);
}

function blockLines(text: string): readonly string[] {
  const [style, body] = text.endsWith("\n") ? ["|", text.slice(0, -1)] : ["|-", text];
  return [style, ...body.split("\n")];
}

function isPrintable(text: string): boolean {
  return formatJson(text) === JSON.stringify(text);
}

/** Starts with a letter, a slash or a dollar, and has nothing in it that YAML could take for anything else. */
const PLAIN = /^[\p{L}/$][\p{L}\p{N}\p{M} _./(){}$;=+'"`*,-]*$/u;
/** What a reader of YAML 1.1 or 1.2 takes for something else than a text. */
const OTHER_THAN_TEXT = /^(y|n|yes|no|on|off|true|false|null|e[-+]?\d+)$/i;

function formatText(text: string): string {
  const isPlain = PLAIN.test(text) && !text.endsWith(" ") && !OTHER_THAN_TEXT.test(text);
  return isPlain ? text : quote(text);
}

/** JSON's escapes are YAML's, but for the two halves of a character. */
function quote(text: string): string {
  return formatJson(text).replace(
    /\\(?:u(d[89ab]..)\\u(d[c-f]..)|.)/g,
    (written, high?: string, low?: string) => {
      if (high === undefined || low === undefined) return written;
      const code =
        String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0;
      return `\\U${code.toString(16).padStart(8, "0")}`;
    },
  );
}

/** YAML 1.1 wants a dot in a number with an exponent. */
function formatScalar(value: unknown): string {
  return String(JSON.stringify(value) ?? null).replace(/^(-?\d+)e/, "$1.0e");
}
