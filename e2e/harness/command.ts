/** A command that was started: its output as it comes, what to wait for in it, and how it ended. Never outlives the run. */

import { spawn } from "node:child_process";
import type { Environment } from "./environment.ts";
import { LIMIT_MS } from "./limit.ts";
import { collectOutput, shorten } from "./output.ts";
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
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  readonly ended: Promise<Outcome>;
  /** All that was printed so far on both streams, without colours. */
  output(): string;
  /** Resolves when the output, from what an earlier wait took on, has the pattern; fails when that takes long or the command ends. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  write(text: string): void;
  endInput(): void;
  signal(name: NodeJS.Signals): void;
  /** As Ctrl-C at a terminal does: to the command and all that it started. */
  signalGroup(name: NodeJS.Signals): void;
  /** From now on the run may end without waiting for this command, which is then killed. */
  letGo(): void;
  /** Waits for its end, also where it was let go. */
  waitForEnd(): Promise<Outcome>;
}

/** @param words the program and its arguments; no shell reads them. */
export function start(words: readonly string[], options: CommandOptions): RunningCommand {
  const [program = "", ...rest] = words;
  const shown = words.join(" ");
  // A group of its own, so that what a shell or npm started can be ended with it.
  const child = spawn(program, rest, { cwd: options.cwd, env: options.env, detached: true });
  const output = collectOutput(child);
  const signalGroup = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // The whole group has ended.
    }
  };
  const forget = atEnd(() => signalGroup("SIGKILL"));
  let wasLate = false;
  const limit = (): NodeJS.Timeout =>
    setTimeout(() => {
      wasLate = true;
      signalGroup("SIGKILL");
    }, options.timeout ?? LIMIT_MS);
  let timer = limit();

  const ended = new Promise<Outcome>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status, signal) => {
      clearTimeout(timer);
      output.end();
      forget();
      if (wasLate)
        reject(new Error(`"${shown}" did not end in time. It printed:\n${shorten(output.text())}`));
      else resolve({ status, signal, stdout: output.stdout(), stderr: output.stderr() });
    });
  });
  // Whoever waits for it hears of a failure; nobody has to.
  ended.catch(() => {});
  child.stdin.on("error", () => {});

  const failAtEnd = async (pattern: RegExp): Promise<never> => {
    const { status, signal } = await ended;
    const how = signal ?? `status ${status}`;
    throw new Error(
      `"${shown}" ended with ${how} before it printed ${pattern}. It printed:\n${shorten(output.text())}`,
    );
  };
  return {
    pid: child.pid,
    ended,
    output: output.text,
    waitFor: (pattern) => Promise.race([output.waitFor(pattern), failAtEnd(pattern)]),
    write: (text) => void child.stdin.write(text),
    endInput: () => void child.stdin.end(),
    signal: (name) => void child.kill(name),
    signalGroup,
    letGo() {
      clearTimeout(timer);
      child.unref();
      for (const stream of [child.stdin, child.stdout, child.stderr]) {
        // They are sockets, which the types don't tell.
        (stream as unknown as { unref(): void }).unref();
      }
    },
    waitForEnd() {
      clearTimeout(timer);
      timer = limit();
      // It may have ended long ago.
      return ended.finally(() => clearTimeout(timer));
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
  throw new Error(
    `"${words.join(" ")}" ended with status ${status}. It printed:\n${shorten(stdout + stderr)}`,
  );
}
