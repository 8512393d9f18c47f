/** Serves a project in this process: its built server if that is current, else its source. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createProductionLog } from "../core/log/production.ts";
import { firstServer } from "../core/node.ts";
import { setLaunch } from "../launch.ts";
import { BUILT_SERVER, newerThanBuild } from "./build/record.ts";
import { loadEnvironment } from "./environment.ts";
import { nothingServed, runMainFile } from "./main-file.ts";
import { registerModules } from "./modules.ts";

/** Where the server came from; `stale` names a file that changed after the build. */
export type Origin = { kind: "built" } | { kind: "source" } | { kind: "stale"; newer: string };

/** @throws {ProjectError} when the project has errors; whatever the project's own modules throw. */
export async function startProject(root: string): Promise<Origin> {
  loadEnvironment(root, "production");
  const built = join(root, BUILT_SERVER);
  const newer = existsSync(built) ? newerThanBuild(root) : undefined;
  if (existsSync(built) && newer === undefined) {
    await import(pathToFileURL(built).href);
    return { kind: "built" };
  }
  setLaunch({ log: createProductionLog() });
  await registerModules();
  await runMainFile(root);
  await Promise.race([firstServer, refuseEnd()]);
  return newer === undefined ? { kind: "source" } : { kind: "stale", newer };
}

/** @throws {Problem} when the process has nothing left to do. */
function refuseEnd(): Promise<never> {
  return new Promise((_resolve, reject) => process.once("beforeExit", () => reject(nothingServed())));
}
