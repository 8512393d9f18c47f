/** `framework start`: serves the project as in production. */

import { escapeControl } from "../convention/diagnostics.ts";
import { startProject } from "../toolchain/start.ts";
import type { Command } from "./command.ts";
import { ADDRESS_OPTIONS, applyAddressOptions, requireProjectRoot } from "./options.ts";

export const start: Command = {
  usage: "framework start [options]",
  summary: "Serve the project as in production.",
  details:
    "Serves dist/server.js when `framework build` has made it and no file has changed since, else the source.\n" +
    "The address is framework.toml's [server] host and port, outranked by HOST and PORT, outranked by the options.",
  options: ADDRESS_OPTIONS,
  examples: ["framework start", "framework start --port 9000 --host 0.0.0.0"],
  async run(input) {
    const root = requireProjectRoot(input);
    applyAddressOptions(input);
    const origin = await startProject(root);
    if (origin.kind === "stale")
      input.terminal.printError(
        `dist/server.js is not current (${escapeControl(origin.newer)} is another now): serving the source.`,
      );
    return 0;
  },
};
