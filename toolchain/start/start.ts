/** Serves a project in this process: its built server if that is current, else its source. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setLaunch } from "#runtime/launch";
import { createProductionLog } from "#runtime/log/production";
import { firstServer } from "#runtime/node/server";
import { BUILT_SERVER, newerThanBuild } from "../build/record.ts";
import { loadEnvironment } from "../environment.ts";
import { neverLoaded, nothingServed, runMainFile } from "../load/main-file.ts";
import { registerModules } from "../load/modules.ts";
import { unlessIdle } from "./idle.ts";

/** Where the server came from; `stale` names a file that changed after the build. */
export type Origin = { kind: "built" } | { kind: "source" } | { kind: "stale"; newer: string };

/** @throws {ProjectError} when the project has errors; {Problem} when it comes to nothing; whatever its own modules throw. */
export async function startProject(root: string): Promise<Origin> {
  loadEnvironment(root, "production");
  const built = join(root, BUILT_SERVER);
  const newer = existsSync(built) ? newerThanBuild(root) : undefined;
  if (existsSync(built) && newer === undefined) {
    await unlessIdle(import(pathToFileURL(built).href), neverLoaded);
    return { kind: "built" };
  }
  setLaunch({ log: createProductionLog() });
  await registerModules();
  await unlessIdle(runMainFile(root), neverLoaded);
  await unlessIdle(firstServer, nothingServed);
  return newer === undefined ? { kind: "source" } : { kind: "stale", newer };
}
