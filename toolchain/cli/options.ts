/** The options that the commands which serve have in common, and how they reach the server. */

import { availableParallelism } from "node:os";
import { Problem } from "#runtime/problem";
import { parsePort } from "#runtime/settings";
import { type CommandInput, type CommandOption, UsageError, value } from "./command.ts";

export const ADDRESS_OPTIONS: Readonly<Record<"port" | "host", CommandOption>> = {
  port: value("<number>", "The port to listen on. 0 takes a free one.", { short: "p" }),
  host: value("<address>", "The address to listen on, such as 0.0.0.0 for all."),
};

/**
 * The flags override the environment by replacing it: the server then reads one source.
 *
 * @throws {UsageError} when `--port` is no port; {Problem} when `PORT` is none.
 */
export function applyAddressOptions({ values: { port, host } }: Pick<CommandInput, "values">): void {
  if (port !== undefined) process.env.PORT = String(parsePortOption(port, "--port"));
  else if (process.env.PORT) parsePort(process.env.PORT, "PORT");
  if (host !== undefined) process.env.HOST = host;
}

/** @param option as it was typed, `--port`. @throws {UsageError} when the text is no port. */
export function parsePortOption(text: string, option: string): number {
  try {
    return parsePort(text, option);
  } catch (error) {
    throw error instanceof Problem ? new UsageError(error.message) : error;
  }
}

/** More than so many times what the machine runs at once only takes memory. */
const MOST_PER_CORE = 8;

export const WORKERS_OPTION: CommandOption = value(
  "<number>",
  "Serve with this many processes, and replace each that dies. auto: one for each core.",
  { short: "w" },
);

/** @returns undefined when it was not given. @throws {UsageError} when it is no number of workers that makes sense. */
export function parseWorkers({ values: { workers } }: Pick<CommandInput, "values">): number | undefined {
  if (workers === undefined) return undefined;
  const cores = availableParallelism();
  if (workers === "auto") return cores;
  const most = cores * MOST_PER_CORE;
  const count = /^[0-9]+$/.test(workers) ? Number(workers) : 0;
  if (count >= 1 && count <= most) return count;
  throw new UsageError(
    `--workers is ${JSON.stringify(workers)}. It must be a whole number from 1 to ${most}, or auto.`,
    `This machine runs ${cores} at once: more workers than that rarely serve more.`,
  );
}
