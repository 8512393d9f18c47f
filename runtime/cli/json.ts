/** JSON for programs, which a person may look at in a terminal all the same. */

/** JSON that may be printed: what `escapeControl` would escape is written as `\uXXXX`, which JSON reads back unchanged. */
export function formatJson(value: unknown, indent?: number): string {
  const unsafe = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;
  const toEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value, null, indent).replace(unsafe, toEscape);
}
