/** Which of two versions is the older one. */

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
