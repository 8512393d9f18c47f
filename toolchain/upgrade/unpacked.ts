/**
 * A newer framework as its package unpacks it for a project, by `create-convention-app --upgrade`: the newer files, and
 * what the project's own were before anybody edited them.
 */

import { cpSync, existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { frameworkPath } from "../framework-folder.ts";

/** In the vendored folder: its text files as they came, in the packed form that only the package reads. */
export const BASE_FILE = "base.br";

/** Absolute paths. */
export interface Unpacked {
  readonly folder: string;
  /** The newer framework, with its manifest. */
  readonly framework: string;
  /** What the project's files were made from; the folder is not there where that is not recorded. */
  readonly base: string;
}

export function toUnpacked(folder: string): Unpacked {
  return { folder, framework: join(folder, "framework"), base: join(folder, "base") };
}

/** The folder that this very code was unpacked to, if it is a framework unpacked for an upgrade. */
export function isOurs({ framework }: Unpacked): boolean {
  return existsSync(framework) && realpathSync(framework) === realpathSync(frameworkPath());
}

/** @param folder the copy's, absolute. */
export function copyUnpacked({ framework, base }: Unpacked, folder: string): Unpacked {
  const copy = toUnpacked(folder);
  cpSync(framework, copy.framework, { recursive: true });
  if (existsSync(base)) cpSync(base, copy.base, { recursive: true });
  return copy;
}
