/**
 * `npm create convention-app shop --pm pnpm`, without the `--` that npm wants before our flags: npm takes them for its own.
 * We recover them from the environment, if npm leaves a trace there.
 *
 * Seen with npm 11.19: the switches below, `--author=Ann` and `--database=sqlite` arrive as settings. `--upgrade` does, too, with the flags that go with it.
 * npm reads `--pm pnpm` letter by letter: parseable, message "pnpm". In the same way `--apps users` becomes all, parseable and
 * log level silent, and `users` is a word, like the value of `--author Ann`. `--description` leaves only its text as a word, and
 * `parseFlags` refuses that.
 */

import { type Flags, readValue } from "./flags.ts";
import { isPackageManager } from "./package-managers.ts";
import { isRefusal } from "./refusal.ts";

export interface Recovered {
  /** The flags that npm kept. They go before the words. */
  readonly words: readonly string[];
  /** The command line without the words that were values of these flags. */
  readonly rest: readonly string[];
}

export function recoverFlags(words: readonly string[], environment: NodeJS.ProcessEnv): Recovered {
  if (!environment.npm_config_user_agent?.startsWith("npm/")) return { words: [], rest: words };
  const recovered = [...recoverSwitches(environment), ...recoverValues(environment)];
  const lost = findFlagsWithoutValue(environment);
  const plain = words.filter((word) => !word.startsWith("-"));
  const [flag] = lost;
  const value = plain[1];
  if (lost.length !== 1 || plain.length !== 2 || flag === undefined || value === undefined) {
    return { words: recovered, rest: words };
  }
  if (isRefusal(readValue(flag, value))) return { words: recovered, rest: words };
  return { words: [...recovered, `--${flag}=${value}`], rest: words.toSpliced(words.lastIndexOf(value), 1) };
}

const SWITCHES: readonly (readonly [setting: string, value: string, flag: string])[] = [
  ["yes", "true", "--yes"],
  ["json", "true", "--json"],
  ["install", "true", "--install"],
  ["install", "", "--no-install"],
  ["bare", "true", "--bare"],
  ["git", "", "--git"],
  ["git", "false", "--no-git"],
];

function recoverSwitches(environment: NodeJS.ProcessEnv): string[] {
  const found = SWITCHES.filter(([setting, value]) => environment[`npm_config_${setting}`] === value);
  return [...found.map(([, , flag]) => flag), ...recoverUpgrade(environment)];
}

/** Also recovers the flags beside `--upgrade`: a dry run must not become a real one. */
function recoverUpgrade(environment: NodeJS.ProcessEnv): string[] {
  if (environment.npm_config_upgrade !== "true") return [];
  const kept = ["dry_run", "check", "continue", "abort", "force"].filter(
    (name) => environment[`npm_config_${name}`] === "true",
  );
  return ["upgrade", ...kept].map((name) => `--${name.replace("_", "-")}`);
}

function recoverValues(environment: NodeJS.ProcessEnv): string[] {
  const found: string[] = [];
  const {
    npm_config_message: message,
    npm_config_author: author,
    npm_config_license: license,
    npm_config_database: database,
  } = environment;
  if (environment.npm_config_parseable === "true" && isPackageManager(message)) found.push(`--pm=${message}`);
  if (author !== undefined && author !== "true") found.push(`--author=${author}`);
  if (license !== undefined && license !== "true") found.push(`--license=${license}`);
  if (database !== undefined && database !== "true") found.push(`--database=${database}`);
  return found;
}

function findFlagsWithoutValue(environment: NodeJS.ProcessEnv): (keyof Flags)[] {
  const found: (keyof Flags)[] = [];
  const isApps =
    environment.npm_config_all === "true" &&
    environment.npm_config_parseable === "true" &&
    environment.npm_config_loglevel === "silent";
  if (isApps) found.push("apps");
  if (environment.npm_config_author === "true") found.push("author");
  if (environment.npm_config_license === "true") found.push("license");
  if (environment.npm_config_database === "true") found.push("database");
  return found;
}
