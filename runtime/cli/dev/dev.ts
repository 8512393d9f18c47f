/** `framework dev`: serves the project while it is being written. */

import type { Address } from "#runtime/core/node/listen";
import { createCache } from "#runtime/toolchain/dev/cache";
import { createLifeline } from "#runtime/toolchain/dev/lifeline";
import { spawnWorker, type Worker } from "#runtime/toolchain/dev/worker-process";
import type { Command, CommandInput } from "../command.ts";
import { ADDRESS_OPTIONS, applyAddressOptions, parsePortOption } from "../options.ts";
import { requireProjectRoot } from "../project-root.ts";
import { readKeys } from "./keys.ts";
import { runDevSession } from "./session.ts";
import { holdSignals } from "./signals.ts";

/** Where every debugger looks first. */
const DEBUGGER_PORT = "9229";

export const dev: Command = {
  usage: "framework dev [options]",
  summary: "Serve the project, and reload it when a file changes.",
  details:
    "A mistake does not end it: the terminal and every answer show the mistake until it is mended.\n" +
    "At a terminal, r reloads, l lists the routes, q quits and h tells the keys.\n" +
    "The address is framework.toml's [server] host and port, outranked by HOST and PORT, outranked by the options.",
  options: {
    ...ADDRESS_OPTIONS,
    inspect: {
      type: "string",
      value: "<host:port>",
      fallback: DEBUGGER_PORT,
      description: "Let a debugger be attached, at 127.0.0.1:9229 or there; it stays there after a reload.",
    },
  },
  examples: ["framework dev", "framework dev --port 9000", "framework dev --inspect"],
  async run(input) {
    const root = requireProjectRoot(input);
    applyAddressOptions(input);
    const { terminal } = input;
    const debuggerAddress = parseDebuggerAddress(input);
    const signals = holdSignals();
    const cache = createCache();
    const lifeline = createLifeline();
    const isDebuggable = debuggerAddress !== undefined;
    const spawn = (): Worker =>
      spawnWorker({ root, hasColors: terminal.color, isDebuggable, cache, lifeline });
    const keys = terminal.interactive ? readKeys(process.stdin) : undefined;
    const first = spawn();
    return runDevSession({ root, terminal, keys, signals, debuggerAddress, spawn, first });
  },
};

/** @throws {UsageError} when `--inspect` has no port in it. */
function parseDebuggerAddress({ options }: Pick<CommandInput, "options">): Address | undefined {
  if (typeof options.inspect !== "string") return undefined;
  const [, host = "127.0.0.1", port = ""] = /^(?:(.+):)?([^:]*)$/.exec(options.inspect) ?? [];
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: parsePortOption(port, "--inspect") };
}
