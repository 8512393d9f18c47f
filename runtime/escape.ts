/** Escapes untrusted text for printing: characters that move the cursor, colour, hide or reorder text (CWE-150, CVE-2021-42574). */

/** Control characters, marks that reorder or hide text, and lone surrogates. `JSON.stringify` escapes the other control characters. */
const UNSAFE_IN_JSON =
  /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const UNSAFE = new RegExp(`[\\x00-\\x1f]|${UNSAFE_IN_JSON.source}`, "gu");

/** @example escapeControl("a\x1b[31m") // "a\\x1b[31m" */
export function escapeControl(text: string): string {
  return text.replace(UNSAFE, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
  });
}

/** Like `escapeControl`, for a text of several lines such as a stack: keeps line feeds and tabs. */
export function escapeLines(text: string): string {
  return text.replace(/[^\n\t]+/g, escapeControl);
}

/** Escapes a key as a reference token of a JSON pointer (RFC 6901 section 3). */
export function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function unescapeKey(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

/**
 * Formats JSON that is also safe to print in a terminal: unsafe characters become `\uXXXX`, so a parser still reads the same text.
 */
export function formatJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSAFE_IN_JSON, (char) =>
    char.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}
