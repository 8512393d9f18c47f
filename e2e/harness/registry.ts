/** A registry on this machine with our package in it, as a newcomer's `npm create` finds it. Started once a run. */

import { join } from "node:path";
import { runWell, start } from "./command.ts";
import { isolatedEnvironment, ordinaryEnvironment } from "./environment.ts";
import { once } from "./once.ts";
import { installLocked, packOnce } from "./package.ts";
import { createFolder, REPOSITORY } from "./workspace.ts";

export interface Registry {
  readonly url: string;
  publish(tarball: string): Promise<void>;
}

const FOLDER = join(REPOSITORY, "e2e/registry");

/** The registry, with the package of this repository. */
export const registryWithPackage: () => Promise<Registry> = once("registry", async () => {
  const [registry, { tarball }] = await Promise.all([startRegistry(), packOnce()]);
  await registry.publish(tarball);
  return registry;
});

/** An empty registry. */
export async function startRegistry(): Promise<Registry> {
  if (!(await installLocked(FOLDER))) {
    throw new Error("The registry server could not be installed: `npm ci` in e2e/registry tells why.");
  }
  const words = [process.execPath, "serve.js", createFolder("registry")];
  const server = start(words, { cwd: FOLDER, env: ordinaryEnvironment() });
  const [, url = ""] = await server.waitFor(/^registry (\S+)$/m);
  server.letGo();
  return { url, publish: (tarball) => publish(url, tarball) };
}

/** npm publishes nothing without a token, even where the registry wants none. */
async function publish(url: string, tarball: string): Promise<void> {
  const token = { [`npm_config_${url.replace(/^http:/, "")}:_authToken`]: "anyone" };
  const env = { ...isolatedEnvironment(url), ...token };
  await runWell(["npm", "publish", tarball], { cwd: REPOSITORY, env });
}
