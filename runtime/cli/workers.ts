/** `--workers`: how many processes serve. */

import { availableParallelism } from "node:os";
import { type CommandInput, type CommandOption, UsageError } from "./command.ts";

/** More than so many times what the machine runs at once only takes memory. */
const MOST_PER_CORE = 8;

export const WORKERS_OPTION: CommandOption = {
  type: "string",
  short: "w",
  value: "<number>",
  description: "Serve with this many processes, and replace each that dies. auto: one for each core.",
};

/** @returns undefined when it was not given. @throws {UsageError} when it is no number of workers that makes sense. */
export function parseWorkers({ options }: Pick<CommandInput, "options">): number | undefined {
  const { workers } = options;
  if (typeof workers !== "string") return undefined;
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
