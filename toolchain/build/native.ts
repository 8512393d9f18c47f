/** Whether a package has a part that was compiled for one machine: its package.json says so, however it looks for that part. */

import { isRecord } from "#convention/source/record";
import { readInstalled } from "../load/package-file.ts";

/** What such packages are built, fetched and found with. */
const LOADER =
  /^(?:bindings|nan|node-addon-api|prebuild-install|pkg-prebuilds|node-gyp-build(?:-.*)?|@mapbox\/node-pre-gyp|@neon-rs\/load)$/;
/** As in `@img/sharp-linux-x64`: packages with a native part each, of which npm installs one. */
const OF_A_PLATFORM = /[/-](?:linux|darwin|win32)-(?:x64|arm64)\b/;
const FIELDS = ["binary", "gypfile", "napi"];

/** @param folder that of a module of the package. @returns what says it; undefined for a package of JavaScript alone. */
export function findNative(folder: string, name: string): string | undefined {
  const manifest = readInstalled(folder, name) ?? {};
  const field = FIELDS.find((one) => manifest[one] !== undefined);
  return (
    keysOf(manifest.optionalDependencies).find((one) => OF_A_PLATFORM.test(one)) ??
    keysOf(manifest.dependencies).find((one) => LOADER.test(one)) ??
    (field && `\`${field}\` in its package.json`)
  );
}

function keysOf(value: unknown): readonly string[] {
  return isRecord(value) ? Object.keys(value) : [];
}
