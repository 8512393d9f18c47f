/** Versions: which of two is the older one, and whether one is in a range. */

/**
 * By the precedence of Semantic Versioning 2.0, section 11.
 *
 * @returns negative where the first is older, positive where it is newer, 0 where they are equal.
 * @example compareVersions("0.9.0", "0.10.0-beta.1") // negative
 */
export function compareVersions(one: string, other: string): number {
  const [version, otherVersion] = [withoutBuild(one), withoutBuild(other)];
  const [release = "", otherRelease = ""] = [version.split("-")[0], otherVersion.split("-")[0]];
  // A version without a pre-release part is newer than all that have one.
  const isPreRelease = Number(otherVersion.includes("-")) - Number(version.includes("-"));
  return byNumbers(release, otherRelease) || isPreRelease || byNumbers(version, otherVersion);
}

function withoutBuild(version: string): string {
  return version.replace(/\+.*$/, "");
}

function byNumbers(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}

const COMPARATOR = /^(>=|<=|[<>=^~]?)v?(\d+(?:\.\d+){0,2})(?:\.[xX*])*$/;

/**
 * By npm's ranges, as they are in `engines`.
 *
 * @returns undefined for a range in a form that is not known here, such as one with a hyphen or a pre-release.
 * @example isInRange("22.4.0", "^20.19 || >=22") // true
 */
export function isInRange(version: string, range: string): boolean | undefined {
  const parts = range.split("||").map((part) =>
    part
      .trim()
      .replace(/([<>=^~])\s+/g, "$1")
      .split(/\s+/),
  );
  const met = parts.map((part) => part.map((comparator) => isMet(version, comparator)));
  if (met.flat().includes(undefined)) return undefined;
  return met.some((part) => part.every((one) => one === true));
}

function isMet(version: string, comparator: string): boolean | undefined {
  if (/^[xX*]?$/.test(comparator)) return true;
  const [, sign = "", text = ""] = COMPARATOR.exec(comparator) ?? [];
  if (text === "") return undefined;
  const numbers = text.split(".");
  const isSame = (length: number): boolean =>
    numbers.slice(0, length).every((number, place) => number === version.split(/[.+-]/)[place]);
  const isWhole = isSame(numbers.length);
  const order = compareVersions(version, [...numbers, "0", "0"].slice(0, 3).join("."));
  if (sign === ">=") return order >= 0;
  if (sign === "<") return order < 0;
  if (sign === ">") return order > 0 && !isWhole;
  if (sign === "<=") return order <= 0 || isWhole;
  if (sign === "^") return order >= 0 && isSame(1);
  return sign === "~" ? order >= 0 && isSame(2) : isWhole;
}
