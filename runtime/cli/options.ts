/** The options that the commands which serve have in common, and how they reach the server. */

import { Problem } from "#runtime/core/problem";
import { parsePort } from "#runtime/core/settings";
import { type CommandInput, type CommandOption, UsageError } from "./command.ts";

export const ADDRESS_OPTIONS: Readonly<Record<"port" | "host", CommandOption>> = {
  port: {
    type: "string",
    short: "p",
    value: "<number>",
    description: "The port to listen on. 0 takes a free one.",
  },
  host: {
    type: "string",
    value: "<address>",
    description: "The address to listen on, such as 0.0.0.0 for all.",
  },
};

/**
 * The flags override the environment by replacing it: the server then reads one source.
 *
 * @throws {UsageError} when `--port` is no port; {Problem} when `PORT` is none.
 */
export function applyAddressOptions({ options }: Pick<CommandInput, "options">): void {
  if (typeof options.port === "string") process.env.PORT = String(parsePortOption(options.port, "--port"));
  else if (process.env.PORT) parsePort(process.env.PORT, "PORT");
  if (typeof options.host === "string") process.env.HOST = options.host;
}

/** @param option as it was typed, `--port`. @throws {UsageError} when the text is no port. */
export function parsePortOption(text: string, option: string): number {
  try {
    return parsePort(text, option);
  } catch (error) {
    throw error instanceof Problem ? new UsageError(error.message) : error;
  }
}
