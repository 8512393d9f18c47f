/** Text of the user's or a client's that may be printed: nothing in it moves the cursor, colours, hides or reorders (CWE-150, CVE-2021-42574). */

/** Control characters, which a terminal obeys, marks that reorder or hide text, and halves of characters. JSON escapes some itself. */
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

/** The same for a text of several lines, such as a stack: line feeds and tabs stay. */
export function escapeLines(text: string): string {
  return text.replace(/[^\n\t]+/g, escapeControl);
}

/** A key as a step of a JSON pointer (RFC 6901 section 3). */
export function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function unescapeKey(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

/**
 * JSON for programs, which a person may look at in a terminal all the same: what would be escaped is `\uXXXX`, which JSON reads
 * back as it was.
 */
export function formatJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSAFE_IN_JSON, (char) =>
    char.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}
