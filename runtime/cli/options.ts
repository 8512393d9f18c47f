/** The options that the commands which serve have in common, and how they reach the server. */

import { resolve } from "node:path";
import { findProjectRoot } from "../convention/config.ts";
import { parsePort } from "../core/settings.ts";
import { type CommandInput, type CommandOption, UsageError } from "./command.ts";

export const ADDRESS_OPTIONS: Readonly<Record<"port" | "host", CommandOption>> = {
  port: {
    type: "string",
    short: "p",
    value: "<number>",
    description: "The port to listen on; 0 takes a free one.",
  },
  host: {
    type: "string",
    value: "<address>",
    description: "The address to listen on, as in 0.0.0.0 for all.",
  },
};

/** The flags outrank the environment by taking its place: the server then reads one source. */
export function applyAddressOptions({ options }: Pick<CommandInput, "options">): void {
  if (typeof options.port === "string") {
    try {
      process.env.PORT = String(parsePort(options.port));
    } catch (error) {
      throw new UsageError(`--port: ${error instanceof Error ? error.message : error}`);
    }
  }
  if (typeof options.host === "string") process.env.HOST = options.host;
}

/** @throws {UsageError} when no folder from here upwards holds a `framework.toml`. */
export function requireProjectRoot({ cwd }: Pick<CommandInput, "cwd">): string {
  const root = findProjectRoot(resolve(cwd));
  if (root !== undefined) return root;
  throw new UsageError(
    "This folder is not in a project: there is no framework.toml here or in a folder above.",
    "Go to a project's folder, or make one with: npm create convention-app",
  );
}
