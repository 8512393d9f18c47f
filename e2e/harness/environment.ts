/** What the processes that we start find in their environment: what a newcomer's shell has, and nothing of this run's own. */

import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createFolder } from "./workspace.ts";

export type Environment = Readonly<Record<string, string>>;

/** Nothing listens there: whoever tries to fetch something fails at once. */
export const NO_REGISTRY = "http://127.0.0.1:1/";

/** Set by `npm run`, uvu, tsx or the machine, and read by what we start. */
const OURS =
  /^(?:npm_.*|INIT_CWD|NODE|NODE_ENV|NODE_OPTIONS|FORCE_COLOR|NO_COLOR|CI|PORT|HOST|EDITOR|GIT_.*|TSX_.*|ESBUILD_.*)$/i;

const home = createFolder("home");
writeFileSync(join(home, ".gitconfig"), '[user]\n  name = "Ada"\n  email = "ada@example.org"\n');

/**
 * A person's own settings are left out too, so that the outcome is the same on each machine: `yes=false` in an `.npmrc`
 * is enough for `npm create` to refuse.
 *
 * @param registry where packages come from; its cache is new, so nothing comes from elsewhere.
 */
export function isolatedEnvironment(registry: string = NO_REGISTRY): Environment {
  return {
    ...plainEnvironment(),
    HOME: home,
    USERPROFILE: home,
    npm_config_userconfig: join(home, ".npmrc"),
    npm_config_globalconfig: join(home, "npmrc"),
    npm_config_registry: registry,
    npm_config_cache: createFolder("cache"),
    npm_config_update_notifier: "false",
    npm_config_fetch_retries: "0",
  };
}

/** With the registry and the npm settings that this machine has: for what is installed from the ordinary registry. */
export function ordinaryEnvironment(): Environment {
  const kept = ["registry", "userconfig", "cache", "cafile", "proxy", "https_proxy", "noproxy"];
  const settings = Object.fromEntries(
    kept.flatMap((key) => {
      const value = process.env[`npm_config_${key}`];
      return value ? [[`npm_config_${key}`, value]] : [];
    }),
  );
  return { ...plainEnvironment(), HOME: homedir(), ...settings, npm_config_update_notifier: "false" };
}

/** With `node` of another version before all others in the search path. */
export function withNode(environment: Environment, node: string): Environment {
  return { ...environment, PATH: [dirname(node), environment.PATH].join(delimiter) };
}

function plainEnvironment(): Environment {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !OURS.test(entry[0]),
  );
  return { ...Object.fromEntries(entries), PATH: searchPath(), TERM: "xterm" };
}

/** `npm run` puts the repository's own `node_modules/.bin` first, where a project would find tools that it does not have. */
function searchPath(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return [
    dirname(process.execPath),
    ...folders.filter((folder) => !/node_modules|node-gyp/.test(folder)),
  ].join(delimiter);
}

mkdirSync(join(home, ".config"), { recursive: true });
