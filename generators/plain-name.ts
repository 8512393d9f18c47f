/** What a name that breaks the rule may be meant to be: its letters and digits. */

/** Beyond it a name is no name any more, and some systems refuse the file. */
export const LONGEST_NAME = 100;

/**
 * @param separator stands for whatever else is between them.
 * @returns undefined where nothing is left, or letters of another script would be lost: without them it is another word.
 * @example toPlainName("../Ünï x", "-") // "Uni-x"
 */
export function toPlainName(name: string, separator: "-" | "_"): string | undefined {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "");
  if (/[^\P{L}a-z]/iu.test(plain)) return undefined;
  const words = plain.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.length === 0 ? undefined : words.join(separator);
}

/** As it is shown in a message: the beginning of one that is too long. */
export function shorten(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, 40)}…` : name;
}
