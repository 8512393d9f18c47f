/** Which names a folder of sources can have on every system: above all the folder of an app, which has the app's name. */

import type { Refusal } from "../refusal.ts";

const APP_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const LONGEST_APP_NAME = 100;
/** Windows opens a device of that name, in every folder and with any ending. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * An app has the name of its folder, so the name has to work on every system, for a folder with sources.
 *
 * @example badAppName("products") // undefined
 */
export function badAppName(name: string): Refusal | undefined {
  const why = explainDeviceName(name) ?? explainHiddenFolder(name);
  if (why !== undefined) return { why, hint: "Choose another name." };
  if (name.length > LONGEST_APP_NAME)
    return { why: `it is longer than ${LONGEST_APP_NAME} characters`, hint: "Choose a shorter name." };
  if (APP_NAME.test(name)) return undefined;
  const hint = "Use letters, digits, `_` and `-`, and begin with a letter or a digit.";
  return { why: "no folder can have that name on every system", hint };
}

/** Why no file or folder can have the name on every system; undefined for one that can. */
export function explainDeviceName(name: string): string | undefined {
  return DEVICE_NAME.test(name) ? "Windows reserves it for a device" : undefined;
}

/**
 * Why a folder of this name has no sources, at any depth; undefined where it can have some. Case does not count, since not every
 * file system distinguishes it.
 */
export function explainHiddenFolder(name: string): string | undefined {
  switch (name.toLowerCase()) {
    case "node_modules":
      return "Node does not erase types in a folder of that name, and .gitignore excludes it";
    case "dist":
      return ".gitignore excludes a folder of that name, and `framework dev` does not watch it";
    default:
      return undefined;
  }
}
