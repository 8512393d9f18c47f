/** What a header is called that a parameter or a property takes. */

/** @example toHeaderName("if_none_match") // "if-none-match" */
export function toHeaderName(name: string): string {
  return name.replaceAll("_", "-").toLowerCase();
}
