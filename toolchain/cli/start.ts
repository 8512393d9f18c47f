/** `framework start`: serves the project as in production. */

import { escapeControl } from "#runtime/escape";
import { createProductionLog } from "#runtime/log/production";
import { isWorker, tellPrimary } from "#runtime/worker";
import type { Command } from "./command.ts";
import { ADDRESS_OPTIONS, applyAddressOptions, parseWorkers, WORKERS_OPTION } from "./options.ts";
import { requireProjectRoot } from "./project-root.ts";

export const start: Command = {
  usage: "framework start [options]",
  summary: "Serve the project as in production.",
  details:
    "Serves dist/server.js if `framework build` made it and no file has changed since; otherwise, the source.\n" +
    "HOST and PORT override [server] host and port of framework.toml; --host and --port override both.\n" +
    "SIGTERM and SIGINT stop it without losing a request; a second one stops it at once. With --workers, SIGHUP restarts the workers one by one.",
  options: { ...ADDRESS_OPTIONS, workers: WORKERS_OPTION },
  examples: [
    "framework start",
    "framework start --port 9000 --host 0.0.0.0",
    "framework start --workers auto",
  ],
  async run(input) {
    const root = requireProjectRoot(input);
    const workers = parseWorkers(input);
    applyAddressOptions(input);
    if (workers !== undefined && !isWorker()) return runPrimary(workers);
    // A closed terminal signals every process of its group. The primary decides what that means.
    if (isWorker()) process.on("SIGHUP", () => {});
    const { startProject } = await import("#toolchain/start/start");
    const origin = await startProject(root);
    if (origin.kind === "stale") {
      const text = `dist/server.js is out of date (${escapeControl(origin.newer)} has changed): serving the source.`;
      if (!tellPrimary({ framework: "note", text })) input.terminal.printError(text);
    }
    return 0;
  },
};

/** Each worker runs the very same command. */
async function runPrimary(count: number): Promise<number> {
  const { keepSockets } = await import("#toolchain/start/sockets");
  const { forkWorker } = await import("#toolchain/start/worker");
  const { Workers } = await import("#toolchain/start/workers");
  const { obeySignals } = await import("#toolchain/start/signals");
  keepSockets();
  const workers = new Workers(count, forkWorker, createProductionLog());
  obeySignals(workers);
  return workers.ended;
}
