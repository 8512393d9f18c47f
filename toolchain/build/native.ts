/** Whether a package has a part that was compiled for one machine: its package.json says so, however it looks for that part. */

import { isRecord } from "#convention/source/record";
import { readInstalled } from "../load/package-file.ts";

/** What such packages are built, fetched and found with. */
const LOADER =
  /^(?:bindings|nan|node-addon-api|prebuild-install|pkg-prebuilds|node-gyp-build(?:-.*)?|@mapbox\/node-pre-gyp|@neon-rs\/load)$/;
/** As in `@img/sharp-linux-x64`: packages with a native part each, of which npm installs one. */
const OF_A_PLATFORM = /[/-](?:linux|darwin|win32)-(?:x64|arm64)\b/;

/** @param folder that of a module which imports the package. */
export function isNative(folder: string, name: string): boolean {
  const { binary, dependencies, gypfile, napi, optionalDependencies } = readInstalled(folder, name) ?? {};
  return (
    [binary, gypfile, napi].some((field) => field !== undefined) ||
    keysOf(dependencies).some((one) => LOADER.test(one)) ||
    keysOf(optionalDependencies).some((one) => OF_A_PLATFORM.test(one))
  );
}

function keysOf(value: unknown): readonly string[] {
  return isRecord(value) ? Object.keys(value) : [];
}
