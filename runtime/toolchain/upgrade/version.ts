/** Which of two versions is the older one. */

/**
 * By the precedence of Semantic Versioning 2.0, section 11.
 *
 * @returns negative where the first is older, positive where it is newer, 0 where they are equal.
 * @example compareVersions("0.9.0", "0.10.0-beta.1") // negative
 */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [parse(one), parse(other)];
  const release = compareLists(left.release, right.release);
  if (release !== 0) return release;
  // A version without a pre-release part is newer than all that have one.
  const [isPre, isOtherPre] = [left.pre.length > 0, right.pre.length > 0];
  return isPre && isOtherPre ? compareLists(left.pre, right.pre) : Number(isOtherPre) - Number(isPre);
}

function parse(version: string): { readonly release: readonly string[]; readonly pre: readonly string[] } {
  const [, release = "", pre = ""] = /^([^-+]*)(?:-([^+]*))?/.exec(version) ?? [];
  return { release: release.split("."), pre: pre === "" ? [] : pre.split(".") };
}

function compareLists(one: readonly string[], other: readonly string[]): number {
  for (const [index, part] of one.entries()) {
    const difference = compareParts(part, other[index]);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

function compareParts(one: string, other: string | undefined): number {
  if (other === undefined) return 1;
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && isOtherNumber) return Number(one) - Number(other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return one < other ? -1 : Number(one > other);
}
