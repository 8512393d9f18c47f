/** Runs the package manager's `install` in the project, without a shell. The terminal shows its progress. */

import { type StdioOptions, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Interruption } from "./interruption.ts";
import type { PackageManager } from "./package-managers.ts";

export interface InstallInput {
  readonly manager: PackageManager;
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly interruption: Interruption;
  /** Where its progress goes: a program that reads our JSON gets nothing else on stdout. */
  readonly progress: "stdout" | "stderr";
}

/** `npm create` sets these for itself. In a nested run they would install the wrong thing, or cause warnings. */
const OURS =
  /^(?:npm_(?:package|lifecycle)_|npm_command$|npm_config_(?:local_prefix|package|call|yes|json|pm|apps|install|git|author|license|description|all|message|parseable|loglevel)$|INIT_CWD$)/;

/** @returns why it failed, as a clause */
export async function install(input: InstallInput): Promise<string | undefined> {
  const [command, ...words] = toCommand(input.manager, input.environment);
  const env = Object.fromEntries(Object.entries(input.environment).filter(([name]) => !OURS.test(name)));
  const ending = new Promise<string | undefined>((resolve, reject) => {
    const stdio: StdioOptions = ["inherit", process[input.progress].fd, "inherit"];
    const child = spawn(command, words, { cwd: input.directory, env, stdio });
    input.interruption.onInterrupt((signal) => child.kill(signal));
    child.once("error", reject);
    child.once("close", (status, signal) => {
      const how = signal === null ? `ended with status ${status}` : "was stopped";
      resolve(status === 0 ? undefined : `${input.manager} ${how}`);
    });
  });
  return ending.catch((error) =>
    error.code === "ENOENT" ? `there is no ${input.manager} on this machine` : error.message,
  );
}

/**
 * If the package manager runs us, we start that very program; otherwise the one in PATH. On Windows that is a `.cmd`, which only
 * `cmd.exe` runs: our words are constant, so none of the user's reach a shell.
 */
function toCommand(manager: PackageManager, environment: NodeJS.ProcessEnv): [string, ...string[]] {
  const running = environment.npm_execpath;
  if (running !== undefined && basename(running).startsWith(manager) && existsSync(running)) {
    return /\.[cm]?js$/.test(running) ? [process.execPath, running, "install"] : [running, "install"];
  }
  if (process.platform !== "win32") return [manager, "install"];
  const npm = join(dirname(process.execPath), "node_modules", "npm", "bin", "npm-cli.js");
  if (manager === "npm" && existsSync(npm)) return [process.execPath, npm, "install"];
  return [environment.ComSpec ?? "cmd.exe", "/d", "/s", "/c", `${manager} install`];
}
