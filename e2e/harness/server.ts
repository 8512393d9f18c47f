/** A project that serves: started as a person starts it, ready when it has printed its address, stopped with its status. */

import { type Outcome, type RunningCommand, start } from "./command.ts";
import { type Environment, isolatedEnvironment } from "./environment.ts";

export interface RunningServer extends RunningCommand {
  /** As printed, without a slash at its end: `http://localhost:40123`. */
  readonly url: string;
  /** As a service manager does. @returns how it ended. */
  stop(signal?: NodeJS.Signals): Promise<Outcome>;
  /** As Ctrl-C at a terminal does, where the signal reaches all that was started. */
  stopGroup(signal: NodeJS.Signals): Promise<Outcome>;
}

export const DEV: readonly string[] = [process.execPath, "vendor/framework", "dev"];
export const START: readonly string[] = [process.execPath, "vendor/framework", "start"];

export const ADDRESS: RegExp = /https?:\/\/[^\s/]+:\d+/;

/** @param settings added to the environment; without a `PORT` of their own the system gives a free one. */
export async function serve(
  folder: string,
  words: readonly string[] = START,
  settings: Environment = {},
): Promise<RunningServer> {
  const env = { ...isolatedEnvironment(), PORT: "0", ...settings };
  const command = start(words, { cwd: folder, env });
  const [url] = await command.waitFor(ADDRESS);
  command.letGo();
  return {
    ...command,
    url,
    stop(signal = "SIGTERM") {
      command.signal(signal);
      return command.waitForEnd();
    },
    stopGroup(signal) {
      command.signalGroup(signal);
      return command.waitForEnd();
    },
  };
}
