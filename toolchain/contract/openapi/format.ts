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
  if (typeof value === "string") return [formatText(value)];
  if (!hasLines(value)) return [formatScalar(value)];
  if (Array.isArray(value)) {
    const items = value.map((item) =>
      linesOf(item).map((line, at) => (at === 0 ? `- ${line}` : `  ${line}`)),
    );
    return items.flat();
  }
  return Object.entries(value).flatMap(([key, inner]) => {
    if (inner === undefined) return [];
    const lines = linesOf(inner);
    return hasLines(inner)
      ? [`${formatText(key)}:`, ...lines.map((line) => `  ${line}`)]
      : [`${formatText(key)}: ${lines.join("")}`];
  });
}

function hasLines(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
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
