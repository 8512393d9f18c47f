/** `framework dev`: serves the project, and reloads it when a file changes. */

import type { Address } from "#runtime/node/listen";
import { Workers } from "#toolchain/dev/workers";
import { type Command, type CommandInput, flag, value } from "../command.ts";
import { ADDRESS_OPTIONS, applyAddressOptions, parsePortOption } from "../options.ts";
import { requireProjectRoot } from "../project-root.ts";
import { readKeys } from "./keys.ts";
import { runDevSession } from "./session.ts";
import { holdSignals } from "./signals.ts";

/** Debuggers look here first. */
const DEBUGGER_PORT = "9229";

export const dev: Command = {
  usage: "framework dev [options]",
  summary: "Serve the project, and reload it when a file changes.",
  details:
    "A mistake does not end it: the terminal and every answer show the mistake until you fix it.\n" +
    "At a terminal, r reloads, l lists the routes, q quits and h shows the keys.\n" +
    "Where a file system sends no events, as in Docker volumes and network shares, use --poll, or set FRAMEWORK_POLL=1.\n" +
    "HOST and PORT override [server] host and port of framework.toml; --host and --port override both.",
  options: {
    ...ADDRESS_OPTIONS,
    inspect: value(
      "<host:port>",
      "Let a debugger attach, at 127.0.0.1:9229 by default. The address stays the same after a reload.",
      { fallback: DEBUGGER_PORT },
    ),
    poll: flag("Look at the files again and again, instead of waiting for events of the file system."),
  },
  examples: ["framework dev", "framework dev --port 9000", "framework dev --inspect"],
  async run(input) {
    const root = requireProjectRoot(input);
    applyAddressOptions(input);
    const { terminal } = input;
    const hasColors = terminal.color;
    const debuggerAddress = parseDebuggerAddress(input);
    const bindSignals = holdSignals();
    const bindKeys = terminal.interactive ? readKeys(process.stdin) : undefined;
    const workers = new Workers({ root, hasColors, isDebuggable: debuggerAddress !== undefined });
    const polls = input.flags.poll || /^(?:1|true)$/.test(process.env.FRAMEWORK_POLL ?? "");
    return runDevSession({
      root,
      terminal,
      hasColors,
      polls,
      bindKeys,
      bindSignals,
      debuggerAddress,
      workers,
    });
  },
};

/** @throws {UsageError} when `--inspect` does not name a port. */
function parseDebuggerAddress({ values: { inspect } }: Pick<CommandInput, "values">): Address | undefined {
  if (inspect === undefined) return undefined;
  const [, host = "127.0.0.1", port = ""] = /^(?:(.+):)?([^:]*)$/.exec(inspect) ?? [];
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: parsePortOption(port, "--inspect") };
}
