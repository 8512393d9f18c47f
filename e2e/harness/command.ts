/** A command that was started: its output as it comes, what to wait for in it, and how it ended. Never outlives the run. */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import type { Environment } from "./environment.ts";
import { atEnd } from "./workspace.ts";

export interface CommandOptions {
  readonly cwd: string;
  readonly env: Environment;
  /** After this many milliseconds everything that was started is killed, and waiting for it fails. */
  readonly timeout?: number;
}

export interface Outcome {
  /** The exit status; null when a signal ended it. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly pid: number;
  readonly ended: Promise<Outcome>;
  /** All that was printed so far on both streams, without colours. */
  output(): string;
  /** Resolves when the output, from what an earlier wait took on, has the pattern; fails when the command ends first. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  write(text: string): void;
  /** Closes its standard input. */
  endInput(): void;
  signal(name: NodeJS.Signals): void;
  /** As Ctrl-C at a terminal does: to the command and all that it started. */
  signalGroup(name: NodeJS.Signals): void;
  /** It has this many milliseconds more, instead of what was left. */
  limit(milliseconds: number): void;
  /** From now on the run may end without waiting for this command, which is then killed. */
  letGo(): void;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** @param words the program and its arguments; no shell reads them. */
export function start(words: readonly string[], options: CommandOptions): RunningCommand {
  const [program = "", ...rest] = words;
  // A group of its own, so that what a shell or npm started can be ended with it.
  const child = spawn(program, rest, { cwd: options.cwd, env: options.env, detached: true });
  const output = collectOutput(child);
  const pid = child.pid ?? 0;
  const killGroup = (signal: NodeJS.Signals): void => {
    try {
      if (pid > 0) process.kill(-pid, signal);
    } catch {
      // It has ended.
    }
  };
  const forget = atEnd(() => killGroup("SIGKILL"));
  child.stdin.on("error", () => {});
  const shown = words.join(" ");
  let late: number | undefined;
  const limit = (milliseconds: number): NodeJS.Timeout =>
    setTimeout(() => {
      late = milliseconds;
      killGroup("SIGKILL");
    }, milliseconds);
  let timer = limit(options.timeout ?? DEFAULT_TIMEOUT_MS);
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status, signal) => {
      clearTimeout(timer);
      killGroup("SIGKILL");
      forget();
      const outcome = { status, signal, ...output.streams() };
      if (late !== undefined)
        reject(new Error(`"${shown}" was not done after ${late} ms. It printed:\n${output.text()}`));
      else resolve(outcome);
    });
  });
  ended.catch(() => {});
  return {
    pid,
    ended,
    output: output.text,
    waitFor: (pattern) =>
      Promise.race([
        output.waitFor(pattern),
        ended.then(({ status, signal }) => {
          const how = signal ?? `status ${status}`;
          throw new Error(
            `"${shown}" ended with ${how} before it printed ${pattern}. It printed:\n${output.text()}`,
          );
        }),
      ]),
    write: (text) => void child.stdin.write(text),
    endInput: () => void child.stdin.end(),
    signal: (name) => void child.kill(name),
    signalGroup: killGroup,
    limit: (milliseconds) => {
      clearTimeout(timer);
      timer = limit(milliseconds);
    },
    letGo: () => {
      clearTimeout(timer);
      child.unref();
      for (const stream of [child.stdin, child.stdout, child.stderr])
        (stream as unknown as { unref(): void }).unref();
    },
  };
}

/** Runs a command to its end, with nothing on its standard input. */
export async function run(words: readonly string[], options: CommandOptions): Promise<Outcome> {
  const command = start(words, options);
  command.endInput();
  return command.ended;
}

/** Runs a command that has to succeed. */
export async function runWell(words: readonly string[], options: CommandOptions): Promise<Outcome> {
  const outcome = await run(words, options);
  if (outcome.status === 0) return outcome;
  const { status, stdout, stderr } = outcome;
  throw new Error(`"${words.join(" ")}" ended with status ${status}. It printed:\n${stdout}${stderr}`);
}

function collectOutput(child: ChildProcessWithoutNullStreams): {
  text(): string;
  streams(): { stdout: string; stderr: string };
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
} {
  let stdout = "";
  let stderr = "";
  let both = "";
  let taken = 0;
  const waiting = new Set<() => void>();
  const text = (): string => stripVTControlCharacters(both);
  const take = (chunk: string): void => {
    both += chunk;
    for (const look of waiting) look();
  };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    take(chunk);
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
    take(chunk);
  });
  return {
    text,
    streams: () => ({ stdout: stripVTControlCharacters(stdout), stderr: stripVTControlCharacters(stderr) }),
    waitFor: (pattern) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = pattern.exec(text().slice(taken));
          if (found === null) return;
          taken += found.index + found[0].length;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}
