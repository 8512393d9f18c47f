/** The file in which the project's package manager keeps which packages it has installed. */

import { join } from "node:path";
import { findAbove } from "#runtime/project-root";

export interface Lockfile {
  /** Absolute. */
  readonly path: string;
  /** What installs what it names. */
  readonly command: string;
}

const COMMANDS: readonly (readonly [file: string, command: string])[] = [
  ["pnpm-lock.yaml", "pnpm install"],
  ["yarn.lock", "yarn install"],
  ["bun.lock", "bun install"],
  ["bun.lockb", "bun install"],
  ["package-lock.json", "npm install"],
];

/** @param name of a file, without its folder. */
export function isLockfile(name: string): boolean {
  return COMMANDS.some(([file]) => file === name);
}

/** @returns the nearest one: that of a workspace is above its projects. */
export function nearestLockfile(root: string): Lockfile | undefined {
  const found = COMMANDS.flatMap(([file, command]) => {
    const folder = findAbove(root, file);
    return folder === undefined ? [] : { folder, path: join(folder, file), command };
  });
  const [nearest] = found.sort((one, other) => other.folder.length - one.folder.length);
  return nearest;
}
