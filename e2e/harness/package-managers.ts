/** npm, pnpm, both kinds of yarn, and bun, installed as packages when they are asked for. */

import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run } from "./command.ts";
import { type Environment, isolatedEnvironment, ordinaryEnvironment } from "./environment.ts";
import { installLocked } from "./package.ts";
import { createFolder, REPOSITORY } from "./workspace.ts";

const FOLDER = join(REPOSITORY, "e2e/package-managers");

export interface PackageManager {
  /** As in the title of a test: `yarn 1`. */
  readonly title: string;
  /** As typed: `yarn`. */
  readonly command: string;
  /** In `e2e/package-managers/node_modules`; absent for the one that comes with Node. */
  readonly program?: string;
  /** The words after `create`. */
  readonly create: readonly string[];
}

const AT_LATEST = "convention-app@latest";

export const PACKAGE_MANAGERS: readonly PackageManager[] = [
  { title: "npm", command: "npm", create: [AT_LATEST, "shop", "--", "--yes"] },
  { title: "pnpm", command: "pnpm", program: "pnpm/pnpm", create: [AT_LATEST, "shop", "--yes"] },
  {
    title: "yarn 1",
    command: "yarn",
    program: "yarn1/bin/yarn.js",
    create: ["convention-app", "shop", "--yes"],
  },
  {
    title: "yarn 4",
    command: "yarn",
    program: "yarn4/bin/yarn.js",
    create: ["convention-app", "shop", "--yes"],
  },
  { title: "bun", command: "bun", program: "bun/bin/bun.exe", create: [AT_LATEST, "shop", "--yes"] },
];

/** The ordinary registry with a newcomer's home, and it before all others in the search path. */
export function environmentOf(manager: PackageManager): Environment {
  const { HOME = "" } = isolatedEnvironment();
  const { PATH, ...env } = ordinaryEnvironment();
  return { ...env, HOME, PATH: [link(manager), PATH].join(delimiter) };
}

/** Why it can't be had; undefined where it can. */
export async function whyNot(manager: PackageManager): Promise<string | undefined> {
  if (process.platform === "win32") return "the tests start it by a shell script";
  if (!(await installLocked(FOLDER))) return "npm could not install it";
  const words = [manager.command, "--version"];
  const { status } = await run(words, { cwd: FOLDER, env: environmentOf(manager) });
  return status === 0 ? undefined : "it does not run on this machine";
}

/** Some are scripts that their package does not mark as programs, and two of them share a name. */
function link({ command, program }: PackageManager): string {
  const folder = createFolder("bin");
  if (program === undefined) return folder;
  const file = join(FOLDER, "node_modules", program);
  const starter = program.endsWith(".js") ? `"${process.execPath}" "${file}"` : `"${file}"`;
  writeFileSync(join(folder, command), `#!/bin/sh\nexec ${starter} "$@"\n`);
  chmodSync(join(folder, command), 0o755);
  return folder;
}

/**
 * What each of them calls the registry that it asks. Without the settings of this machine, which only the ordinary registry needs, and
 * which may hold `yes=false`.
 */
export function atRegistry(env: Environment, url: string): Environment {
  const { npm_config_userconfig = "" } = isolatedEnvironment();
  return {
    ...env,
    npm_config_userconfig,
    npm_config_registry: url,
    pnpm_config_registry: url,
    YARN_NPM_REGISTRY_SERVER: url,
    YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
  };
}
