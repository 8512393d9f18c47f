/**
 * Instead of `license.js` in the bundle: the engine writes a LICENSE file unless this fails, and expects that it may.
 * A project has none until its owner decides; package.json says `--license`.
 */

export function makeLicenseSync(): never {
  throw new Error("no LICENSE file is made");
}

export function availableLicenses(): string[] {
  return [];
}
