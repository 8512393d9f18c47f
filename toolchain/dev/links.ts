/** Where symbolic links lead. */

import { readlinkSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** The most links that Linux follows in one path. */
const MOST_HOPS = 40;

/** @returns the target of the link, and if that is a link its target, and so on. */
export function listHops(link: string, most: number = MOST_HOPS): string[] {
  const target = most === 0 ? undefined : findTarget(link);
  return target === undefined ? [] : [target, ...listHops(target, most - 1)];
}

/** @returns undefined if it is not a link. */
function findTarget(link: string): string | undefined {
  try {
    const folder = dirname(link);
    return resolve(findPlace(folder) ?? folder, readlinkSync(link));
  } catch {
    return undefined;
  }
}

/** @returns the path without links; undefined if there is no such file or folder. */
export function findPlace(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
