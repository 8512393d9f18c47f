/** Suggests a valid name for one that breaks the rule: its letters and digits. */

/** Some systems refuse longer file names. */
export const LONGEST_NAME = 100;

/**
 * @param separator replaces everything else between them.
 * @returns undefined where nothing is left, or where letters of another script would be lost.
 * @example toPlainName("../Ünï x", "-") // "Uni-x"
 */
export function toPlainName(name: string, separator: "-" | "_"): string | undefined {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "");
  if (/[^\P{L}a-z]/iu.test(plain)) return undefined;
  const words = plain.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.length === 0 ? undefined : words.join(separator);
}

/** For a message: only the beginning of a long name. */
export function shorten(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, 40)}…` : name;
}
