/**
 * `npm create convention-app shop --pm pnpm`, without the `--` that npm wants before our flags: npm takes them for its own.
 * Where it leaves a trace in the environment they are recovered.
 *
 * Seen with npm 11.19: `--yes`, `--json`, `--bare`, `--install`, `--no-install` and `--author=Ann` arrive as settings. `--git` becomes an empty
 * setting, `--no-git` the word false. npm spells `--pm pnpm` out as its letters: parseable, message "pnpm". `--apps users`
 * likewise: all, parseable, log level silent, and `users` stands among the words, as does what follows `--author` with
 * a space. `--upgrade` and what goes with it arrive as settings. Nothing is left of `--description` but its text among the words, which then is refused.
 */

import { type Flags, readValue } from "./flags.ts";
import { isPackageManager } from "./package-managers.ts";
import { isRefusal } from "./refusal.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface Recovered {
  /** The flags as they should have arrived, to be put before the words. */
  readonly words: readonly string[];
  /** The words of the command line without those that were values. */
  readonly rest: readonly string[];
}

/** @returns the flags that npm kept, as words that `parseFlags` reads, and what remains of the command line */
export function recoverFlags(words: readonly string[], environment: Environment): Recovered {
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

function recoverSwitches(environment: Environment): string[] {
  const found: string[] = [];
  if (environment.npm_config_yes === "true") found.push("--yes");
  if (environment.npm_config_json === "true") found.push("--json");
  if (environment.npm_config_install === "true") found.push("--install");
  if (environment.npm_config_install === "") found.push("--no-install");
  if (environment.npm_config_bare === "true") found.push("--bare");
  if (environment.npm_config_git === "") found.push("--git");
  if (environment.npm_config_git === "false") found.push("--no-git");
  return [...found, ...recoverUpgrade(environment)];
}

/** With `--upgrade` goes what makes it harmless: a dry run must not become a real one. */
function recoverUpgrade(environment: Environment): string[] {
  if (environment.npm_config_upgrade !== "true") return [];
  const kept = ["dry_run", "check", "continue", "abort", "force"].filter(
    (name) => environment[`npm_config_${name}`] === "true",
  );
  return ["upgrade", ...kept].map((name) => `--${name.replace("_", "-")}`);
}

function recoverValues(environment: Environment): string[] {
  const found: string[] = [];
  const { npm_config_message: message, npm_config_author: author, npm_config_license: license } = environment;
  if (environment.npm_config_parseable === "true" && isPackageManager(message)) found.push(`--pm=${message}`);
  if (author !== undefined && author !== "true") found.push(`--author=${author}`);
  if (license !== undefined && license !== "true") found.push(`--license=${license}`);
  return found;
}

function findFlagsWithoutValue(environment: Environment): (keyof Flags)[] {
  const found: (keyof Flags)[] = [];
  const isApps =
    environment.npm_config_all === "true" &&
    environment.npm_config_parseable === "true" &&
    environment.npm_config_loglevel === "silent";
  if (isApps) found.push("apps");
  if (environment.npm_config_author === "true") found.push("author");
  if (environment.npm_config_license === "true") found.push("license");
  return found;
}
